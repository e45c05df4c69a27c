"""What is asked and what is answered: values that every other folder may read.

Boards, graphs, problems, tours, outcomes and limits live here, with their words and their JSON.
Nothing here searches, judges, prints or draws, and nothing here imports another folder.
"""
