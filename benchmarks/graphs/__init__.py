"""Graphs to look for Hamiltonian cycles in, made and not stored: families known to be hard.

The families are those of the FHCP Challenge Set (M. Haythorpe, "FHCP Challenge Set: the first set
of structurally difficult instances of the Hamiltonian cycle problem", arXiv:1902.10352), from the
constructions that were published, in that set's proportions and sizes; and graphs without a cycle.
Every graph that has a cycle comes with one (:mod:`benchmarks.graphs.planted`).  The list of all is
:mod:`benchmarks.graphs.catalogue`; ``python -m benchmarks.graphs DIRECTORY`` writes them as files.
"""
