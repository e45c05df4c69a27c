"""The judge: whether what is claimed to be a tour is one.

This is the trusted core: short, dull, and above nothing that searches.  ``rules`` names what a tour
must not do and says what a move is, ``conditions`` has one rule for each kind of condition.
``squares`` judges squares in the order of the tour, or single steps of tours larger than memory;
``array`` judges whole boards of step numbers, a hundred million squares in a fraction of a second,
and is the only part that needs NumPy.
"""

from kt_cp.trust.judge.rules import Defect, Rule
from kt_cp.trust.judge.squares import defects, place_defects

__all__ = ["Defect", "Rule", "defects", "place_defects"]
