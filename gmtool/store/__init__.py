"""Campaigns on disk: the journal that is the truth, the snapshot people can query, the lock, the shelf.

Knows JSON and files, and no game. A campaign is one folder; see :mod:`gmtool.store.campaign`.
"""
