"""Constraints as pictures."""
