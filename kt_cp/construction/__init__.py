"""Tours of whole rectangles built from tiles instead of searched for: any size, by arithmetic.

What belongs here builds orders of squares, or computes one square of them.  Everything asks the one
gate of the model for a knight on a whole plane rectangle; small tiles come from
:mod:`kt_cp.search`.
"""
