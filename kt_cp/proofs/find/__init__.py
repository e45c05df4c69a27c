"""Finders of evidence: they search, and what they find is checked by what does not."""
