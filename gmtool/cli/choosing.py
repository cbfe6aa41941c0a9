"""Which campaign is meant: the one named, the environment's, the one chosen in this home, or the only one."""

from collections.abc import Mapping
from pathlib import Path

from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Candidate, find
from gmtool.store.home import Home
from gmtool.store.names import campaign_folders


def chosen(home: Home, name: str | None, env: Mapping[str, str]) -> Path:
    """The folder of the campaign that is meant; Refused ``no-campaign`` or ``unknown-name`` with what there is."""
    from gmtool.store.shelf import active, choice

    wanted = name or env.get("GMTOOL_CAMPAIGN")
    if wanted:
        return named(home, wanted)
    slug = active(home.path)
    if slug:
        return home.path / slug
    folders = campaign_folders(home.path)
    gone = choice(home.path)
    if gone and folders:
        there = [folder.name for folder in folders[:12]]
        raise Refused("no-campaign", key="chosen-gone", exit=4, facts={"campaign": gone, "campaigns": there})
    if len(folders) == 1:
        return folders[0]
    key = "no-campaign-chosen" if folders else "no-campaign"
    facts = {"home": str(home.path), "campaigns": [folder.name for folder in folders[:12]], "n": len(folders)}
    raise Refused("no-campaign", key=key, exit=4, facts=facts)


def named(home: Home, name: str) -> Path:
    """The campaign of this slug or name, or of an unambiguous beginning."""
    folders = campaign_folders(home.path)
    slugs = {folder.name: folder for folder in folders}
    if name in slugs:
        return slugs[name]
    from gmtool.store.shelf import list_campaigns

    if not folders:
        raise Refused("no-campaign", exit=4, facts={"home": str(home.path), "campaigns": [], "n": 0})
    shelf = [Candidate(entry.slug, (entry.name,)) for entry in list_campaigns(home.path)]
    return slugs[find(name, "campaign", shelf)]
