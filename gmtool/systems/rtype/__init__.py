"""R-TYPE TRPG: fighter combat, its checks, pilots and data."""
