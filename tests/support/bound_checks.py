"""Certificates of bounds, checked by both checkers."""

from kt_cp import Refusal, check
from kt_cp.verify import Invalid, verify


def leaves(tree):
    """Return the leaves of a tree of cases."""
    cases = [key for key in ("used", "unused", "visited", "skipped") if key in tree]
    return [leaf for case in cases for leaf in leaves(tree[case])] if cases else [tree]


def both_accept(document):
    """Return whether the two checkers accept a certificate; they must agree."""
    verdicts = []
    for judge, error in ((check, Refusal), (verify, Invalid)):
        try:
            judge(document)
            verdicts.append(True)
        except error:
            verdicts.append(False)
    assert verdicts[0] == verdicts[1], document["evidence"]
    return verdicts[0]
