"""Who says that an answer is right: the judge, the reference recursion, the certificate checker.

``judge`` holds tours against the rules, ``reference`` is the recursion of the source texts,
``check`` reads certificates, and ``crosscheck`` puts every answer before them.  What lies here
imports the model and nothing else; nothing that searches may live here.
"""
