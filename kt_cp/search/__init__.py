"""Algorithms on numbered graphs: adjacency lists in, vertices out, work counted.

Components, cuts, flows, two-factors, walks and backtracking belong here, without a board, a problem
or an outcome.  The engines of the same names state problems for them.  The certificate checker has
graph algorithms of its own and imports none of these.
"""
