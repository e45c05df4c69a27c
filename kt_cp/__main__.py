"""``python -m kt_cp`` is ``kt-cp``."""

from kt_cp.cli import main

if __name__ == "__main__":
    main()
