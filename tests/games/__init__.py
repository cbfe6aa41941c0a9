"""Two games of a page each: they show that nothing outside a game's own folder knows what game is played."""
