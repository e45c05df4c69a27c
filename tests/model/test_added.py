"""A condition that somebody adds, as `kt_cp/README.md` says where: everything takes it as it is."""

from __future__ import annotations

import json
import subprocess
import sys

from kt_cp import Problem, prove
from tests.support.command_line import PATIENCE, environment

ADDED = '''
import json, sys
from dataclasses import dataclass
from typing import ClassVar
import kt_cp.model.conditions as conditions

@dataclass(frozen=True)
class Apart(conditions.Forbidden):
    """Two squares do not follow each other."""
    key: ClassVar[str] = "apart"
    words: ClassVar[str] = "squares apart"

    def label(self, name):
        return f"{self.told(name)} apart"

conditions.KINDS += (Apart,)
conditions.EDGES |= {Apart}

from kt_cp import Problem, Verdict, count, prove, solve
from kt_cp.enumeration import Enumeration
from kt_cp.model.document import problem_document
from kt_cp.trust.check import Reason, Refusal, check
from kt_cp.trust.judge import Rule, conditions as judged, defects
judged.RULES[Apart] = judged._forbidden

apart = Apart.of((0, 0), (2, 1))
problem = Problem("3x4", conditions=[apart])
assert problem.label == "3x4, open, a1-b3 apart"
assert problem_document(problem)["apart"] == [["a1", "b3"]]
assert count(problem).tours == Enumeration(problem).count() == 4
for engine in ("cpsat", "sat", "backtrack", "reference", "warnsdorff", "windows"):
    outcome = solve(problem, engine, own_process=False)
    assert outcome.verdict is Verdict.FOUND, outcome
    walk = "-".join(outcome.tour.names)
    assert "a1-b3" not in walk and "b3-a1" not in walk
together = Problem("3x4", conditions=[Apart.of(*outcome.tour.squares[:2])])
(defect,) = defects(together, outcome.tour.squares)
assert defect.rule is Rule.FORBIDDEN_USED
closed = Problem("5x6", closed=True, conditions=[apart])
made = prove(closed).certificate.document
assert made["problem"]["apart"] == [["a1", "b3"]] and check(made).problem == closed
made["problem"]["apart"] = []
del made["digest"], made["argument"]
try:
    assert not check(made)
except Refusal as refused:
    assert refused.reason is Reason.NOT_PROVED

# What was written before it came is read as it was, and written alike.
older = json.loads(sys.stdin.read())
assert check(older).problem == Problem("3x5")
assert problem_document(Problem("3x5")) == older["problem"]
'''


def test_a_condition_that_is_added_reaches_everything_and_older_files_are_read():
    older = json.dumps(prove(Problem("3x5")).certificate.document)
    done = subprocess.run(
        [sys.executable, "-c", ADDED], input=older, env=environment(),
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
