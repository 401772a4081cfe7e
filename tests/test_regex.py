"""Patterns mean what `re.fullmatch` means, exactly, or are refused by name and place."""

import re
import shutil
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace

import interegular
import numpy as np
import pytest
from cases import nightly
from counts import counted
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.language.intersection import intersection
from outlines_cont.fsm.language.lengths import at_least, at_most
from outlines_cont.fsm.language.narrowed import difference
from outlines_cont.fsm.language.nodes import VOID, Repeat, chars, union
from outlines_cont.fsm.language.terms import longest, restrict, shortest
from outlines_cont.fsm.patterns import standard_parser
from outlines_cont.fsm.patterns.characters import utf8, utf8_class
from outlines_cont.fsm.patterns.parser import PatternReader, parse

EVERYTHING = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)
SIGMA = "abAB01_-. \nß\u017fKk\u212aéÉµΣς\u03c3İi\u0131ǆǅ\u0663\u2003語😀"


def accepts(node, data: bytes) -> bool:
    if node is VOID:
        return False
    machine = Automaton(node)
    state = machine.run(machine.initial, data)
    return state >= 0 and machine.accepting(state)


def matches(pattern: str, text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.fullmatch(pattern, text) is not None


letters = st.sampled_from(SIGMA)
atoms = st.one_of(
    letters.map(re.escape),
    st.just("."),
    st.sampled_from([r"\w", r"\W", r"\d", r"\D", r"\s", r"\S"]),
    st.tuples(
        st.sampled_from(["", "^"]),
        st.lists(
            st.one_of(
                letters.map(re.escape),
                st.tuples(letters, letters).map(lambda p: "-".join(re.escape(c) for c in sorted(p))),
                st.sampled_from([r"\w", r"\W", r"\d", r"\s", "a-z", "]"][:5]),
            ),
            min_size=1,
            max_size=4,
        ),
    ).map(lambda p: f"[{p[0]}{''.join(p[1])}]"),
)
quantifiers = st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,2}?"])
flag_groups = st.sampled_from(
    ["(?:", "(", "(?i:", "(?s:", "(?a:", "(?u:", "(?m:", "(?is:", "(?ai:", "(?ui:", "(?-i:", "(?u-is:", "(?a-m:"]
)


def grow(inner):
    return st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda xs: "(?:" + "|".join(xs) + ")"),
        st.tuples(flag_groups, inner).map(lambda p: p[0] + p[1] + ")"),
        st.tuples(flag_groups, inner, quantifiers).map(lambda p: p[0] + p[1] + ")" + p[2]),
    )


regexes = st.tuples(
    st.sampled_from(["", "", "(?i)", "(?s)", "(?a)", "(?x)"]),
    st.sampled_from(["", "^", r"\A"]),
    st.recursive(atoms, grow, max_leaves=7),
    st.sampled_from(["", "$", r"\Z"]),
).map(lambda parts: parts[0] + parts[1] + "(?:" + parts[2] + ")" + parts[3])

#: The flags of a group: those that it adds, one alphabet at most, and those that it removes.
scopes = st.tuples(
    st.lists(st.sampled_from("imsx"), max_size=8), st.sampled_from(["", "a", "u"]), st.integers(0, 4)
).map(lambda p: _scope(list(dict.fromkeys(p[0])), *p[1:]))


def _scope(flags: list[str], alphabet: str, added: int) -> str:
    removed = "".join(flags[added:])
    return "".join(flags[:added]) + alphabet + (f"-{removed}" if removed else "")


scoped = st.recursive(
    atoms | st.sampled_from(["#\n", "[ #]", r"[^\W\d]"]),
    lambda inner: st.one_of(
        st.tuples(scopes, inner).map(lambda p: f"(?{p[0]}:{p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
    ),
    max_leaves=4,
)


texts_of = st.text(SIGMA, max_size=5)


@settings(max_examples=400, deadline=None)
@given(pattern=regexes, texts=st.lists(texts_of, min_size=8, max_size=8), seed=st.integers(0, 2**32))
def test_a_pattern_means_what_fullmatch_means(pattern, texts, seed):
    node = utf8(parse(pattern))
    texts = [*texts, *(text for text in (sample(node, Random(seed)), sample(node, Random(~seed))) if text is not None)]
    for text in texts:
        assert accepts(node, text.encode()) == matches(pattern, text), (pattern, text)


@settings(max_examples=300, deadline=None)
@example(pattern=r"(?a:(?u:\w))", flags="")
@example(pattern=r"(?u:\w)", flags="(?a)")
@example(pattern="(?ia:(?u:k))", flags="")
@given(pattern=scoped, flags=st.sampled_from(["", "(?a)", "(?u)", "(?i)", "(?ai)", "(?s)", "(?x)"]))
def test_a_group_has_the_flags_that_fullmatch_gives_it(pattern, flags):
    node = utf8(parse(flags + pattern))
    for text in (*SIGMA, "", "#\n"):
        assert accepts(node, text.encode()) == matches(flags + pattern, text), (flags + pattern, text)


def row(machine: Automaton, state: int) -> np.ndarray:
    """The next state for each byte, negative where there is none. int [256]"""
    return np.array([machine.step(state, byte) for byte in range(256)])


def sample(node, random, length: int = 30) -> str | None:
    """A string of the language: a random walk."""
    if node is VOID:
        return None
    machine = Automaton(node)
    state, data = machine.initial, bytearray()
    while not machine.accepting(state) or (random.random() < 0.7 and (row(machine, state) >= 0).any()):
        if len(data) > length:
            return None
        data.append(random.choice((row(machine, state) >= 0).nonzero()[0].tolist()))
        state = machine.step(state, data[-1])
    return data.decode()


@settings(max_examples=300, deadline=None)
@given(one=regexes, two=regexes, texts=st.lists(texts_of, min_size=6, max_size=6), count=st.integers(0, 4))
def test_operations_on_languages(one, two, texts, count):
    first, second = parse(one), parse(two)
    letters = {byte for c in "abß" for byte in c.encode()}
    both, narrow = intersection([first, second]), restrict(utf8(first), letters)
    short = at_most(first, count) if first is not VOID else VOID
    long = at_least(first, count) if first is not VOID else VOID
    for text in texts:
        inside, data = matches(one, text), text.encode()
        assert accepts(utf8(both), data) == (inside and matches(two, text))
        assert accepts(narrow, data) == (inside and letters.issuperset(data))
        assert accepts(utf8(short), data) == (inside and len(text) <= count)
        assert accepts(utf8(long), data) == (inside and len(text) >= count)
        if inside:
            assert shortest(first) <= len(text) <= (longest(first) or 99)


few = st.recursive(
    st.sampled_from(["a", "b", "c", "[ab]", "[^a]", "."]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda p: f"(?:{p[0]}){p[1]}"),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
    ),
    max_leaves=5,
)
STRINGS = ["".join(letters) for n in range(5) for letters in product("abc", repeat=n)]


@settings(max_examples=200, deadline=None)
@given(pattern=few, texts=st.lists(st.text("abc", max_size=3), max_size=8), letters=st.sets(st.sampled_from("abc")))
@example(pattern="[ab]?", texts=["", "a"], letters={"a"})  # what is left is not spelled
def test_a_language_but_for_some_texts(pattern, texts, letters):
    """Spelled in UTF-8, at once or later, and with some letters only: nothing leads to a dead end."""
    language, allowed = parse(pattern), set("".join(letters).encode())
    node, later = difference(language, texts, utf8_class), utf8(difference(language, texts, chars))
    some = restrict(node, allowed)
    for text in STRINGS:
        inside = matches(pattern, text) and text not in texts
        assert accepts(node, text.encode()) == accepts(later, text.encode()) == inside
        assert accepts(some, text.encode()) == (inside and letters.issuperset(text))
    for seed in range(5):
        walked = sample(some, Random(seed))  # which fails at a dead end
        assert walked is None or (matches(pattern, walked) and walked not in texts)


@settings(max_examples=200, deadline=None)
@given(yes=st.lists(few, max_size=3), no=st.lists(few, max_size=3), search=st.booleans())
@example(yes=["[abc]*"], no=["a[ab]*"], search=False)  # behind an a, what is refused goes on with some letters only
def test_what_all_of_some_have_and_none_of_others(yes, no, search):
    node = utf8(intersection([parse(p, search) for p in yes], [parse(p, search) for p in no]))
    machine, found = None if node is VOID else Automaton(node), re.search if search else re.fullmatch
    for text in STRINGS:
        state = machine.run(machine.initial, text.encode()) if machine else -1
        wanted = all(found(p, text) for p in yes) and not any(found(p, text) for p in no)
        assert (machine is not None and state >= 0 and machine.accepting(state)) is wanted, text


@settings(max_examples=300, deadline=None)
@given(
    ranges=st.lists(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 0x10FFFF)).map(sorted), max_size=3),
    edges=st.lists(
        st.sampled_from([0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]), max_size=2
    ),
    probes=st.lists(st.characters(exclude_categories=["Cs"]), min_size=10, max_size=10),
)
def test_classes_are_spelled_in_utf8_and_nothing_else(ranges, edges, probes):
    merged = union(*(((low, high),) for low, high in ranges), *(((edge, edge),) for edge in edges))
    node = utf8_class(merged)
    near = {c + d for low, high in merged for c in (low, high) for d in (-1, 0, 1)}
    for c in {*map(ord, probes), *near}:
        if 0 <= c <= 0x10FFFF and not 0xD800 <= c <= 0xDFFF:
            assert accepts(node, chr(c).encode()) == any(low <= c <= high for low, high in merged)
    for data in (b"", b"\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff", b"\xc3"):
        assert not accepts(node, data)


@pytest.mark.parametrize(
    "source",
    [
        r"[k]",
        "[\\w\u017f]",
        "[^\u017f-μ]",
        r"\W",
        "ß",
        "[A-Z]",
        "[\u0370-\u03ff]",
        "İ",
        "[^i]",
        "[\U00010400-\U00010410]",
    ],
)
@pytest.mark.parametrize("flags", ["(?i)", "(?ai)", ""])
def test_every_single_character_is_in_its_class_or_not(source, flags):
    inside = {c for low, high in parse(flags + source).ranges for c in range(low, high + 1)}
    assert inside == set(map(ord, re.findall(flags + source, EVERYTHING)))


ascii_atoms = st.sampled_from(["a", "b", "c", "0", "-", "_", "[ab]", "[^b]", "[a-c]", "."])
plain = st.recursive(
    ascii_atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda xs: f"({'|'.join(xs)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}"])).map(lambda p: f"({p[0]}){p[1]}"),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(pattern=plain, texts=st.lists(st.text("abc0-_\n", max_size=5), min_size=8, max_size=8))
def test_interegular_says_the_same(pattern, texts):
    theirs, ours = interegular.parse_pattern(pattern).to_fsm(), utf8(parse(pattern))
    for text in texts:
        assert accepts(ours, text.encode()) == theirs.accepts(text)


def test_where_interegular_differs_from_re():
    for pattern, text in [(r"\w+", "é"), (r"\d", "٣"), (r"\s", "\u2003"), ("[]a]", "]"), ("[^]a]", "b")]:
        assert matches(pattern, text) and accepts(utf8(parse(pattern)), text.encode())


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"a(?<=b|bc)", "is not a regular expression (look-behind requires fixed-width pattern)"),
        (r"(a)\1", "uses a backreference, which is not supported, at position 3: '\\\\1'"),
        (r"(?P<x>a)(?P=x)", "uses a backreference, which is not supported, at position 8: '(?P=x)'"),
        (r"(a)?(?(1)b|c)", "uses a conditional group, which is not supported, at position 4"),
        (r"a++", "uses a possessive quantifier, which is not supported, at position 1"),
        (r"a{2}+", "uses a possessive quantifier, which is not supported, at position 3"),
        (r"(?>a|ab)c", "uses an atomic group, which is not supported, at position 0"),
        (r"(a", "is not a regular expression (missing ), unterminated subpattern), at position 0: '(a'"),
        (r"\p{L}", "is not a regular expression (bad escape \\p), at position 0"),
        (r"a{2,1}", "is not a regular expression (min repeat greater than max repeat), at position 2"),
        ("(?x) a # (?> \n (?>b)b", "uses an atomic group, which is not supported, at position 15"),
        ("".join(f"(?<=a{{{n}}})" for n in range(2, 403)), "has over 400 different assertions"),
        nightly(
            "".join(f"(?:(?={c})*)*" for c in "abcdefghijklmnopqrst"),
            "the conditions on one value, taken together, need over 8000000 steps",
        ),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(pattern, message):
    with pytest.raises(ConstraintError) as error:
        parse(pattern)
    assert message in str(error.value)


asserting = st.recursive(
    st.sampled_from(["a", "b", "_", "-", r"\n", ".", "[ab]", r"\w", "é", "^", "$", r"\b", r"\B", r"\A", r"\Z"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda p: f"(?:{p[0]}){p[1]}"),
        st.tuples(st.sampled_from(["(?=", "(?!", "(?<=", "(?<!", "(?m:", "(?a:"]), inner).map(
            lambda p: "".join(p) + ")"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@example(pattern=r"(a$|b)\n", texts=["a\n", "b\n", "a", "\n"])  # Python's `$` holds before a newline at the end
@example(pattern=r"(?:(?!-)[a-])+-?", texts=["a-", "-", "a", "aa-"])
@example(pattern=r"\B", texts=["", "a", "-", "aa"])
@example(pattern=r"(?=.*\bb\b)[ab-]+", texts=["a-b", "ab", "b", "-"])
@given(pattern=asserting, texts=st.lists(st.text("ab_-\né", max_size=4), min_size=8, max_size=8))
def test_assertions_hold_where_re_says_so(pattern, texts):
    try:
        re.compile(pattern)
    except re.error:  # the width of a lookbehind
        with pytest.raises(ConstraintError, match="not a regular expression"):
            parse(pattern)
        return
    node = utf8(parse(pattern))
    for text in texts:
        assert accepts(node, text.encode()) == matches(pattern, text), (pattern, text)


@settings(max_examples=300, deadline=None)
@example(pattern="^a|b$|^$", texts=["ab", "ba", "", "bab"])
@example(pattern="(^|,)b(,|$)", texts=["b", "a,b", "bb", ",b,"])
@given(pattern=asserting, texts=st.lists(st.text("ab_-,é", max_size=4), min_size=8, max_size=8))
def test_a_search_matches_anywhere_between_its_anchors(pattern, texts):
    assume(not re.search(r"\\[AZB]|\(\?<", pattern))  # what ECMA-262 lacks, or reads in another way
    node = utf8(parse(pattern, search=True))
    for text in texts:  # (`$` is the very end for ECMA-262; without line ends it is for Python, too)
        assert accepts(node, text.encode()) == (re.search(pattern, text, re.ASCII) is not None), (pattern, text)


def test_the_dialect_of_json_schema():
    def found(pattern: str, text: str) -> bool:
        return accepts(utf8(parse(pattern, search=True)), text.encode())

    assert found(r"^\d$", "7") and not found(r"^\d$", "٣") and not found(r"^\w$", "é") and found(r"^\W$", "é")
    assert found(r"^\s$", "\ufeff") and not found(r"^\s$", "\x1c") and found(r"^[^\S]$", "\u2003")
    assert not any(found("^.$", c) for c in "\n\r\u2028\u2029") and found("^.$", "\x85")
    assert not found("^a$", "a\n") and not found(r"a$\n", "a\n") and found(r"^\B$", "") and found(r"é\b", "éa")
    assert found("(?<=^|ab)c", "c") and found("(?<=^|ab)c", "abc") and not found("(?<=^|ab)c", "bc")
    for pattern in (r"a\Z", "a{,2}"):
        with pytest.raises(ConstraintError, match="is read differently by Python and by ECMA-262, at position"):
            parse(pattern, search=True)
    assert found("^[^]$", "\n") and not found("^[]a]$", "a]") and found("^[{,2}]$", "{") and found(r"^\{,2}$", "{,2}")


# ------------------------------------------------------------------------------- the standard library's private parser


def starts(python: str) -> bool:
    """Whether an interpreter is more than a name on PATH."""
    try:
        return subprocess.run([python, "-c", "import re._parser"], capture_output=True, timeout=60).returncode == 0
    except OSError:
        return False


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_parser_needs_only_the_standard_library_of_any_python(version):
    """Without site-packages, so that neither numpy nor torch nor numba can be imported."""
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    python = sys.executable if version == running else shutil.which(f"python{version}")
    if python is None or not starts(python):
        pytest.skip(f"no python{version} that starts is on PATH")
    script = Path(__file__).parent / "pattern_parser_alone.py"
    run = subprocess.run([python, "-S", str(script)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Python {version}." in run.stdout and "checks, 0 failed" in run.stdout


class Fake(int):
    """An operation as `re._constants` has them: an int with a name."""

    name: str

    @classmethod
    def named(cls, name: str) -> "Fake":
        fake = cls(999)
        fake.name = name
        return fake


@pytest.mark.parametrize("name", ["BRANCH", "GROUPREF", "NEGATE", "CATEGORY_WORD", "AT_BOUNDARY", "MAXREPEAT"])
def test_an_operation_that_python_lacks_is_named_at_import(name):
    constants = SimpleNamespace(**{key: x for key, x in vars(standard_parser.sre).items() if key != name})
    with pytest.raises(ImportError, match=rf"Python {sys.version_info.major}\.\d.*{name}$"):
        standard_parser.check(constants)


def test_a_pattern_that_python_parses_to_something_else_is_named_at_import():
    def parsed(pattern, flags):
        return re_parser.parse("b" if pattern == "." else pattern, flags)

    re_parser = standard_parser._parser
    with pytest.raises(ImportError, match=r"Python 3\.\d.* reads '\.' as \(LITERAL 98\)"):
        standard_parser.check(parser=SimpleNamespace(parse=parsed))
    with pytest.raises(ImportError, match=r"Python 3\.\d.* fails for 'a' .*state"):
        standard_parser.check(parser=SimpleNamespace(parse=lambda pattern, flags: [(Fake.named("LITERAL"), 97)]))


def test_an_operation_that_only_a_newer_python_knows_is_refused_where_a_pattern_uses_it():
    reader, new = PatternReader("a~b", False), Fake.named("COMPLEMENT")
    for read in (
        lambda: reader.item(new, None, 0),
        lambda: reader.item(standard_parser.sre.AT, new, 0),
        lambda: reader.item(standard_parser.sre.IN, [(new, 97)], 0),
        lambda: reader.item(standard_parser.sre.IN, [(standard_parser.sre.CATEGORY, new)], 0),
    ):
        with pytest.raises(ConstraintError, match=r"'a~b' uses COMPLEMENT.* Python 3\.\d"):
            read()
    with pytest.raises(ConstraintError, match=r"a flag of Python 3\.\d.*0x10000"):
        reader.item(standard_parser.sre.SUBPATTERN, (None, 1 << 16, 0, []), 0)


def test_equal_assertions_are_resolved_once():
    """One of a kind costs as much as a thousand, but for reading them."""

    def products(pattern):
        node, calls = counted(lambda: parse(pattern))
        return node, calls.python["outlines_cont/fsm/language/intersection.py", "_Product.language"]

    many, one = "(?=a|b)(?!ab)" * 500 + "[ab]{2}", "(?=a|b)(?!ab)[ab]{2}"
    (several, of_many), (single, of_one) = products(many), products(one)
    assert 0 < of_one == of_many
    for text in ("aa", "ab", "ba", "bb", "ca", "a"):
        assert accepts(several, text.encode()) == accepts(single, text.encode()) == bool(re.fullmatch(one, text)), text


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "[ab]", "(?:ab|b)", "(?:a?)", "(?=a)", "(?:^a)"]),
            st.sampled_from(["", "?", "*", "+", "{2}", "{1,2}", "??", "{2,}"]),
        ),
        min_size=2,
        max_size=5,
    )
)
def test_repeats_beside_each_other(pieces):
    """They are joined where they repeat the same: against `re`, on all texts of up to five letters."""
    pattern = "".join(map("".join, pieces))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = re.compile(pattern)
    node = parse(pattern)
    for n in range(6):
        for letters in product("abc" if n < 4 else "ab", repeat=n):
            text = "".join(letters)
            assert accepts(node, text.encode()) == bool(expected.fullmatch(text)), (pattern, text)


def test_a_thousand_optional_characters_are_one_counter():
    """A text is in few places of them, not in each from which it could have come."""
    node = parse("(?:[ab])?" * 1000 + "[ab]" * 1000)
    assert isinstance(node, Repeat) and (node.low, node.high) == (1000, 2000)
    assert parse(f"a{{{2**32 - 2}}}a?a*") is not VOID
