"""Known numbers of tours: the rows of ``data/known_counts.csv``."""

from __future__ import annotations

import csv
from pathlib import Path

TABLE = Path(__file__).parents[1] / "data" / "known_counts.csv"
_ALL = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))
ROWS = [row for row in _ALL if not row["symmetry"]]
SYMMETRIC = [row for row in _ALL if row["symmetry"]]
COMPUTED = [row for row in ROWS if row["source"].startswith("computed here")]
"""Other pieces and surfaces; up to 16 squares also by dynamic programming."""


def known(most):
    """Return the published rows of boards with at most 48 squares and ``most`` tours."""
    return [
        row
        for row in ROWS
        if row not in COMPUTED
        and int(row["count"]) <= most
        and int(row["rows"]) * int(row["columns"]) <= 48
    ]


def label(row):
    names = [row[key] for key in ("piece", "surface") if row[key] not in {"knight", "plane"}]
    names += [row["symmetry"]] if row["symmetry"] else []
    return " ".join([f"{row['rows']}x{row['columns']}", *names, row["kind"], row["unit"]])
