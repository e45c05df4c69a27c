"""Count, number and sample the tours of a problem, mostly without listing them.

The contract of a method is in :mod:`.method`.  Each method is a file here or a folder below; it
imports the contract and no other method.
"""
