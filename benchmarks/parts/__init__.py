"""What is measured, a file a part: its cases as ladders, and its tables and targets."""
