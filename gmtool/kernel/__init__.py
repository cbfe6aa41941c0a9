"""The pure core: it knows commands, dice, events and a journal, and no game, file, clock or word."""
