"""The method ``frontier``: count and number the tours of any graph, a vertex at a time.

It shares nothing with the dense method, so either can confirm the other.
"""
