"""Algorithms on numbered graphs: adjacency lists in, vertices out, work counted.

What belongs here knows no board, no problem and no outcome: components, cuts, flows, two-factors,
walks, backtracking.  The engines of the same names state problems for them.  The certificate
checker has graph algorithms of its own and imports none of these.
"""
