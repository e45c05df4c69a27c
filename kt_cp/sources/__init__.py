"""The five source programs, each as its document runs and shows it.

Each file follows its document; its first lines list the corrections.  Nothing else in the package
uses their ways of counting.
"""
