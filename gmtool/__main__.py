"""The program's entry: ``gmtool``, ``gm``, ``python -m gmtool``."""

import signal
from typing import NoReturn


def main() -> NoReturn:
    """Run the program; a Ctrl-C that comes before it can be answered ends it quietly."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gmtool.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
