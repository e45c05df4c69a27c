"""Refutations that take vertices out of the cycle are found where cuts take too long."""

from __future__ import annotations

import networkx as nx

from kt_cp import Problem
from kt_cp.formats.refutation import formula_text, hinted_text
from kt_cp.model.limits import Limits
from kt_cp.proofs.certify import certify
from kt_cp.trust.check import check


def test_where_cuts_take_too_long(monkeypatch):
    monkeypatch.setattr("kt_cp.proofs.certify.CUTS_SECONDS", 0.001)
    problem = Problem(graph=nx.petersen_graph(), closed=True)
    made = certify(problem, ("refutation",), limits=Limits(60)).certificate
    evidence = made.document["evidence"]
    assert made.document["schema_version"] == 5 and evidence["order"] and not evidence["cuts"]
    assert check(made.document).kind == "refutation"
    lines = formula_text(made).splitlines()
    assert any(line.endswith("what follows what is one cycle") for line in lines)
    assert hinted_text(made).splitlines()[-1].split()[1] == "0"
