"""Tours of any graph counted and numbered by a frontier of mates, a vertex at a time.

What belongs here is that one method.  It shares nothing with the dense one, so that either can
confirm the other.
"""
