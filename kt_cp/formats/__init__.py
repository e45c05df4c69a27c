"""Read and write tours, outcomes, boards, graphs and formulas as text."""
