"""Field reports about repair and supply: each cost comes from its own pool, and nothing passes its maximum."""

from tests.field.table import Table


def test_p_d3_a_repair_is_paid_by_its_side_or_not_done(fight: Table) -> None:
    """RT-12.2, 12.17: 160 / 10 = 16 for each repair of Rex; 30 suffice for one, and the enemy's store for none."""
    fight.lines(*[f"unit add tender {name} --side Players" for name in ("Kit", "Rex", "Lia")])
    fight.lines("resources players sol=30", "resources bydo sol=500", "set units.rex.hp.lead 100", "repair kit rex")
    assert fight.state["sides"]["players"]["resources"] == {"solmonadium": 14}
    fight.refused("repair", "lia", "rex", says="14")
    assert fight.state["sides"]["bydo"]["resources"] == {"solmonadium": 500}
    assert fight.unit("rex")["hp"]["lead"] == 160


def test_p_c3_a_repair_stops_at_the_maximum_and_says_what_was_used(fight: Table) -> None:
    """RT-12.4: 20 % of 300 is 60, of which 10 were lacking."""
    fight.lines("unit add tender Kit --side Players", "unit add tender Rex --side Players", "resources players sol=30")
    fight.do("set", "units.rex.hp.lead", "290")
    assert fight.do("repair", "kit", "rex")["result"]["restored"] == 10
    assert fight.unit("rex")["hp"]["lead"] == 300


def test_p_d2_a_supply_fills_up_to_the_maximum_and_no_further(fight: Table) -> None:
    """RT-12.1: an Alpha has 40 fuel."""
    fight.lines("unit add tender Kit --side Players", "set units.alpha.fuel 39", "supply kit alpha")
    assert fight.unit("alpha")["fuel"] == 40
