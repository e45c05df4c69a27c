"""The judge: whether a claimed tour is a tour.

This is the trusted core: short, plain, and independent of all code that searches.  ``rules`` names
the rules that a tour can break and defines a move.  ``conditions`` has one rule for each kind of
condition.  ``squares`` judges squares in the order of the tour, or single steps of tours larger
than memory.  ``array`` judges whole boards of step numbers, a hundred million squares in a fraction
of a second.  It is the only part that needs NumPy.
"""

from kt_cp.trust.judge.rules import Defect, Rule
from kt_cp.trust.judge.squares import defects, place_defects

__all__ = ["Defect", "Rule", "defects", "place_defects"]
