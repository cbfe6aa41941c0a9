"""Rules data: found, read, checked, compiled; the game's own files first, a campaign's ``rules/`` on top."""
