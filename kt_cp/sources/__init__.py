"""The five source programs, each as its document runs and shows it.

What belongs here follows a document, with what had to be set right told at the top of the file.
Everything else in the package is free of their ways of counting.
"""
