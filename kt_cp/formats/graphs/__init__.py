"""Graphs in files of others, read: networkx's readers where it has them and they are quick enough.

Written is nothing here: problems go out by the formats beside this folder.
"""
