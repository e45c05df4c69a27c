"""Work that runs apart or continues later: child processes, solvers in threads, queues, stores.

What belongs here knows no engine: it runs a function, watches limits and interrupts, saves what is
done, and cleans up.
"""
