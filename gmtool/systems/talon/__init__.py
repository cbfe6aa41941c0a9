"""Talon, GMT's game of fleet battles in space: its state, data and rules."""
