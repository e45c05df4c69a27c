"""A directed graph as the checker lays it out: each node as a path, each arc as an edge.

A node v becomes the nodes ``in v``, ``at v`` and ``out v`` in a row; an arc from u to v becomes the
edge between ``out u`` and ``in v``.  Two more nodes, ``source`` and ``target``, are the ends of an
open tour.  Every tour of the directed graph is one of this graph, written three times as long, so
where this graph has none, the directed one has none; and every tour of this graph is one of the
directed graph, so a list of all of the one is a list of all
of the other.

The checker does not use :mod:`kt_cp.model.directed`, so that an error there cannot carry a false
proof through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kt_cp.model.conditions import Condition, End, Given, Required, Start
from kt_cp.trust.check.instance import Instance, instance_of_graph
from kt_cp.trust.check.refusal import Reason, Refusal

SAID = "with each node drawn as a path from in to out, "
"""What the argument of a directed graph begins with."""


def laid_out(instance: Instance) -> Instance:
    """The undirected instance that the evidence about a directed one speaks of.

    Examples
    --------
    >>> from kt_cp.model.piece import KNIGHT
    >>> rows = {"a": {"b": None}, "b": {"a": None}}
    >>> made = laid_out(Instance(None, KNIGHT, closed=True, rows=rows, directed=True))
    >>> made.nodes, made.rows["out a"]
    (['in a', 'at a', 'out a', 'in b', 'at b', 'out b'], {'at a': None, 'in b': None})
    """
    nodes, edges = instance.nodes, list[tuple[str, str]]()
    names = [f"{part} {node}" for node in nodes for part in ("in", "at", "out")]
    for node in nodes:
        edges += ((f"in {node}", f"at {node}"), (f"at {node}", f"out {node}"))
        edges += ((f"out {node}", f"in {head}") for head in instance.rows[node])
        if not instance.closed and instance.start in (None, node):
            edges.append(("source", f"in {node}"))
        if not instance.closed and instance.end in (None, node):
            edges.append((f"out {node}", "target"))
    conditions: list[Condition] = []
    if not instance.closed:
        names += ("source", "target")
        conditions = [Start("source"), End("target")]
    elif instance.start is not None:
        conditions = [Start(f"in {instance.start}")]
    for each in instance.conditions:
        match each:
            case Required((tail, head)):  # a forbidden arc as well
                conditions.append(type(each).of(f"out {tail}", f"in {head}"))
            case Given(node, step):
                first = 3 * (step - 1) + (1 if instance.closed else 2)
                conditions += (Given(f"in {node}", first), Given(f"at {node}", first + 1))
            case Start():
                pass  # an end as well
            case _:
                raise Refusal(Reason.WRONG_PROBLEM, f"what to do with {each.words} is unknown")
    return instance_of_graph(
        names, edges, closed=instance.closed, conditions=conditions, budget=instance.budget
    )


def along(instance: Instance, tour: Sequence[Any]) -> list[Any]:
    """The nodes of a directed graph in the order of a tour of what it was laid out as."""
    nodes = {f"{part} {node}": node for node in instance.nodes for part in ("in", "at", "out")}
    steps = [step for step in tour if step in nodes]
    turned = [*steps[1:], steps[0]]
    # From at to in is backwards; the two of one node stand side by side in a tour.
    back = any(u[:3] == "at " and nodes[u] == nodes[v] and v[:3] == "in "
               for u, v in zip(steps, turned, strict=True))  # fmt: skip
    return [nodes[step] for step in (steps[::-1] if back else steps) if step[:3] == "at "]
