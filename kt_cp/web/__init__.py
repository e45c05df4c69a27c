"""The page: a server on this machine for one browser, and the board as a notebook's widget.

Code that turns requests into questions, and answers into events, belongs here.  The other folders
answer them; nothing is searched in the server's own process.

``app``
    The routes, and the server that listens.
``guard``
    Refuses requests of other hosts and other pages, and long bodies.
``request_schema``
    The values of a request, within bounds.
``jobs``
    Searches in child processes that are started ahead, and the event streams of pages.
``handlers``
    The function that answers each kind of question, in the child.
``static/``
    The page itself, as the browser runs it: nothing is built, and nothing is loaded from elsewhere.
"""
