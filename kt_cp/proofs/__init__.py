"""Search for evidence that no tour exists, or no other, and make it into certificates.

These modules are not trusted: their results become certificates only when the checker
(``kt_cp/trust/check/``) has accepted them.
"""
