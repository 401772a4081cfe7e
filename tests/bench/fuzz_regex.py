"""Random patterns and strings: our automata against `re.fullmatch`, for as long as one likes.

`python tests/bench/fuzz_regex.py [pairs] [seed]`, from a checkout. The same strategies as `tests/test_regex.py`, which
runs a few thousand pairs; half of the strings are drawn from our own automaton, so that about half of them match.
An error with the smallest case found, where they disagree.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from test_regex import matches, regexes, sample, texts_of

from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.language.nodes import VOID
from outlines_cont.fsm.patterns.parser import parse
from outlines_cont.fsm.patterns.utf8 import utf8

EACH = 5  # strings of each kind for a pattern
ROUND = 500  # patterns of one seed


def compared(number: int) -> tuple[int, int]:
    """How many pairs were asked, and how many of them match."""
    asked = matched = 0

    @seed(number)
    @settings(max_examples=ROUND, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pattern=regexes, texts=st.lists(texts_of, min_size=EACH, max_size=EACH), drawn=st.integers(0, 2**32))
    def compare(pattern: str, texts: list[str], drawn: int) -> None:
        nonlocal asked, matched
        node, random = utf8(parse(pattern)), Random(drawn)
        machine = None if node is VOID else Automaton(node)
        for text in [*texts, *(text for _ in range(EACH) if (text := sample(node, random)) is not None)]:
            state = -1 if machine is None else machine.run(machine.initial, text.encode())
            ours = machine is not None and state >= 0 and machine.accepting(state)
            assert ours == matches(pattern, text), (pattern, text, ours)
            asked, matched = asked + 1, matched + ours

    compare()
    return asked, matched


def main(pairs: int = 50_000, number: int = 0) -> None:
    asked = matched = rounds = 0
    start = time.perf_counter()
    while asked < pairs:
        more, matching = compared(number + rounds)
        asked, matched, rounds = asked + more, matched + matching, rounds + 1
    print(f"{rounds * ROUND:,} patterns from seed {number} on, {asked:,} pairs, {matched:,} of them matches:")
    print(f"all as `re.fullmatch` says; {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
