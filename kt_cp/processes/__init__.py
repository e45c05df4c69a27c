"""Work that runs apart or continues later: child processes, solvers in threads, queues, stores.

These modules do not depend on any engine: they run a function, enforce limits, handle interrupts,
save results, and clean up.
"""
