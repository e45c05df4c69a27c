"""Construct tours of whole rectangles of any size from tiles, by arithmetic instead of search.

Code that orders squares, or computes a single square of an order, belongs here.  It relies on
``Problem.whole_rectangle``, the model's only test for a knight on a whole plane rectangle.
:mod:`kt_cp.search` finds the small tiles.
"""
