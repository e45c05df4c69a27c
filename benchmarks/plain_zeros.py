"""The plainest way to fill a file: ``python plain_zeros.py FILE BYTES`` writes so many zeros."""

import sys

BLOCK = bytes(1 << 24)


def write_zeros(path: str, size: int) -> None:
    """Write blocks until there are enough."""
    with open(path, "wb") as file:
        for left in range(size, 0, -len(BLOCK)):
            file.write(BLOCK if left >= len(BLOCK) else BLOCK[:left])


if __name__ == "__main__":
    write_zeros(sys.argv[1], int(sys.argv[2]))
