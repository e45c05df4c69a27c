"""Evidence of the kind ``split``: the way to a part without a cycle, and a certificate for that.

One part is enough, so the parts are asked in turn, the smallest first, each for evidence of another
kind.  Whoever has found such a part already (:mod:`kt_cp.engines.split`) hands over the way to it,
and only its end, and the ends of what was shown about edges on the way, are looked for.

Cost: what the certificates of the parts cost.  When it loses: a graph that nothing parts has no
evidence of this kind; and of a part that is as hard as the whole nothing is gained.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kt_cp.model.limits import Clock
from kt_cp.model.problem import Problem
from kt_cp.proofs.split import CONTRADICTION, Part, Refuted, Whole, division
from kt_cp.trust.check.frame import MOST_SQUARES
from kt_cp.trust.check.refusal import Refusal
from kt_cp.trust.check.split import PLAIN
from kt_cp.trust.check.state import Contradiction

Certify = Callable[[Problem, Clock], dict[str, Any] | None]
"""Evidence of another kind for a problem."""


def split(problem: Problem, clock: Clock, certify: Certify) -> dict[str, Any] | None:
    """Evidence that a part has no cycle, or None; parts at three edges are not looked at.

    Examples
    --------
    >>> import networkx as nx
    >>> from kt_cp.proofs.certify import certify
    >>> petersen = nx.petersen_graph()
    >>> petersen.remove_edge(0, 1)
    >>> petersen.add_edges_from([(0, 10), (10, 11), (10, 12), (11, 12), (11, 1), (12, 1)])
    >>> made = certify(Problem(graph=petersen, closed=True), ("split",)).certificate
    >>> made.kind, made.document["evidence"]["steps"][0]
    ('split', 'plain')
    """
    if problem.size > MOST_SQUARES:
        return None
    try:
        whole = Whole(problem)
    except (Refusal, Contradiction):
        return None
    waiting: list[tuple[list[Any], Part]] = [([], whole.part)]
    while waiting and not clock.expired():
        steps, part = waiting.pop()
        if part.overfull():
            return written(whole, Refuted(steps, CONTRADICTION), clock, certify)
        divided = division(part, whole)
        if isinstance(divided, Refuted):
            return written(whole, Refuted([*steps, *divided.steps], divided.end), clock, certify)
        if not divided.same():
            for each in reversed(divided.parts()):
                waiting.append(([*steps, PLAIN, whole.keep(each.vertices)], each))
        elif steps:
            found = written(whole, Refuted(steps, part), clock, certify)
            if found is not None:
                return found
    return None


def written(
    whole: Whole, refuted: Refuted, clock: Clock, certify: Certify
) -> dict[str, Any] | None:
    """The evidence, with what is at its ends; None where that is not found."""
    end = refuted.end
    then = certify(end.problem(whole.names), clock) if isinstance(end, Part) else end
    if then is None or not refuted.steps:
        return then
    steps = []
    for step in refuted.steps:
        if isinstance(step, dict) and "unless" in step:
            unless = written(whole, step["unless"], clock, certify)
            if unless is None:
                return None
            step = {**step, "unless": unless}
        steps.append(step)
    return {"kind": "split", "steps": steps, "then": then}


__all__ = ["CONTRADICTION", "Certify", "split", "written"]
