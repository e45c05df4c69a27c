"""Every tour there is: listed one by one, one of each symmetry class, or counted.

What belongs here goes through all tours of a problem; whoever looks for one tour is elsewhere.
"""

from __future__ import annotations

from kt_cp.enumeration.listing import Enumeration

__all__ = ["Enumeration"]
