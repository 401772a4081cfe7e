"""States as files and bytes: `records.py` says what is written of a row, `files.py` how, `states.py` reads it again."""
