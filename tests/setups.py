"""Scripts that bring a campaign to where tests of several modules begin."""

SQUADS = """
campaign new Test --system rtype
side add Players --players
side add Bydo
unit add kestrel Alpha --side Players
unit add gains Beta --side Bydo
"""
FIGHT = f"""{SQUADS}
battle start Skirmish
initiative --dice 3,4,2,2
first players
"""
"""The first squad is about to act."""

DUEL = (
    "side add Players --players", "side add Bydo", "unit add kestrel Arrow --side players",
    'unit add kestrel "Blue Bird" --side players', "unit add gains --side bydo --count 2", "battle start",
    'initiative --dice "6 6 1 1"', "first players",
)  # fmt: skip
"""Two craft against two, in the players' phase; the campaign is there already, as for those below."""

PILOTS = """
side add Players --players
side add Bydo
pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30
pilot add Sel --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30
unit add kestrel Arrow --side Players --pilot Ren
unit add gains Gains --side Bydo --pilot Sel
"""
PLAYERS_FIRST = """
battle start
initiative --dice "3 4 2 2"
first Players
"""

BOWS = """
side add Terra --race terran
side add Horde --race talon
ship add terran-ca Guderian --side Terra --at 0505 --facing n
ship add talon-ca Justice --side Horde --at 0502 --facing s
battle start Bows --initiative Terra
set ships.justice.shields.front 0
set ships.justice.hull 3
"""
"""Two cruisers bow to bow at range 3, the enemy's shield gone and its next critical box but one to come."""
