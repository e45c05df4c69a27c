"""Search algorithms on numbered graphs: adjacency lists in, vertices out, work counted.

They know no board, no problem and no outcome; the engines of the same names state problems for
them.
"""
