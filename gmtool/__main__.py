"""``python -m gmtool``."""

from gmtool.cli.main import main

main()
