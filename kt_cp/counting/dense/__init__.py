"""Tours of a knight on narrow boards, counted in one dense array over the states of two rows.

One technique a file, in the order in which they are read: patterns of degrees and their places in
the array (``patterns``); matchings by their ranks (``matchings``); an edge as a step in place
(``edge``); the ends of open tours (``ends``); digits that change (``turn``); the order of the steps
(``order``); what is taken out of an array (``blocks``); an array (``states``), and several that are
swept (``sweep``); two halves of a board that meet (``partners``, ``cycles``, ``meet``); numbers
that are too large (``residues``); problems that are taken (``question``); one count (``work``) and
the method (``dense``).  The same in pieces: steps in phases, and an array by keys (``phases``); one
group of them (``keyed``); all of them, in a store (``disk``).  Tours by their numbers come after
that: what is kept of arrays (``layer``), states followed one by one (``rows``, ``back``), the ways
to a state (``ways``), pairs of states (``pairs``, ``choice``), and all together (``numbers``).
Nothing here knows of other methods.
"""
