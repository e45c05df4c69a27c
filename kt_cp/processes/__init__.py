"""What runs apart from the caller: child processes that can be ended, and solvers in threads.

What belongs here knows no problem and no engine: it runs a function, watches limits and interrupts,
and cleans up.
"""
