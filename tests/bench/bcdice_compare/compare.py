"""Compares our reading of percentile checks with BCDice's, row by row; see README.md beside this file.

Exits with 1 if a row differs for which the rulebook gives no reason.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from gmtool.systems.rtype.rules.r20_checks import PercentLaw  # noqa: E402 (found by the path above)

PACKAGE = "bcdice@4.9.0"
LOWEST, HIGHEST = -5, 105
MODES = ("swap", "fixed", "reverse")
TEMPERAMENTS = ("placid", "daredevil", "all-or-nothing")
SUCCEEDS = {"critical", "success"}
EXTREMES = {"critical", "fumble"}


class Row(NamedTuple):
    """One reading of one roll by BCDice: the number read, whether it succeeded, whether by or in spite of a double."""

    target: int
    faces: tuple[int, int]
    mode: str
    read: int
    success: bool
    extreme: bool


def bcdice_rows(folder: str) -> Iterator[Row]:
    """Installs the package in a folder of its own and asks it for every roll and target."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        sys.exit("compare.py: needs node and npm")
    subprocess.run([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE], check=True)
    done = subprocess.run(
        [node, str(HERE / "bcdice_rows.js"), str(LOWEST), str(HIGHEST)],
        env={**os.environ, "NODE_PATH": str(Path(folder) / "node_modules")},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    for line in done.stdout.splitlines():
        target, roll, readings = json.loads(line)
        faces = divmod(roll % 100, 10)  # BCDice's 100 is the roll 00
        for mode, (read, success, extreme) in zip(MODES, readings, strict=True):
            yield Row(target, faces, mode, read, success, extreme)


def reason(row: Row, temperament: str, success: bool) -> str:
    """Why the rulebook has it otherwise than BCDice here; empty if it gives no reason."""
    if temperament == "daredevil" and row.faces == (0, 0) and success:
        return "00 always succeeds (RT-21.2)"
    if temperament == "daredevil" and row.faces == (9, 9) and not success:
        return "99 always fails (RT-21.2)"
    both = (row.faces[0] * 10 + row.faces[1], row.faces[1] * 10 + row.faces[0])
    fumbles = min(both) >= 70 if row.mode == "swap" else row.read >= 90
    if temperament == "all-or-nothing" and fumbles and not success:
        return "a fumble fails whatever the target (RT-21.3, 21.6)"
    return ""


def compare(rows: list[Row], temperament: str, mode: str) -> tuple[str, Counter[str]]:
    """A line of the table for one temperament and reading, and the differing rows by reason."""
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for row in rows:
        throw = PercentLaw(row.target, mode, temperament).throw(row.faces)
        kind = "doubles" if row.faces[0] == row.faces[1] else "others"
        success = throw.result in SUCCEEDS
        counts[f"{kind} rows"] += 1
        counts[f"{kind} extreme"] += (throw.result in EXTREMES) != row.extreme
        if throw.read != row.read:
            reasons["unexplained: another number read"] += 1
        if success != row.success:
            counts[f"{kind} success"] += 1
            reasons[reason(row, temperament, success) or f"unexplained: {row} {throw}"] += 1
    figures = [counts[f"{kind} {what}"] for what in ("rows", "success", "extreme") for kind in ("others", "doubles")]
    return f"{temperament:16}{mode:9}" + "".join(f"{figure:9}" for figure in figures), reasons


def main() -> int:
    """Prints a table of rows and differences, then the reasons; 0 if every difference has one."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(bcdice_rows(folder))
    print(f"{PACKAGE}, targets {LOWEST} to {HIGHEST}: {len(rows)} readings for each temperament")
    print(f"{'':25}{'rows':>18}{'success differs':>18}{'extreme differs':>18}")
    print(f"{'temperament':16}{'reading':9}" + f"{'others':>9}{'doubles':>9}" * 3)
    total: Counter[str] = Counter()
    for temperament in TEMPERAMENTS:
        for mode in MODES:
            line, reasons = compare([row for row in rows if row.mode == mode], temperament, mode)
            total += reasons
            print(line)
    print("\nRows where one succeeds and the other does not, by reason:")
    for why, count in total.most_common():
        print(f"{count:6}  {why}")
    return int(any(why.startswith("unexplained") for why in total))


if __name__ == "__main__":
    sys.exit(main())
