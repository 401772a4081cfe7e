"""A small Llama that ships with the library, for tests and demos without a download.

It reads short stories about invented people and places, and answers questions about them: 583 of 600 held-out ones
about one person or place, greedily under a constraint. `README.md` beside it has the rest, and how it was made.
"""

from pathlib import Path

PATH: Path = Path(__file__).parent
