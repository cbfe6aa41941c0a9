"""Whether what a campaign holds can be ruled upon: every row of its shape, and whatever the game wants besides."""

from gmtool.kernel.state import BadRow
from gmtool.referee.desk import Desk


def fault_in(desk: Desk) -> BadRow | None:
    """The first place of the state that does not hold what it should, None where all is well."""
    try:
        for table in desk.system.state.kinds:
            for id in desk.state.ids(table):
                desk.state.row(table, id)
        desk.system.check(desk.state, desk.data)
    except BadRow as error:
        return error
    return None
