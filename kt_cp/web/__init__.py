"""The page: a server on this machine for one browser, and the board as a notebook's widget.

What belongs here turns requests into questions and answers into events.  What is asked and answered
is that of the other folders, in their words; nothing is searched in the server's own process.

``app``
    Which address gives what.
``guard``
    What is refused before anything is read: other hosts, other pages, long bodies.
``jobs``, ``pages``
    Searches in child processes that are started ahead, and the streams that tell of them.
``asks``
    What each kind of question runs, in the child.
``static/``
    The page itself, as the browser runs it: nothing is built, and nothing comes from elsewhere.
"""
