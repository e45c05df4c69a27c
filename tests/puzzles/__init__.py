"""Puzzles: made, graded, drawn."""
