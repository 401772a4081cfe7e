"""A small Llama model that ships with the library, for tests and demos without a download."""

from pathlib import Path

PATH: Path = Path(__file__).parent
