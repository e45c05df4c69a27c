"""Finished rows in a store, so that an interrupted comparison goes on with the others.

A row holds the verdict, figures, checks and certificate of a run.  The certificate is checked again
when the row is used.  A run that another program killed is run again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kt_cp.compare.run import Contestant, Run, name_of
from kt_cp.model.document import problem_document
from kt_cp.model.outcome import Certificate, Checks, Evidence, EvidenceKind
from kt_cp.processes.store import TaskResults, open_task_results
from kt_cp.processes.task_queue import Done

if TYPE_CHECKING:
    from kt_cp.model.limits import Limits
    from kt_cp.model.problem import Problem
    from kt_cp.processes.store import Content


def _pack(done: Done) -> Content | None:
    """A row, unless another run of it may come to more."""
    row: Run = done.value
    if row.verdict == "KILLED":
        return None
    return {"row": np.frombuffer(json.dumps(_document_of(row)).encode(), dtype=np.uint8)}


def _unpack(content: dict[str, Any], piece: tuple[Any, ...]) -> Done:
    problem, engine, _, seed = piece
    return Done(_run_of(json.loads(content["row"].tobytes()), problem, name_of(engine), seed))


def _document_of(row: Run) -> dict[str, Any]:
    """Return a row as plain values, without its problem."""
    own = row.evidence and row.evidence.certificate
    return {
        "verdict": row.verdict,
        "reason": row.reason,
        "statistics": row.statistics,
        "checks": asdict(row.checks),
        "versions": row.versions,
        "evidence": row.evidence and {"kind": row.evidence.kind.name, "text": row.evidence.text},
        "certificate": own
        and {"kind": own.kind, "argument": own.argument, "document": own.document},
    }


def _run_of(document: dict[str, Any], problem: Problem, engine: str, seed: int) -> Run:
    own, evidence = document.pop("certificate"), document.pop("evidence")
    if own is not None:
        own = Certificate(problem, **own)
    if evidence is not None:
        evidence = Evidence(EvidenceKind[evidence["kind"]], evidence["text"], own)
    checks = Checks(**document.pop("checks"))
    return Run(problem, engine, seed, **document, checks=checks, evidence=evidence)


def open_checkpoint(
    path: Path | None,
    problems: Sequence[Problem],
    engines: Sequence[Contestant],
    limits: Limits,
    seeds: range,
) -> AbstractContextManager[TaskResults | None]:
    """A store of the rows of one comparison; None for no path.

    Raises
    ------
    StoreError
        As :class:`kt_cp.processes.store.Folder` has it.
    """
    if path is None or not problems:
        return nullcontext()
    documents = json.dumps([problem_document(each) for each in problems]).encode()
    each = ", ".join(f"{name} {value}" for name, value in asdict(limits).items() if value)
    name = (
        f"comparison of {len(problems)} problems ({sha256(documents).hexdigest()[:8]}) by "
        f"{', '.join(map(name_of, engines))}, seeds {seeds[0]} to {seeds[-1]}, "
        f"{each or 'no limits'}"
    )
    return open_task_results(path, problems[0], name, _pack, _unpack)
