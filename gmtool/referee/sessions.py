"""The sessions of a campaign: all of them, one by its number, and which lines of the journal are its own."""

from gmtool.kernel.common import Session
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk


def sessions_of(desk: Desk) -> list[Session]:
    """Every session there was, the first one first."""
    return sorted(desk.state.table("sessions").values(), key=lambda row: row.number)


def session_numbered(desk: Desk, number: str) -> Session:
    """The session of this number. Refused ``unknown-name`` {value, last} for one there was not."""
    rows = sessions_of(desk)
    found = next((row for row in rows if str(row.number) == number), None)
    if found is None:
        facts = {"value": number, "last": rows[-1].number if rows else 0}
        raise Refused("unknown-name", key="no-such-session", exit=2, facts=facts)
    return found


def lines_of(desk: Desk, session: Session) -> range:
    """The numbers of its lines in the journal, so far as it has gone."""
    return range(session.first_seq, (session.last_seq or desk.campaign.head.seq) + 1)
