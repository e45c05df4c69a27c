"""What a method of counting is, what it tells beforehand, and where it keeps its work.

What belongs here are the contracts alone: whoever counts imports them, and they import no method.
"""

from __future__ import annotations

from kt_cp.counting.method import Content, Count, Estimate, Method, Slot, Store, Tables

__all__ = ["Content", "Count", "Estimate", "Method", "Slot", "Store", "Tables"]
