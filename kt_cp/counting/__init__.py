"""The number of tours of a problem, mostly without listing them, and tours by their numbers.

What belongs here counts, numbers and samples tours.  The contract of a method is in :mod:`.method`;
each method is a file here or a folder below, which imports the contract and nothing else of these.
"""
