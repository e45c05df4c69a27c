"""Problems for solvers of others, and their answers: what goes out as a file and comes back."""
