"""The files of models/, which ``make models`` writes by the commands in the table of its README."""

from __future__ import annotations

import csv
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import product

from kt_cp import Board, Problem
from kt_cp.compare import Comparison, Run
from kt_cp.compare.report import comparison_plot
from kt_cp.encodings import ENCODING_NAMES
from kt_cp.formats.formula import encode_problem, formula_pieces
from kt_cp.model.limits import Limits
from tests.support.command_line import ROOT, command_line, environment

MODELS = ROOT / "models"
README = MODELS / "README.md"
DIGESTS = MODELS / "cnf" / "digests.txt"
BOARDS = ("5x6 --closed", "3x4", "4x4")
"""Every encoding has a formula of each board; two have eight tours each, the third has none."""


@dataclass(frozen=True)
class Row:
    """A file, the command that writes or runs it, and the outcome that the README states."""

    name: str
    command: str
    outcome: str

    @property
    def arguments(self) -> list[str]:
        """Return the command without the name of its program."""
        return shlex.split(self.command)[1:]

    @property
    def numbers(self) -> list[int]:
        """Return the numbers in the outcome."""
        return [int(number) for number in re.findall("[0-9]+", self.outcome)]


def rows(suffix: str = "") -> list[Row]:
    """Return the rows of the files with this suffix, in order."""
    found = re.findall(
        r"^\| `(\S+)` \| (?:`([^`]+)`|–) \|(?: (.+) \|)?$", README.read_text("utf-8"), re.MULTILINE
    )
    return [Row(*each) for each in found if each[0].endswith(suffix)]


def made() -> list[Row]:
    """Return the rows of the files that kt-cp writes."""
    return [row for row in rows() if row.command.startswith("kt-cp ")]


def problem_of(command: str) -> Problem:
    """Return the problem of an export."""
    words = shlex.split(command)
    return Problem(Board.parse(words[2]), closed="--closed" in words)


@dataclass(frozen=True)
class Formula:
    """A small board in an encoding: digest of its clauses, numbers of models and of tours."""

    command: str
    digest: str = ""
    models: int = 0
    tours: int = 0

    @cached_property
    def text(self) -> str:
        """The formula in DIMACS, computed anew."""
        encoding = shlex.split(self.command)[-1]
        return "".join(formula_pieces(encode_problem(problem_of(self.command), encoding)))

    def counted(self) -> Formula:
        """Return the formula with a new digest and new numbers; clasp counts the models."""
        from tests.support.foreign_solvers import clasp, tours_of

        problem, models = problem_of(self.command), clasp(self.text)
        tours = set(tours_of(models, problem.closed, problem.size))
        return Formula(self.command, digest_of(self.text), len(models), len(tours))


def digest_of(text: str) -> str:
    """Return the SHA-256 of all lines but comments, like ``grep -v ^c | sha256sum``."""
    lines = (line for line in text.splitlines(keepends=True) if not line.startswith("c"))
    return sha256("".join(lines).encode()).hexdigest()


def formulas() -> list[Formula]:
    """Return the formulas of the list of digests, in order."""
    listed = (line.split(maxsplit=3) for line in DIGESTS.read_text("utf-8").splitlines()[1:])
    return [
        Formula(command, digest, int(models), int(tours))
        for digest, models, tours, command in listed
    ]


def wanted() -> list[str]:
    """Return the command of each formula that must be listed: every board in every encoding."""
    return [f"kt-cp export {board} --encoding {name}"
            for board, name in product(BOARDS, ENCODING_NAMES)]  # fmt: skip


def measured() -> Comparison:
    """Read a comparison that was measured once from its CSV."""
    with (ROOT / "tests" / "data" / "compare.csv").open(encoding="utf-8") as file:
        runs = [
            Run(
                Problem(Board.parse(row["board"]), closed=row["closed"] == "True"),
                row["engine"],
                int(row["seed"]),
                row["verdict"],
                statistics={
                    name: float(row[name] or 0) for name in ("build_seconds", "solve_seconds")
                },
            )
            for row in csv.DictReader(file)
        ]
    return Comparison(runs, Limits(seconds=5, megabytes=4000))


def main() -> None:
    """Write every file that kt-cp generates, and the list of digests."""
    for row in made():
        path = MODELS / row.name
        path.parent.mkdir(exist_ok=True)
        command = command_line(*row.arguments)
        path.write_bytes(subprocess.run(command, env=environment(), stdout=-1, check=True).stdout)
        print(path.relative_to(ROOT))
    (MODELS / "compare.svg").write_bytes(comparison_plot(measured()))
    lines = ["SHA-256 of the clauses, number of models, number of tours, command"]
    for command in wanted():
        now = Formula(command).counted()
        lines.append(f"{now.digest} {now.models} {now.tours} {command}")
    DIGESTS.write_text("\n".join([*lines, ""]), "utf-8")
    print(DIGESTS.relative_to(ROOT))


if __name__ == "__main__":
    main()
