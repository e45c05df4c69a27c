"""Tours of a knight on narrow boards, counted in one dense array over the states of two rows.

Read the files in this order: states of a boundary as places of one array (``matchings``); the
array, and edges and ends as steps in place (``array``); a problem as two halves and the order of
their steps (``halves``); one count of a half, exact or modulo primes (``sweep``); two halves that
meet (``meeting``); the method, and the memory that it needs (``dense``); the same in groups of
keys, in a store (``on_disk``).  Tours by their numbers: the ways to a state of a half
(``half_tour_ranking``), and pairs of states (``tour_ranking``).  Nothing here knows other methods.
"""
