"""The use cases: judging a line, open rulings, undo, explaining, odds, sessions. It shows nothing and asks nobody."""
