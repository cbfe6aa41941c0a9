"""The chapters of Talon's rulebook, a module or a few each."""
