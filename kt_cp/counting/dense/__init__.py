"""Tours of a knight on narrow boards, counted in one dense array over the states of two rows.

Read the files in this order: states of a boundary as places of one array (``matchings``); the
array, with edges and ends as steps in place (``state_array``); a problem as two halves, and the
order of their steps (``halves``); two halves that meet (``meeting``); a count, exact or modulo
primes (``half_sweep``); the same in groups of keys, in a store (``on_disk``); the method, and the
memory that it needs (``dense``).  Tours by their numbers: the half tours of a state
(``half_tour_ranking``), and pairs of states (``tour_ranking``).  Nothing here knows other methods.
"""
