"""To come."""


def tight(problem, should_stop):
    return None
