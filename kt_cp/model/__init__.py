"""The values that every other folder uses: problems, tours, outcomes.

Boards, graphs, problems, tours, outcomes and limits live here, with their words and their JSON.
Nothing here searches, judges, prints or draws, and nothing here imports another folder.
"""
