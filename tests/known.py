"""Published numbers of tours, one row of ``data/known_counts.csv`` each."""

from __future__ import annotations

import csv
from pathlib import Path

TABLE = Path(__file__).parent / "data" / "known_counts.csv"
KNOWN = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


def known(most):
    """Rows of boards of at most 48 squares and that many tours."""
    return [
        row
        for row in KNOWN
        if int(row["count"]) <= most and int(row["rows"]) * int(row["columns"]) <= 48
    ]


def label(row):
    return f"{row['rows']}x{row['columns']} {row['kind']} {row['unit']}"
