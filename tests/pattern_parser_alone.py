"""The pattern parser beside `re.fullmatch`, under any Python from 3.11 on, with nothing but the standard library.

`python tests/pattern_parser_alone.py` prints how many checks it made, or the checks that fail, and then exits with 1.
`test_regex.py` runs it under every Python that it finds. It needs no pytest, and neither numpy, torch nor numba.
"""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.language.nodes import EMPTY, VOID, Alt, Cat, Class, Lazy, Node, Repeat
from outlines_cont.fsm.patterns.characters import utf8
from outlines_cont.fsm.patterns.parser import parse

ALPHABET = "abAB01_-. \nß\u017fKk\u212aé\u03c3Σ語😀"
ATOMS = ["a", "b", "A", "k", "ß", "é", "語", "😀", ".", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\.", r"\n", "[ab]"]
ATOMS += ["^", "$", r"\b", r"\B", "(?=a)", "(?!b)", "(?<=[ab])", r"(?<!\w)"]
ATOMS += ["[^ab]", "[a-c0-9]", r"[\w-]", r"[^\d\s]", "[kß]", "[^k]", r"[\Wa]", "(?i:k)", "(?i:ß)", "(?s:.)", "(?a:\\w)"]
REPEATS = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,2}?"]
GROUPS = ["(?:", "(", "(?i:", "(?s:", "(?a:", "(?u:", "(?-i:", "(?u-i:", "(?P<x>"]
FLAGS = ["", "", "", "(?i)", "(?s)", "(?a)", "(?x)"]
REFUSED = [r"(a)\1", "(a)?(?(1)b|c)", "(?>a)b", "a*+", "(?<=a|ab)b", "(", "[b-a]", "a{3,2}", r"\q", "(?P<n>a)(?P<n>b)"]
SEARCHES = {  # JSON Schema's `pattern`: texts that have a match somewhere, and texts that have none
    "b": (["b", "abc", "\nb"], ["", "a"]),
    "^b|c$": (["ba", "ac"], ["ab", "ca", "c\n"]),
    r"^\d+$": (["0", "12"], ["", "1\n", "٣"]),
    r"\p{Lu}x": (["aÄx"], ["äx", "Ä"]),
    "^(?!ab).*$": (["", "ba", "a"], ["ab", "abc"]),
    "^(?=.*a)[ab]+$": (["a", "ba"], ["b", ""]),
}


def is_match(node: Node, text: list[int]) -> bool:
    return len(text) in ends(node, text, {0})


def ends(node: Node, text: list[int], starts: set[int]) -> set[int]:
    """Where the matches of a node end that begin at any of `starts`."""
    if node is EMPTY or node is VOID or not starts:
        return starts if node is EMPTY else set()
    if isinstance(node, Class):
        return {i + 1 for i in starts if i < len(text) and any(low <= text[i] <= high for low, high in node.ranges)}
    if isinstance(node, Cat):
        return ends(node.rest, text, ends(node.first, text, starts))
    if isinstance(node, Alt):
        return set().union(*(ends(option, text, starts) for option in node.options))
    if isinstance(node, Repeat):
        return ends_of_repeat(node, text, starts)
    assert isinstance(node, Lazy), node
    after = [ends(tail, text, ends(label, text, starts)) for label, tail in node.edges]
    return set().union(starts if node.nullable else set(), *after)


def ends_of_repeat(node: Repeat, text: list[int], starts: set[int]) -> set[int]:
    reached = set(starts) if node.low == 0 else set()
    rounds = 0
    while starts and (node.high is None or rounds < node.high):
        starts, rounds = ends(node.body, text, starts), rounds + 1
        if rounds >= node.low:
            if starts <= reached:
                break
            reached |= starts
    return reached


def random_pattern(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.3:
        return random.choice(ATOMS) + random.choice(REPEATS)
    parts = [random_pattern(random, depth - 1) for _ in range(random.randint(1, 3))]
    kind = random.randrange(3)
    if kind == 0:
        return "".join(parts)
    if kind == 1:
        return "(?:" + "|".join(parts) + ")" + random.choice(REPEATS)
    return random.choice(GROUPS) + "".join(parts) + ")" + random.choice(REPEATS)


def is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:  # two groups of one name
        return False
    return True


def checks() -> tuple[int, list[str]]:
    """The number of checks made, and those that failed."""
    random, failures, count = Random(7), [], 0

    def check(holds: bool, *what: object) -> None:
        nonlocal count
        count += 1
        if not holds:
            failures.append(" ".join(map(repr, what)))

    patterns: list[str] = []
    while len(patterns) < 400:
        pattern = random.choice(FLAGS) + random.choice(["", "^", r"\A"]) + "(?:" + random_pattern(random, 2) + ")"
        pattern += random.choice(["", "$", r"\Z"])
        if is_pattern(pattern):
            patterns.append(pattern)
    for pattern in patterns:
        characters, spelled = parse(pattern), utf8(parse(pattern))
        for _ in range(12):
            text = "".join(random.choices(ALPHABET, k=random.randint(0, 5)))
            expected = re.fullmatch(pattern, text) is not None
            check(is_match(characters, [*map(ord, text)]) is expected, pattern, text)
            check(is_match(spelled, [*text.encode()]) is expected, pattern, text, "as UTF-8")
    for pattern in REFUSED:
        try:
            parse(pattern)
        except ConstraintError as error:
            check(repr(pattern) in str(error), pattern, str(error))
        else:
            check(False, pattern, "was not refused")
    for pattern, (good, bad) in SEARCHES.items():
        node = parse(pattern, search=True)
        for text in (*good, *bad):
            check(is_match(node, [*map(ord, text)]) is (text in good), pattern, text, "searched")
    loaded = [name for name in ("numpy", "torch", "numba", "lark") if name in sys.modules]
    check(not loaded, "modules that the parser does not need were imported", loaded)
    return count, failures


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        count, failures = checks()
    print(*failures[:20], sep="\n", end="\n" * bool(failures))
    print(f"Python {sys.version.split()[0]}: {count} checks, {len(failures)} failed")
    sys.exit(bool(failures))
