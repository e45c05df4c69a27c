"""Tours of whole rectangles built from tiles instead of searched for: any size, by arithmetic.

Orders of squares, and the computation of one square of them, belong here.  All of it depends on
``Problem.whole_rectangle``, the model's only gate for a knight on a whole plane rectangle; small
tiles are found by :mod:`kt_cp.search`.
"""
