"""The checker of certificates: it imports the board and the problem, and nothing that searches."""

from __future__ import annotations

from kt_cp.trust.check.certificate import FORMAT, RULES, SCHEMA_VERSION, Checked, check
from kt_cp.trust.check.refusal import Reason, Refusal

__all__ = ["FORMAT", "RULES", "SCHEMA_VERSION", "Checked", "Reason", "Refusal", "check"]
