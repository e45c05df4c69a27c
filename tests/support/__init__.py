"""Helpers that run, fake and inspect things for the tests."""
