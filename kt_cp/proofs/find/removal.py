"""To come."""


def cut(problem, should_stop):
    return None


def removal(problem, should_stop, seconds):
    return None
