"""Rows that take over keys and values of other texts: `rows.py` in an engine, `states.py` of states."""
