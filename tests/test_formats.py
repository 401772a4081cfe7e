"""Formats as languages: put together from parts, they are what their expressions say, and what Python reads."""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from ipaddress import IPv6Address

from hypothesis import example, given
from hypothesis import strategies as st
from json_cases import BYTES, accepts, compact
from test_regex import row

from outlines_cont.fsm import guide
from outlines_cont.fsm.engine.automaton import Automaton
from outlines_cont.fsm.json_schema import formats
from outlines_cont.fsm.language.nodes import VOID, Node, alt, cat, chars, overlap, symbol, union
from outlines_cont.fsm.language.terms import Deferred, substitute
from outlines_cont.fsm.patterns.characters import utf8
from outlines_cont.fsm.patterns.parser import parse


def same(a: Node, b: Node) -> bool:
    """Whether two languages of code points are the same: all pairs of states that one text leads to are compared."""
    one, other = Automaton(utf8(a)), Automaton(utf8(b))
    todo = [(one.initial, other.initial)]
    seen = set(todo)
    while todo:
        state, partner = todo.pop()
        if one.accepting(state) is not other.accepting(partner):
            return False
        for pair in zip(row(one, state).tolist(), row(other, partner).tolist(), strict=True):
            if (pair[0] < 0) is not (pair[1] < 0):
                return False
            if pair[0] >= 0 and pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return True


def test_a_host_name_of_any_length_is_its_expression():
    node = formats.unbounded("hostname")
    assert node is not None and same(node, parse(formats.HOSTNAME))
    assert not same(node, alt(parse(formats.HOSTNAME), parse(" ")))


groups = st.lists(st.sampled_from(["0", "1f", "FFFF", "abcd", "00000", "g", "", "1.2.3.4", "1.2.3.256"]), max_size=9)


@given(groups, groups, st.booleans())
@example(["1f"] * 7, [], True)
@example([], ["1f"] * 7, True)
@example(["0"] * 6, ["1.2.3.4"], False)
def test_ipv6_is_what_python_reads(before, after, gap):
    text = ":".join(before) + ("::" if gap else ":") + ":".join(after)
    try:
        IPv6Address(text)
        read = True
    except ValueError:
        read = False
    g = guide.json_schema({"type": "string", "format": "ipv6"}, BYTES, spelling="any")
    assert accepts(g, compact(text)) is read, text
    mail = guide.json_schema({"type": "string", "format": "email"}, BYTES, extra="schema", spelling="any")
    assert accepts(mail, compact(f"ada@[IPv6:{text}]")) is read, text


def test_dates_are_those_of_the_calendar():
    """The year 0 has a 29th of February, as the year 2000 has."""
    for year in (0, 1, 4, 100, 400, 1000, 1900, 2000, 2023, 2024, 2100, 9999):
        assert year == 0 or isleap(year) is isleap(year + 2000)
        for month in range(14):
            for day in range(33):
                fits = 1 <= month <= 12 and 1 <= day <= monthrange(year + 2000, month)[1]
                text = f"{year:04}-{month:02}-{day:02}"
                assert bool(re.fullmatch(formats._BY_NAME["date"], text)) is fits, text


@given(
    pattern=st.sampled_from(["::|[0-9]+", "a*b", "x(yz?|[0-9])", "[a-c]{2}"]),
    allowed=st.sets(st.sampled_from(":0578abcxyz")),
)
def test_what_is_made_later_is_what_would_be_made_now(pattern, allowed):
    symbols = union(*(((ord(c), ord(c)),) for c in allowed))

    def leaf(ranges):
        return chars(overlap(ranges, symbols))

    deferred = cat(symbol(ord("<")), Deferred(lambda: parse(pattern)), symbol(ord("x")))
    later = substitute(Deferred(lambda: parse(pattern)), leaf)
    now = substitute(parse(pattern), leaf)
    assert (later is VOID) is (now is VOID) and (now is VOID or same(later, now))
    assert same(deferred, parse(f"<(?:{pattern})x"))
