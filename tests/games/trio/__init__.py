"""Trio: three players, three dice, the first with 30 points wins."""
