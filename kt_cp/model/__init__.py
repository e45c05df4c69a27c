"""The values that every other folder uses: problems, tours, outcomes.

This folder defines boards, graphs, problems, tours, outcomes and limits, with their text and JSON
forms.  It does not search, judge, print or draw, and it imports no other folder.
"""
