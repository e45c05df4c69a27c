"""Evidence that no tour exists: finding it, writing it, and a checker that searches nothing."""
