"""Evidence that there is no tour, or no other: how it is found, and made into certificates.

These modules search, and nothing believes them: what they find is a certificate only when the
checker (``kt_cp/trust/check/``) has accepted it.
"""
