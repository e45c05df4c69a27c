"""The checks of every answer: the judge, the reference recursion and the certificate checker.

``judge`` checks tours against the rules, ``reference`` is the recursion of the source texts,
``check`` reads certificates, and ``crosscheck`` applies them to every answer.  This package imports
the model and nothing else.  No code that searches belongs here.
"""
