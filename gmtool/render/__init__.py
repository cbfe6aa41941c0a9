"""Rulings and views drawn as lines of styled text for a terminal, a pipe or the text of a JSON answer."""
