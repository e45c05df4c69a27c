"""Graphs in files of others, read: by readers of our own, which a test holds against networkx's.

Written is nothing here: problems go out by the formats beside this folder.
"""
