"""The files of models/: a row of its README says how each is made, and ``make models`` does so."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass
from itertools import product

from kt_cp.encodings import ENCODING_NAMES
from tests.helpers import ROOT, command_line, environment

MODELS = ROOT / "models"
README = MODELS / "README.md"
BOARDS = ("5x6 --closed", "3x4", "4x4")
"""Every encoding has a formula of each: of eight tours, of eight more, and of none."""


@dataclass(frozen=True)
class Row:
    """A file, the command that makes or runs it, and what the row says of the outcome."""

    name: str
    command: str
    outcome: str

    @property
    def arguments(self) -> list[str]:
        """The command without the name of its program."""
        return shlex.split(self.command)[1:]

    @property
    def numbers(self) -> list[int]:
        """The numbers in the outcome."""
        return [int(number) for number in re.findall("[0-9]+", self.outcome)]


def rows(suffix: str = "") -> list[Row]:
    """Rows of the files with this suffix, in order."""
    found = re.findall(
        r"^\| `(\S+)` \| (?:`([^`]+)`|–) \|(?: (.+) \|)?$", README.read_text("utf-8"), re.MULTILINE
    )
    return [Row(*each) for each in found if each[0].endswith(suffix)]


def made() -> list[Row]:
    """Rows of the files that kt-cp makes."""
    return [row for row in rows() if row.command.startswith("kt-cp ")]


def formulas() -> list[Row]:
    """Rows of the formulas that there should be: every board in every encoding."""
    said = {(row.name, row.command): row for row in rows(".cnf")}
    wanted = [
        (f"cnf/{_stem(board)}-{name}.cnf", f"kt-cp export {board} --encoding {name}")
        for board, name in product(BOARDS, ENCODING_NAMES)
    ]
    return [said.get(each, Row(*each, "")) for each in wanted]


def lacking() -> list[str]:
    """Names of the formulas that have no row."""
    return [row.name for row in formulas() if not row.outcome]


def _stem(board: str) -> str:
    size, *closed = board.split()
    return f"{'closed' if closed else 'open'}-{size}"


def main() -> None:
    """Write every file that kt-cp makes, and the rows of the formulas, the README's last table."""
    written = [*(row for row in made() if row.name[-4:] != ".cnf"), *formulas()]
    for row in written:
        path = MODELS / row.name
        path.parent.mkdir(exist_ok=True)
        command = command_line(*row.arguments)
        path.write_bytes(subprocess.run(command, env=environment(), stdout=-1, check=True).stdout)
        print(path.relative_to(ROOT))
    text = README.read_text("utf-8")
    table = [f"| `{row.name}` | `{row.command}` | {row.outcome or _counted(row)} |"
             for row in formulas()]  # fmt: skip
    README.write_text(text[: text.index("| `cnf/")] + "\n".join([*table, ""]), "utf-8")


def _counted(row: Row) -> str:
    """Numbers of models and of tours: as clasp counts them, to be held against known ones."""
    from tests.foreign import clasp, tours_of

    rows, columns = map(int, row.arguments[1].split("x"))
    models = clasp((MODELS / row.name).read_text("utf-8"))
    tours = tours_of(models, "--closed" in row.arguments, rows * columns)
    return f"{len(models)}, {len(set(tours))}"


if __name__ == "__main__":
    main()
