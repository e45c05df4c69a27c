"""Naive answers to compare with: slow, short and independent of the package."""
