"""What runs in a process of its own; ``python -m benchmarks.jobs KIND ARGUMENTS`` prints JSON."""
