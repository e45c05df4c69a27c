"""All tours of a problem: listed one by one, one of each symmetry class, or counted.

The modules here find all tours of a problem; engines search for one.
"""

from __future__ import annotations

from kt_cp.enumeration.listing import Enumeration

__all__ = ["Enumeration"]
