"""The five source programs, each as its document runs and shows it.

Each file follows its document; its first lines list the corrections.  No other part of the package
counts ranks and files like them.
"""
