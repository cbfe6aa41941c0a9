"""Field reports about fuel and stores, at subspace and hauling: figures end at their limits, each in its own pool."""

from tests.field.table import Table


def test_p_d1_fuel_ends_at_zero_in_subspace_too(fight: Table) -> None:
    """RT-5.2, 5.3: 2 are lost at the phase start; of 1 nothing is left, and the craft is lost, once."""
    fight.lines("unit add shade Sub --side Players", "set units.sub.fuel 1", "set units.sub.state subspace")
    fight.lines("end phase", "end phase", "initiative --dice 3,4,2,2", "first players")
    assert (fight.unit("sub")["fuel"], fight.unit("sub")["state"]) == (0, "lost")
    fight.lines("end phase", "end phase", "initiative --dice 3,4,2,2", "first players")
    assert (fight.unit("sub")["fuel"], fight.unit("sub")["state"]) == (0, "lost")


def test_p_d3_a_haul_goes_into_the_store_of_its_own_kind_and_leaves_its_own_place(fight: Table) -> None:
    """RT-12.9, 12.25: 200 of each kind; a full store of one kind takes nothing from the other's."""
    fight.lines("unit add tender Kit --side Players", "place add Mine --resource sol=100")
    fight.lines("place add Reef --resource eth=20", "set units.kit.hold.solmonadium 190", "haul kit mine")
    assert fight.unit("kit")["hold"] == {"solmonadium": 200, "etherium": 0, "bydogen": 0}
    fight.do("set", "units.kit.acted", "no")
    fight.refused("haul", "kit", "mine", says="200")
    fight.do("haul", "kit", "reef")
    assert fight.unit("kit")["hold"] == {"solmonadium": 200, "etherium": 20, "bydogen": 0}
    assert [fight.state["places"][id]["amount"] for id in ("mine", "reef")] == [90, 0]
