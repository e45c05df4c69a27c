"""Measurements behind the README's figures; ``python -m benchmarks`` runs them all.

What is measured is a list of cases (``case.py``).  Each part of the list has a file in ``parts``,
which says what is run, beside what, and writes the tables; ``jobs`` holds what runs in a process
of its own, and lies between the clock and the package.
"""
