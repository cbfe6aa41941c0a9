"""Many hands on one campaign: ``python -m tests.bench.writers [--processes 4] [--lines 100]``.

Each process does a script of its own; every line must be kept, in a chain that is whole. Ends with 1 if one is not.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from gmtool.store import doctor
from tests.bench.measured import Home


def main() -> None:
    """Let them write, and count."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.writers", description=__doc__)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--lines", type=int, default=100)
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-bench-") as folder:
        home = Home(Path(folder))
        home.python("-m", "gmtool", "campaign", "new", "Bench", "--system", "rtype")
        command = [sys.executable, "-m", "gmtool", "--json", "run", "-"]
        start = time.perf_counter()
        running = [
            subprocess.Popen(command, env=home.env, cwd=home.path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for _ in range(options.processes)
        ]
        for number, process in enumerate(running):
            assert process.stdin
            process.stdin.write("".join(f"note {number}-{line}\n" for line in range(options.lines)).encode())
            process.stdin.close()
        told = [line for process in running for line in process.stdout or ()]
        ended = [process.wait() for process in running]
        seconds = time.perf_counter() - start
        kept = (home.path / "bench" / "journal.jsonl").read_bytes().splitlines()
        done = sum(json.loads(line)["ok"] for line in told)
        found = doctor.check(home.path / "bench")
    wanted = options.processes * options.lines
    print(f"{options.processes} processes, {options.lines} lines each, {seconds:.1f} s")
    for what, count in (("reported done", done), ("kept in the journal", len(kept) - 1), ("doctor finds", len(found))):
        print(f"{what:24}{count:8}")
    sys.exit((done, len(kept) - 1, *ended, len(found)) != (wanted, wanted, *([0] * len(ended)), 0))


if __name__ == "__main__":
    main()
