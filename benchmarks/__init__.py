"""Measurements behind the figures in the documentation; ``python -m benchmarks`` runs them all.

Each file declares measurements on one topic; ``runner.py`` runs them by :mod:`kt_cp.compare`.
"""
