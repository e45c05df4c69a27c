"""Proofs made shorter: the lemmas that the empty clause needs, each with its hints."""
