"""A referee's companion for physical tabletop games."""

__version__ = "0.1.0"
