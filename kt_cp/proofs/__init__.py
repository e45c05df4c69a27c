"""Evidence that no tour exists: finding it, writing it, and checking it."""
