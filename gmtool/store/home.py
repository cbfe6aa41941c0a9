"""Where campaigns are: the home, and why it is that one."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from gmtool.store.files import given_path
from gmtool.store.names import campaign_folders, slug

__all__ = ["MARKER", "Home", "find_home", "slug"]

MARKER = ".gmtool"


class Home(NamedTuple):
    """A folder of campaigns; ``why`` is option, env, checkout or user-data. It need not exist yet."""

    path: Path
    why: str


def find_home(option: str | None, env: Mapping[str, str], cwd: Path) -> Home:
    """``--home``, then ``GMTOOL_HOME``, then ``./campaigns`` if it is one of ours, else the user's data folder.

    Refused ``bad-value`` for what no path can be.
    """
    if option:
        return Home(given_path(cwd, option), "option")
    if env.get("GMTOOL_HOME"):
        return Home(given_path(cwd, env["GMTOOL_HOME"]), "env")
    here = cwd / "campaigns"
    if (here / MARKER).is_file() or campaign_folders(here):
        return Home(here, "checkout")
    from platformdirs import user_data_path

    return Home(user_data_path("gmtool", appauthor=False) / "campaigns", "user-data")
