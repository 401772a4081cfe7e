"""Grammars in GBNF: the language that enumeration finds, that of the same grammar for lark, errors with their place."""

from __future__ import annotations

import json
import re
import time
from itertools import product
from pathlib import Path
from random import Random

import pytest
from guides import check_guide
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import shipped_model

import outlines_cont as oc
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.automaton import MOST_FORCED
from outlines_cont.fsm.vocabulary import Vocabulary
from outlines_cont.state.constraint import Constraint

V = Vocabulary([b"<eos>", *(bytes([i]) for i in range(256)), b"ab", b"ba", "é".encode(), b"((", b'":'], eos=[0])


def gbnf(text: str) -> guide.AutomatonGuide:
    return guide.grammar(text, V, syntax="gbnf")


def accepts(g: guide.AutomatonGuide, text: str) -> bool:
    state = g.advance_all(g.initial, [1 + byte for byte in text.encode()])
    return state is not None and g.accepting(state)


# ---------------------------------------------------------------------------------------- random grammars, enumerated

# An expression is ("text", str), ("class", negated, ranges), ("any",), ("rule", name), ("all", expressions), one after
# the other, ("one", expressions), any of them, or ("times", expression, low, high).

LETTERS = "ab\né"
LENGTH = 4
TEXTS = ["".join(letters) for n in range(LENGTH + 1) for letters in product(LETTERS, repeat=n)]
NAMES = {"root": "start", "r-1": "r", "S": "s"}  # and what they are called in lark's syntax

ranges = st.lists(st.tuples(st.sampled_from("abé\n"), st.sampled_from("abz\u00ff")).map(sorted), min_size=1, max_size=2)
expressions = st.recursive(
    st.one_of(
        st.text("abé", max_size=2).map(lambda s: ("text", s)),
        st.tuples(st.just("class"), st.booleans(), ranges),
        st.just(("any",)),
        st.sampled_from(sorted(NAMES)).map(lambda name: ("rule", name)),
    ),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["all", "one"]), st.lists(inner, min_size=0, max_size=3)).map(
            lambda p: ("one", p[1] or [("all", [])]) if p[0] == "one" else p
        ),
        st.tuples(
            st.just("times"),
            inner,
            st.sampled_from([(0, 1), (0, None), (1, None), (2, 2), (1, 2), (0, 2), (2, None), (0, 0)]),
        ).map(lambda p: ("times", p[1], *p[2])),
    ),
    max_leaves=6,
)
grammars = st.fixed_dictionaries({name: expressions for name in NAMES})


def followed(first: set[str], second: set[str], most: int) -> set[str]:
    return {a + b for a in first for b in second if len(a) + len(b) <= most}


def language(x: tuple, rules: dict[str, set[str]], most: int) -> set[str]:
    """The texts of an expression, up to a length, if those of the rules are these."""
    match x:
        case ("text", text):
            return {text}
        case ("class", negated, listed):
            return {c for c in LETTERS if any(low <= c <= high for low, high in listed) != negated}
        case ("any",):
            return set(LETTERS)
        case ("rule", name):
            return rules[name]
        case ("all", parts):
            texts = {""}
            for part in parts:
                texts = followed(texts, language(part, rules, most), most)
            return texts
        case ("one", options):
            return set().union(*(language(option, rules, most) for option in options))
        case ("times", body, low, high):
            once, texts = language(body, rules, most), {""}
            for _ in range(low):
                texts = followed(texts, once, most)
            whole = set(texts)
            for _ in range(most if high is None else high - low):
                texts = followed(texts, once, most)
                whole |= texts
            return whole
    raise AssertionError(x)


def enumerated(grammar: dict[str, tuple], most: int = LENGTH) -> set[str]:
    rules: dict[str, set[str]] = {name: set() for name in grammar}
    while (new := {name: language(x, rules, most) for name, x in grammar.items()}) != rules:
        rules = new
    return rules["root"]


class Printer:
    """A grammar as somebody might write it in GBNF: spaces, comments, line breaks and escapes where they may be."""

    def __init__(self, random: Random):
        self.random = random

    def grammar(self, grammar: dict[str, tuple]) -> str:
        rules = [f"{name}{self.space()}::={self.lines()}{self.options(x, False)}" for name, x in grammar.items()]
        self.random.shuffle(rules)
        ends = [self.space() + self.random.choice(["\n", "\r\n", " # a | b\n", "\n\n# c ::=\n"]) for _ in rules]
        return self.lines() + "".join(rule + end for rule, end in zip(rules, ends, strict=True))

    def space(self) -> str:
        return self.random.choice(["", " ", "  ", "\t"])

    def lines(self) -> str:
        return self.random.choice(["", " ", "\n", " # (\n", "\r\n\t", '#\n # " #\n'])

    def options(self, x: tuple, nested: bool) -> str:
        """What may stand in parentheses, and does if it is `nested`."""
        if x[0] != "one":
            return self.sequence(x, nested)
        return f"{self.lines()}|{self.lines()}".join(self.sequence(option, nested) for option in x[1])

    def sequence(self, x: tuple, nested: bool) -> str:
        if x[0] != "all":
            return self.item(x)
        parts = [self.item(part) + (self.lines() if nested else self.space()) + " " for part in x[1]]
        return "".join(parts) or (
            "" if nested else '""'
        )  # a rule that ends with a bare ::= or | goes on in the next line

    def item(self, x: tuple) -> str:
        match x:
            case ("text", text):
                return f'"{"".join(map(self.character, text))}"'
            case ("class", negated, listed):
                return f"[{'^' * negated}{''.join(map(self.range, listed))}]"
            case ("any",):
                return "."
            case ("rule", name):
                return name
            case ("times", body, low, high):
                return self.item(body) + self.space() + self.counts(low, high)
        return f"({self.lines()}{self.options(x, True)}{self.lines()})"

    def range(self, listed: tuple[str, str]) -> str:
        low, high = map(self.character, listed)
        return low if low == high else f"{low}-{high}"

    def character(self, c: str) -> str:
        escapes = [rf"\x{ord(c):02x}", rf"\u{ord(c):04X}", rf"\U{ord(c):08x}"]
        return self.random.choice([c, *escapes, r"\n" if c == "\n" else c])

    def counts(self, low: int, high: int | None) -> str:
        _ = self.space()
        braces = [f"{{{_}{low}{_},{'' if high is None else high}{_}}}"]
        braces += [f"{{{_}{low}{_}}}"] * (low == high) + [f"{{,{_}{high}}}"] * (low == 0 and high is not None)
        signs = {(0, 1): ["?"], (0, None): ["*"], (1, None): ["+"]}
        return self.random.choice(braces + signs.get((low, high), []))


def escaped(low: str, high: str) -> str:
    return rf"\u{ord(low):04x}-\u{ord(high):04x}"


def as_lark(x: tuple) -> str:
    match x:
        case ("text", ""):
            return "(empty)"
        case ("text", text):
            return f'"{text}"'
        case ("class", negated, listed):
            return f"/[{'^' * negated}{''.join(escaped(*pair) for pair in listed)}]/"
        case ("any",):
            return r"/[\s\S]/"
        case ("rule", name):
            return NAMES[name]
        case ("all", parts):
            return f"({' '.join(map(as_lark, parts)) or 'empty'})"
        case ("one", options):
            return f"({' | '.join(map(as_lark, options))})"
        case ("times", body, low, None):
            return " ".join([f"({as_lark(body)})"] * low + [f"({as_lark(body)})*"])
        case ("times", body, low, high):
            return f"({as_lark(body)})~{low}..{high}" if high else "(empty)"
    raise AssertionError(x)


def guide_of(text: str, syntax: str) -> guide.AutomatonGuide | None:
    """The guide; None if it says that there is nothing to match."""
    try:
        return guide.grammar(text, V, syntax=syntax)
    except ConstraintError as error:
        assert "matches no string" in str(error), error
        return None


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammar=grammars, random=st.randoms(use_true_random=False))
def test_a_grammar_is_the_texts_that_enumeration_finds(grammar: dict[str, tuple], random: Random) -> None:
    expected, text = enumerated(grammar), Printer(random).grammar(grammar)
    g = guide_of(text, "gbnf")
    assert {s for s in TEXTS if g and accepts(g, s)} == expected, text


# Rules that begin or end with themselves, on both sides or in the middle, and with each other.

TERNARY = ["".join(letters) for n in range(7) for letters in product("abc", repeat=n)]
letters = st.sampled_from("abc").map(lambda c: ("text", c))
uses = st.sampled_from(sorted(NAMES)).map(lambda name: ("rule", name))
between = st.recursive(
    uses | letters,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["all", "one"]), st.lists(inner, min_size=1, max_size=3)),
        st.tuples(st.just("times"), inner, st.integers(0, 1), st.sampled_from([1, None])),
    ),
    max_leaves=3,
)


def ambiguous(name: str) -> st.SearchStrategy[tuple]:
    """A rule with some alternatives that it may be read in two ways by, and a letter."""
    own = st.just(("rule", name))
    shapes: list[list[st.SearchStrategy[tuple]]] = [[own, own], [own, between], [between, own], [between]]
    shapes += [[own, between, own], [own, between, own, between, own], [uses], [own, uses], [own, letters, uses]]
    joined = st.one_of(*(st.tuples(*shape).map(lambda parts: ("all", list(parts))) for shape in shapes))
    more = st.tuples(st.just("times"), joined, st.integers(0, 1), st.sampled_from([1, None]))
    option = joined | st.tuples(own, more).map(lambda parts: ("all", list(parts)))
    return st.tuples(st.lists(option, min_size=1, max_size=3), letters).map(lambda p: ("one", [*p[0], p[1]]))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    grammar=st.fixed_dictionaries({name: ambiguous(name) for name in NAMES}),
    random=st.randoms(use_true_random=False),
)
def test_a_rule_that_ends_with_itself_is_the_texts_that_enumeration_finds(
    grammar: dict[str, tuple], random: Random
) -> None:
    g = guide_of(text := Printer(random).grammar(grammar), "gbnf")
    try:
        assert g and {s for s in TERNARY if accepts(g, s)} == enumerated(grammar, 6), text
    except ConstraintError as error:  # some can be read in millions of ways
        assert "is it ambiguous" in str(error)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammar=grammars, random=st.randoms(use_true_random=False))
def test_a_grammar_is_the_same_in_larks_syntax(grammar: dict[str, tuple], random: Random) -> None:
    lark_text = "\n".join(f"{NAMES[name]}: {as_lark(x)}" for name, x in grammar.items()) + "\nempty:"
    ours, larks = guide_of(Printer(random).grammar(grammar), "gbnf"), guide_of(lark_text, "lark")
    assert (ours is None) == (larks is None)
    assert ours is None or larks is None or [accepts(ours, s) for s in TEXTS] == [accepts(larks, s) for s in TEXTS]


# ------------------------------------------------------------------------------------------------- written by hand

JSON = r"""
root      ::= gap any
any       ::= (text | numeral | members | elements | literal) gap
literal   ::= "true" | "false" | "null"
members   ::=
  "{" gap (
    member   # and more of them, each behind a comma
    (comma member)*
  )? "}"
member    ::= text gap ":" gap any
elements  ::= "[" gap (any (comma any)*)? "]"
comma     ::= "," gap
text      ::= [\"] (plain | [\\] (["\\/bfnrt] | "u" hex{4}))* [\"]
plain     ::= [\x20-!#-\[\]-\U0010ffff]
hex       ::= [0-9A-Fa-f]
numeral   ::= [-]? (
    "0" |
    [1-9] [0-9]{,15}
  ) ("." [0-9]{1,16})? ([Ee] [+-]? [0-9]{1,})?
gap       ::= [ \t\r\n]{0,20}
"""
JSON_ARRAY = JSON.replace("::= gap any\n", "::= gap elements gap\n")
ARITHMETIC = r"""
# equations, one in each line
root     ::= (sum "=" blank operand [\n]{1,2} blank)+
sum      ::= operand (sign blank operand)*
operand  ::= (variable | [0-9]+ | "(" blank sum ")") blank
variable ::= [a-z] [_0-9a-z]*
sign     ::= "+" | "-" | "*" | "/"
blank    ::= " "*
"""
C = r"""
root      ::= (kind " " name "(" (kind " " name ("," kind " " name)*)? ")" body "\n"?)*
kind      ::= "int" | "float" | "char"
name      ::= [A-Z_a-z] [0-9A-Z_a-z]*
body      ::= "{" (line | comment)* "}"
comment   ::= "//" [^\n]* "\n" | "/*" ([^*] | "*"+ [^*/])* "*"+ "/"
line      ::= ((kind " ")? name "=" value | "return " value) ";" |
              ("while" | "if") "(" value order value ")" body (
                # an `else` may follow a `while`, too
                "else" body
              )?
order     ::= [<>] "="? | [!=] "="
value     ::= part ([-+*/] part)*
part      ::= "-"* (name ("(" (value ("," value)*)? ")")? | [0-9]+ ("." [0-9]+)? | "(" value ")")
"""
CHESS = r"""
root  ::= (
    # the first turn, and the others

    "1" turn
    ([1-9] [0-9]? turn)+
)
turn  ::= ". " half " " half [\n]
half  ::= ("O-O" ("-O")? | [KQRBN] from? [x]? square | from "x" square crown? | square crown?) ("+" | "#")?
from  ::= [a-h] | [1-8] | square
square ::= [a-h] [1-8]
crown ::= "=" [QRBN]
"""
ENGLISH = r"""
root  ::= word (blank word)*
word  ::= [\x21-\x7e]{1,}
blank ::= " " | "\t" | "\n"
"""
JAPANESE = """
root ::= word ([ \\n\\t] word)*
word ::= (kana | kanji | [\\u3001-〾])+
kana ::= [ぁ-ゟァ-ヿ]
kanji ::= [\\U00004E00-鿿]
"""
LIST = r"""
# one line or several
root ::= ([-*] [ ] text end)+
text ::= [^\x0A-\x0D\x85\u2028-\u2029]+
end ::= "\n"
"""
PUBLISHED = {
    "json": (
        JSON,
        ["{}", "[ ]", '{"a": [1, -2.5e+3, "é\\u00e9\\n"], "b": {"c": null}}\n', "[[[[]]]]", ' "語"', "0"],
        ["{", "[1,]", '{"a" 1}', '"\n"', '"\\x"', "01", "[1] 2", '"\x1f"', " " * 21 + "0"],
    ),
    "json_arr": (JSON_ARRAY, ["[]", '[{"a": 1}, 2]', " [0 ]"], ["{}", "1", '"a"', "[}"]),
    "arithmetic": (
        ARITHMETIC,
        ["1=1\n", "(a1 + 2) * b_ = 7\n\nx=y\n", "((1))=1\n"],
        ["1", "1=1", "1+=1\n", "(1=1\n", "A=1\n", "1=1+1\n"],
    ),
    "c": (
        C,
        ["", "int f(){return 1;}", "float g(int a,char _b){while(a<=-2.5){a=g(a,1)*(a-1);}// x\nreturn a;}\n"]
        + ["int f(){if(a==b){/* x * y */}else{int c=d;}}char g(){}"],
        ["int f({}", "int f(){return;}", "long f(){}", "int f(){1=a;}", "int f(){/* }"],
    ),
    "chess": (
        CHESS,
        ["1. e4 e5\n2. Nf3 Nc6\n", "1. d4 d5\n2. exd5 O-O-O+\n10. a8=Q# Rh1xh8\n"],
        ["1. e4 e5\n", "2. e4 e5\n2. e4 e5\n", "1. e9 e5\n2. e4 e5\n", "1. e4 e5\n2. O-O-O-O e4\n"],
    ),
    "english": (ENGLISH, ["Hello", "I'm [\\] fine, thanks!", "a\nb\tc"], ["", " a", "naïve", "a  b", "a\r"]),
    "japanese": (JAPANESE, ["こんにちは。", "カタカナ 漢字", "一\n鿿"], ["", "hello", "こ a", "ꀀ"]),
    "list": (LIST, ["- one\n", "- 一\n- - \n"], ["- \n", "one\n", "- a", "- a\u2028\n", "- a\n\n", "-a\n"]),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_languages_of_the_published_examples(name: str) -> None:
    text, right, wrong = PUBLISHED[name]
    g = gbnf(text)
    assert [s for s in right if not accepts(g, s)] == [] and [s for s in wrong if accepts(g, s)] == []
    check_guide(g, right, walks=2, steps=12)


@settings(max_examples=100, deadline=None)
@given(value=st.recursive(st.none() | st.booleans() | st.integers(-999, 999) | st.text(max_size=4), st.lists))
def test_json(value: object) -> None:
    text = json.dumps(value)
    assert accepts(gbnf(JSON), text) and not accepts(gbnf(JSON), text + ",")
    assert accepts(gbnf(JSON_ARRAY), text) == isinstance(value, list)


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (r'root ::= "\x41\u00e9\U0001F600\"\\\[\]\-\t\r\n"', ['Aé😀"\\[]-\t\r\n'], ["Aé😀"]),
        (
            r"root ::= [\x41-\x43\]\-\\] [^\u00e0-\u00ff] [\U0001F600-\U0001F64F]",
            ["Aé😀".replace("é", "b"), "]b🙏", "-\n😀"],
            ["Aé😀", "Db😀"],
        ),
        ("root ::= [a-] [-a] [--/] [a^] [+--]", ["aa.^,", "---a+"], ["ba.^,", "aa0^,", "aa.b,"]),
        ("root ::= [😀-😂]", ["😀", "😁"], ["😃", "a"]),
        ("root ::= .", ["a", "\n", "\0", "語", "😀"], ["", "ab"]),
        ('root ::= "ab"+ "c"', ["abc", "ababc"], ["abbc", "c"]),
        ('root ::= "a"?* "b"{2}{2}', ["bbbb", "aabbbb"], ["bb", "bbb"]),
        ('root ::= "a" * "b"\t{ 1 , 2 }', ["b", "aabb"], ["a", "bbb"]),
        ('root ::= "a"{,2} "b"{3,} "c"{0}', ["bbb", "aabbbb"], ["aaabbb", "bb", "bbbc"]),
        ('root ::= "a"b"c"(b)[d]\nb::="b"', ["abcbd"], ["abc"]),
        ('root ::=\n  # first\n  "a" |\n\n  b\n  | "c" # third\n# b\nb ::= "b"', ["a", "b", "c"], ["", "ab"]),
        ('root ::= ("a"\n\n "b" # b\n | # or\n\n"c"\n) "d"\r\n\r\nx ::= "#" # a ) comment', ["abd", "cd"], ["ab", "d"]),
        ('root ::= | "a"', ["", "a"], ["aa"]),
        ('root ::= ("a" | | "b") () ""', ["", "a", "b"], ["ab"]),
        ('root ::= "a" x ""*\nx ::=', ["a"], ["", "aa"]),
        ('1st_Rule ::= "a"\n- ::= "b"\nroot ::= 1st_Rule -', ["ab"], ["a"]),
        ('root ::= root "a" | "b" | x\nx ::= root "c" | x "d"', ["baca", "b", "bcdda"], ["a", "bd"]),
        ('root ::= "(" root ")" root | ""', ["", "(())()"], ["(", ")("]),
        ('root ::= "a" | dead\ndead ::= "b" dead', ["a"], ["b"]),
        ('root ::= "a\n#b"', ["a\n#b"], ["a"]),
        ('root ::= "a"{100,20000}', ["a" * 100, "a" * 20000], ["a" * 99, "a" * 20001]),
    ],
)
def test_syntax_by_example(text: str, right: list[str], wrong: list[str]) -> None:
    g = gbnf(text)
    assert [s for s in right if not accepts(g, s)] == [] and [s for s in wrong if accepts(g, s)] == []


def test_another_rule_may_be_the_start() -> None:
    text = 'root ::= "a"\nother ::= "b" root'
    assert accepts(gbnf(text), "a") and gbnf(text) is gbnf(text)
    assert accepts(guide.grammar(text, V, "other", "gbnf"), "ba")


def test_rules_that_are_written_out() -> None:
    """Small ones are, which changes nothing; 2⁴⁰ letters are not."""
    words = "\n".join(f'r{i} ::= "a"? r{i + 1}' for i in range(50)) + '\nr50 ::= "b"'
    g = guide.grammar(words, V, "r0", "gbnf")
    assert accepts(g, "a" * 50 + "b") and not accepts(g, "a" * 51 + "b")
    doubled = "\n".join(f"r{i} ::= r{i + 1} r{i + 1}" for i in range(40)) + '\nr40 ::= "b"'
    g = guide.grammar(doubled, V, "r0", "gbnf")
    assert set(g.forced(g.initial)) == {ord("b")} and len(g.forced(g.initial)) == MOST_FORCED


def test_huge_counts() -> None:
    """Counts are counted, in any syntax; of a run without end, some thousands of bytes are said to be forced."""
    began = time.perf_counter()
    for g in (
        gbnf('root ::= "a"{2000000000}'),
        gbnf('root ::= ((x{2000000000}){2000000000}){2000000000,}\nx ::= "a"'),
        guide.grammar('start: (("a"~2000000000)~2000000000)~2000000000', V),
        guide.regex("((a{2000000000}){2000000000}){2000000000}", V),
    ):
        assert g.forced(g.initial) == b"a" * MOST_FORCED
        state = g.advance_all(g.initial, [1 + ord("a")] * 1000)
        assert state is not None and not g.accepting(state) and g.forced(state) == b"a" * MOST_FORCED
    assert time.perf_counter() - began < 30


# ----------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('root ::= "a', r"""line 1, column 10: the text has no closing quote: 'root ::= "a'"""),
        ('x ::= "a"\nroot ::= x [^a-z\\]', "line 2, column 12: the class has no closing bracket: 'root ::= x "),
        ('root ::= ("a"\n', "line 1, column 10: the parenthesis is not closed"),
        ('root ::= "a")', "line 1, column 13: no parenthesis is open"),
        ("root ::= 'a'", 'line 1, column 10: a text stands between double quotes: "…"'),
        ("root ::= a # b", "line 1, column 10: the rule 'a' is not defined"),
        ('root ::= "a"\n\n  root::= "b"', "line 3, column 3: the rule 'root' is defined twice: '  root::= "),
        ('x ::= "a"\ny ::= x', "no rule 'root' to start with; its rules: x, y"),
        ("# nothing", "no rule 'root' to start with; its rules: none"),
        ("root ::= []", "line 1, column 10: the class has no characters"),
        ("root ::= [^]", "line 1, column 10: the class has no characters"),
        ("root ::= [az-a]", "line 1, column 12: the range z-a ends before it begins"),
        (r'root ::= "\q"', r"line 1, column 11: the escapes are \n \r "),
        (r"root ::= [\u12]", r"line 1, column 11: the escapes are \n \r "),
        (r'root ::= "a\uD83D\uDE00"', r"line 1, column 12: U+D83D is no character (one beyond U+FFFF is written \U"),
        (r'root ::= "\U00110000"', "line 1, column 11: U+110000 is no character"),
        ('root ::= "\ud800"', "line 1, column 11: U+D800 is no character"),
        ('root ::= * "a"', "line 1, column 10: ?, *, +, {m}"),
        ('root ::= "a"{}', "line 1, column 13: ?, *, +, {m}"),
        ('root ::= "a"{1,2', "line 1, column 13: ?, *, +, {m}"),
        ('root ::= "a"{,}', "line 1, column 13: ?, *, +, {m}"),
        ('root ::= "a"{1 2}', "line 1, column 13: ?, *, +, {m}"),
        ('root ::= "a"{3,2}', "line 1, column 13: the grammar repeats something 3 to 2 times"),
        (f'root ::= "a"{{1,{"9" * 5000}}}', "repeats something more than 2147483648 times"),
        ("root ::= <think> .*", "line 1, column 10: tokens are not supported"),
        ("root ::= !<[12]>*", "line 1, column 10: tokens are not supported"),
        ('root ::= "a"\n  "b"', "line 2, column 3: a rule begins with `name ::=`, and goes over lines only inside"),
        ('root = "a"', "line 1, column 6: a rule begins with `name ::=`"),
        ('root ::= "a" b ::= "c"', "line 1, column 14: a rule begins here, within another"),
        ('x ::=\nroot ::= "a"', 'line 2, column 1: a rule begins here, within another; the empty text is written ""'),
        ('root ::= "a" & "b"', "line 1, column 14: nothing begins with this sign"),
        (
            "root ::= " + '"a" ' * 500 + "& " + '"a" ' * 500,
            'line 1, column 2010: nothing begins with this sign: \'"a" ',
        ),
        ('root ::= root "a"', "matches no string"),
        ("root ::= [^\\x00-\\U0010FFFF]", "matches no string"),
        ("root ::= x\nx ::= " + "(" * 3000 + '"a"' + ")" * 3000, "GBNF, at line 2, column "),
        ("root ::= " + "(" * 3000 + '"a"' + ")" * 3000, ": it is nested too deeply: '(((("),
        ('root ::= x\nx ::= "a"' + "?" * 3000, "GBNF, at line 2, column 3009: it is nested too deeply: '????"),
        ('root ::= x "b"??\nx ::= ' + "(" * 50 + '"a"' + ")+" * 900, "GBNF, at line 2, column "),
    ],
    ids=lambda x: repr(x)[:40],
)
def test_errors_name_their_place(text: str, message: str) -> None:
    with pytest.raises(ConstraintError, match=re.escape(message)) as caught:
        gbnf(text)
    assert len(str(caught.value)) < 400 or "nested" in message


def test_the_other_syntax_is_named() -> None:
    with pytest.raises(ConstraintError, match=r"^this looks like gbnf: say syntax='gbnf'; the grammar is refused"):
        guide.grammar('root ::= "a"', V)
    for text in ('start: "a"', '?start.2: x{"a"}\nx{y}: y', "%import common.WS", "start: A\nA: /a/\n%ignore A"):
        with pytest.raises(ConstraintError, match=r"^this looks like lark: say syntax='lark'; GBNF, at line 1"):
            gbnf(text)
    for text in ('root ::= "a', 'root := "a"'):  # GBNF with a mistake; nothing that is known
        with pytest.raises(ConstraintError, match=r"^GBNF, at line 1"):
            gbnf(text)


@pytest.mark.parametrize("syntax", ["ebnf", None, ["lark"], 3])
def test_an_unknown_syntax_is_refused(syntax: object) -> None:
    message = re.escape(f"syntax={syntax!r}: it is 'lark' or 'gbnf'")
    with pytest.raises(ValueError, match=message):
        guide.grammar('root ::= "a"', V, syntax=syntax)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=message):
        oc.generate.cfg(shipped_model(), 'root ::= "a"', syntax=syntax)  # type: ignore[arg-type]


def test_mutated_grammars_are_read_or_refused() -> None:
    random = Random(0)
    texts = [text for text, _, _ in PUBLISHED.values()]
    pieces = ["", *'#\n"[]()|{?*+.-\\^<ab0\ud800', "::=", "{1,2}", "\\x", " a "]
    read = 0
    for _ in range(5000):
        text = random.choice(texts)
        for _ in range(random.randint(1, 2)):
            at = random.randrange(len(text))
            text = text[:at] + random.choice(pieces) + text[at + random.randint(0, 3) :]
        try:
            gbnf(text)
            read += 1
        except ConstraintError as error:
            assert re.match(r"GBNF, at line \d+, column \d+: |the grammar ", str(error)), error
    assert read > 500


# ------------------------------------------------------------------------------------------------------- generation


def test_a_generator_and_what_it_saves(tmp_path: Path) -> None:
    model = shipped_model()
    text = 'root ::= "[" (item ("," item)*)? "]"\nitem ::= [a-z]{2} | root'
    step = oc.continuous(oc.generate.cfg(model, text, syntax="gbnf"), name="it")
    for seed in range(3):
        part = step("Once", max_tokens=4, seed=seed)
        part.save(tmp_path / "s")
        loaded = oc.load_state(tmp_path / "s", model)
        assert loaded.identical(part)
        whole = step.resume(part, max_tokens=30, seed=seed)
        assert step.resume(loaded, max_tokens=30, seed=seed).identical(whole)
        assert (
            whole.finished != [["stop"]] or json.loads(re.sub("[a-z]+", "0", whole.captures["it"][0][0][0])) is not None
        )


def test_a_specification_says_its_syntax() -> None:
    model = shipped_model()
    for text, syntax in (('start: "a"', "lark"), ('root ::= "a"', "gbnf")):
        constraint = oc.generate.cfg(model, text, syntax=syntax).constraint
        assert json.loads(constraint.spec)["options"]["syntax"] == syntax
        again = Constraint.of(constraint.spec, model.vocabulary, "a file")
        assert again.spec == constraint.spec and again.guide is constraint.guide
    old = json.dumps({"kind": "cfg", "argument": 'start: "a"', "options": {"stop": "elsewhere"}})
    assert json.loads(Constraint.of(old, model.vocabulary, "a file").spec)["options"]["syntax"] == "lark"
