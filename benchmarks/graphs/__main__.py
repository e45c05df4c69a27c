"""``python -m benchmarks.graphs DIRECTORY``: the graphs as files of TSPLIB, one each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from benchmarks.graphs.catalogue import acyclic, catalogue
from kt_cp import Problem
from kt_cp.formats.export import tsplib_pieces


def main(
    directory: Annotated[Path, typer.Argument(help="Made if it is not there")],
    names: Annotated[
        list[str] | None, typer.Argument(help="Such as petersen-1; all if there are none")
    ] = None,
) -> None:
    """Write graphs as NAME.hcp, and a list of names, families, sizes and cycle or none."""
    known = {**catalogue(), **acyclic()}
    if unknown := set(names or ()) - known.keys():
        raise typer.BadParameter(f"expected names such as petersen-1, got {sorted(unknown)}")
    directory.mkdir(parents=True, exist_ok=True)
    lines = ["name,family,vertices,edges,cycle"]
    for name in names or known:
        it = known[name]
        graph = it.make().graph
        text = "".join(tsplib_pieces(Problem(graph=graph, closed=True)))
        (directory / f"{name}.hcp").write_text(text, encoding="ascii")
        cycle = "yes" if it.cyclic else "no"
        lines.append(f'{name},"{it.family}",{len(graph)},{graph.size()},{cycle}')
    (directory / "graphs.csv").write_text("\n".join([*lines, ""]), encoding="ascii")


if __name__ == "__main__":
    typer.run(main)
