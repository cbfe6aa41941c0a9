"""The games: one folder each, found by listing; no game imports another."""
