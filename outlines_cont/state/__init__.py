"""The value: rows, spans, the algebra of states, files, captures, random keys and particles."""
