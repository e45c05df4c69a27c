"""Every tour there is: listed one by one, one of each symmetry class, or counted."""

from __future__ import annotations

from kt_cp.enumeration.listing import Enumeration, Listed

__all__ = ["Enumeration", "Listed"]
