"""Transformers models: how their forwards compute a pass, and how their keys and values are kept."""
