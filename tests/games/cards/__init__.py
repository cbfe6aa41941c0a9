"""Cards: players draw from one deck, 21 points are best, more are too many."""
