"""Tours built from tiles instead of searched for: any size, and any place by arithmetic."""
