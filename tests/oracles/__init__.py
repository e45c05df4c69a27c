"""Naive answers for comparison: slow, short and independent of the package."""
