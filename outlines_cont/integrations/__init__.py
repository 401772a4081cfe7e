"""Doors into the loops and jobs of other libraries: one module for each, imported when it is asked for."""
