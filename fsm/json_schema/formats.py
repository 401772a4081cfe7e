"""Text formats by name, as regular expressions (Python's dialect, ASCII only), and JSON Schema's `format` keyword.

    INTEGER NUMBER                          as Python and JSON both read them: no leading zeros, no `+`; no integer `-0`
    PYTHON_INTEGER PYTHON_NUMBER            as Python writes them; `numerals/python.py` says how
    DATE TIME DATE_TIME                     ISO 8601, valid calendar dates of the years 0001 to 9999, 00:00:00 to
                                            23:59:59; fractions of 1 to 6 digits and an offset are optional
    UUID EMAIL HOSTNAME IPV4 IPV6 URI …     as JSON Schema names them

Every string of `DATE` is read by `datetime.date.fromisoformat`; likewise TIME and DATE_TIME.
"""

from __future__ import annotations

from functools import lru_cache

from ..language.graph import GraphState, graph
from ..language.intersection import intersection
from ..language.lengths import AtLeast, AtMost, at_most, at_most_behind
from ..language.nodes import VOID, Node, alt, cat, chars, overlap, repeat, star, symbol, union
from ..patterns.characters import ANY, CHARACTERS, TOP, class_source, general_category
from ..patterns.parser import parse
from ..patterns.pattern_texts import pattern_texts

INTEGER = r"(?:0|-?[1-9][0-9]*)"
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"


def _places(most: int) -> str:
    """From one digit to `most`, the last of which is no 0."""
    return rf"[0-9]{{0,{most - 1}}}[1-9]"


def _places_up_to(digits: str) -> str:
    """Decimal places, the last of which is no 0, that are not more than these."""
    first, more = int(digits[0]), len(digits) - 1
    if not more:
        return rf"[1-{first}]"
    less = rf"[1-{first - 1}](?:{_places(more)})?|" if first > 1 else ""
    return rf"(?:{less}0{_places(more)}|{first}(?:{_places_up_to(digits[1:])})?)"


_WITH_POINT = [rf"[1-9][0-9]{{{n - 1}}}\.(?:0|{_places(17 - n)})" for n in range(1, 17)]
_WITH_POINT += [rf"0\.(?:0|0{{0,3}}[1-9](?:{_places(16)})?)"]
_MORE = rf"(?:\.{_places(16)})?"
_WITH_EXPONENT = [
    rf"[1-9]{_MORE}e\+(?:1[6-9]|[2-9][0-9]|[12][0-9]{{2}}|30[0-7])",
    rf"1(?:\.{_places_up_to('7976931348623157')})?e\+308",
    rf"[1-9]{_MORE}e-(?:0[5-9]|[1-9][0-9]|[12][0-9]{{2}}|3[01][0-9]|32[0-3])",
    rf"[5-9]{_MORE}e-324",
]
PYTHON_INTEGER = r"(?:0|-?[1-9][0-9]{0,18})"
PYTHON_NUMBER = rf"(?:{PYTHON_INTEGER}|-?(?:{'|'.join(_WITH_POINT + _WITH_EXPONENT)}))"

_YEAR = r"(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_FOURTH = r"(?:0[48]|[2468][048]|[13579][26])"  # 04, 08, …, 96
_LEAP_YEAR = rf"(?:[0-9]{{2}}{_FOURTH}|{_FOURTH}00)"
_DAY = (
    r"(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    r"|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
DATE = rf"(?:{_YEAR}-{_DAY}|{_LEAP_YEAR}-02-29)"
_HOURS_MINUTES = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_CLOCK = rf"{_HOURS_MINUTES}:[0-5][0-9]"
_OFFSET = rf"(?:[Zz]|[+-]{_HOURS_MINUTES})"
TIME = rf"{_CLOCK}(?:\.[0-9]{{1,6}})?(?:Z|[+-]{_HOURS_MINUTES})?"
DATE_TIME = rf"{DATE}T{TIME}"

_DURATION_TIME = r"T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DURATION_DATE = r"(?:[0-9]+D|[0-9]+M(?:[0-9]+D)?|[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?)"
DURATION = rf"P(?:{_DURATION_DATE}(?:{_DURATION_TIME})?|{_DURATION_TIME}|[0-9]+W)"

_HEX = r"[0-9a-fA-F]"
UUID = rf"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_HEXTET = rf"{_HEX}{{1,4}}"
_LAST_32 = rf"(?:{_HEXTET}:{_HEXTET}|{IPV4})"
_BEFORE = [rf"(?:(?:{_HEXTET}:){{0,{n}}}{_HEXTET})?::" for n in range(7)]  # up to n + 1 groups, then the gap
IPV6 = "(?:{})".format(
    "|".join(
        [rf"(?:{_HEXTET}:){{6}}{_LAST_32}", rf"::(?:{_HEXTET}:){{5}}{_LAST_32}"]
        + [rf"{_BEFORE[n]}(?:{_HEXTET}:){{{4 - n}}}{_LAST_32}" for n in range(5)]
        + [rf"{_BEFORE[5]}{_HEXTET}", _BEFORE[6]]
    )
)

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOSTNAME = rf"{_LABEL}(?:\.{_LABEL})*"  # and at most 253 characters
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL_PART = rf"{_ATOM}(?:\.{_ATOM})*"  # and at most 64 characters
_AT, _LONGEST_HOSTNAME, _LONGEST_LOCAL_PART = ord("@"), 253, 64  # the last in bytes
EMAIL = rf"{_LOCAL_PART}@{HOSTNAME}"

_UNRESERVED, _SUB, _PERCENT = r"A-Za-z0-9._~\-", r"!$&'()*+,;=", r"%[0-9A-Fa-f]{2}"
_UCS = r"\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"  # RFC 3987's `ucschar`, and its `iprivate`
_UCS += "".join(f"\\U000{n:x}0000-\\U000{n:x}fffd" for n in range(1, 14)) + r"\U000e1000-\U000efffd"
_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _references(unreserved: str, private: str = "") -> tuple[str, str]:
    """A URI and a reference by RFC 3986; or by RFC 3987, with characters beyond ASCII.

    Args:
        unreserved: the characters that may stand anywhere. private: those that may stand in a query, too.
    """
    pchar = rf"(?:[{unreserved}{_SUB}:@]|{_PERCENT})"
    fragment = rf"(?:[{unreserved}{_SUB}:@/?]|{_PERCENT})*"
    query = rf"(?:[{unreserved}{private}{_SUB}:@/?]|{_PERCENT})*"
    authority = (
        rf"(?:(?:[{unreserved}{_SUB}:]|{_PERCENT})*@)?"
        rf"(?:\[(?:{IPV6}|[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB}:]+)\]|(?:[{unreserved}{_SUB}]|{_PERCENT})*)(?::[0-9]*)?"
    )
    path = rf"(?:/{pchar}*)*"
    rootless = rf"{pchar}+(?:/{pchar}*)*"
    suffix = rf"(?:\?{query})?(?:#{fragment})?"
    whole = rf"[A-Za-z][A-Za-z0-9+.\-]*:(?://{authority}{path}|/(?:{rootless})?|{rootless})?{suffix}"
    no_colon = rf"(?:[{unreserved}{_SUB}@]|{_PERCENT})"
    relative = rf"(?://{authority}{path}|/(?:{rootless})?|{no_colon}+(?:/{pchar}*)*)?"
    return whole, rf"(?:{whole}|{relative}{suffix})"


URI, URI_REFERENCE = _references(_UNRESERVED)
IRI, IRI_REFERENCE = _references(_UNRESERVED + _UCS, _PRIVATE)
_VARCHAR = rf"(?:[A-Za-z0-9_]|{_PERCENT})"
_VARIABLE = rf"{_VARCHAR}(?:\.?{_VARCHAR})*(?::[1-9][0-9]{{0,3}}|\*)?"
URI_TEMPLATE = (  # RFC 6570, with the apostrophe of its erratum 6937
    rf"(?:[!#$&-;=?-\[\]_a-z~{_UCS}{_PRIVATE}]|{_PERCENT}|\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}})*"
)

JSON_POINTER = r"(?s)(?:/(?:[^~/]|~[01])*)*"
RELATIVE_JSON_POINTER = r"(?s)(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)"

# JSON Schema follows RFC 3339: an offset is required, fractions may have any number of digits.
_RFC_3339_TIME = rf"{_CLOCK}(?:\.[0-9]+)?{_OFFSET}"
_FULL_DATE = rf"(?:[0-9]{{4}}-{_DAY}|(?:[0-9]{{2}}{_FOURTH}|(?:00|{_FOURTH})00)-02-29)"  # of the years from 0000 on
_FULL_TIME = rf"(?:{_RFC_3339_TIME}|23:59:60(?:\.[0-9]+)?(?:[Zz]|[+-]00:00))"  # a leap second, in UTC

_BY_NAME = {
    "date": _FULL_DATE,
    "time": _FULL_TIME,
    "date-time": rf"{_FULL_DATE}[Tt]{_FULL_TIME}",
    "readable date": DATE,
    "readable time": _RFC_3339_TIME,
    "readable date-time": rf"{DATE}[Tt]{_RFC_3339_TIME}",
    "duration": DURATION,
    "uuid": UUID,
    "ipv4": IPV4,
    "ipv6": IPV6,
    "uri": URI,
    "uri-reference": URI_REFERENCE,
    "uri-template": URI_TEMPLATE,
    "iri": IRI,
    "iri-reference": IRI_REFERENCE,
    "json-pointer": JSON_POINTER,
    "relative-json-pointer": RELATIVE_JSON_POINTER,
    **{f"uuid{n}": rf"{_HEX}{{8}}-{_HEX}{{4}}-{n}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}" for n in range(1, 9)},
}
#: What JSON Schema defines, and is not enforced here.
REFUSED_FORMATS = frozenset(("idn-hostname",))
REGEX = "regex"  # texts with parentheses that close: what else they have to fit is no intersection
_ANYTHING = ("password", "binary", "path")  # notes to the reader: they restrict nothing
_EMAILS = ("email", "readable email", "idn-email")


def readable(name: str) -> str:
    """The part of a format that common readers understand, by its name.

    Python knows neither the year 0 nor a second 60, and hardly a mail program a quoted name or an address in brackets.
    """
    return f"readable {name}" if name in ("date", "time", "date-time", "email") else name


def is_known(name: str) -> bool:
    """Whether `language` knows a format."""
    return name in _BY_NAME or name in ("hostname", REGEX) or name in _EMAILS or name in _ANYTHING


@lru_cache(maxsize=64)
def language(name: str) -> Node | None:
    """The strings of a JSON Schema `format`, over code points; there are some. None for one that is not known."""
    if name in _ANYTHING:
        return star(ANY)
    if name == REGEX:
        return pattern_texts()
    if name == "hostname":
        return at_most(_host(name), _LONGEST_HOSTNAME)
    if name in _EMAILS:
        return _mailbox(name, at_most(_host(name), _LONGEST_HOSTNAME))
    return parse(_BY_NAME[name]) if is_known(name) else None


@lru_cache(maxsize=64)
def unbounded(name: str) -> Node | None:
    """`language`, with host names of any length: a count to 253 would multiply what else a text has to fit.

    `bounded` sets the bound.
    """
    if name == "hostname":
        return _host(name)
    return _mailbox(name, _host(name)) if name in _EMAILS else language(name)


#: Patterns of texts that are too long for a format: what is in `unbounded(name)` fits it or `language(name)`, not both.
TOO_LONG = {"hostname": rf"^[\s\S]{{{_LONGEST_HOSTNAME + 1}}}"}
TOO_LONG |= dict.fromkeys(_EMAILS, rf"^[^@]*@[^@]{{{_LONGEST_HOSTNAME + 1}}}")


def bounded(name: str, node: Node) -> Node:
    """What of `node` is in `language(name)`: it is `unbounded(name)`, or an automaton of some of its strings."""
    if name not in ("hostname", *_EMAILS) or node is VOID:
        return node
    if node is unbounded(name):
        return language(name) or VOID
    if name == "hostname":
        return at_most(node, _LONGEST_HOSTNAME)
    if isinstance(node, AtMost):
        return at_most(bounded(name, node.family.terms.node(node.term)), node.room)
    if isinstance(node, AtLeast):
        node = intersection([node.family.plain(node.states), repeat(chars(((0, TOP),)), node.need, None)])
    assert isinstance(node, GraphState), "what `intersection` and `at_least` make"
    return at_most_behind(node, _AT, _LONGEST_HOSTNAME)


def _host(name: str) -> Node:
    """Host names of any length; of `idn-email`, with letters, marks and digits beyond ASCII."""
    if name != "idn-email":
        return _dotted(_LABEL)
    beyond = overlap(union(*(general_category(group) or () for group in "LMN")), ((0x80, TOP),))
    return _dotted(_LABEL.replace("[A-Za-z0-9", f"[A-Za-z0-9{class_source(beyond)}"))


def _dotted(pattern: str) -> Node:
    """One or more parts that fit a pattern, with dots in between."""
    part = parse(pattern)
    return cat(part, star(cat(_DOT, part)))


_DOT = symbol(ord("."))


def _mailbox(name: str, host: Node) -> Node:
    """RFC 5321's Mailbox, with no @ between quotes; or RFC 6531's, with characters beyond ASCII."""
    at = chars(((_AT, _AT),))
    if name == "readable email":
        return cat(at_most(_dotted(_ATOM), _LONGEST_LOCAL_PART), at, host)
    beyond = r"\x80-\U0010ffff" if name == "idn-email" else ""
    dotted = _dotted(_ATOM.replace("[A-Za-z0-9", f"[A-Za-z0-9{beyond}"))
    quoted = parse(rf'"(?:[ !#-?A-\[\]-~{beyond}]|\\[ -?A-~])*"')
    local, most = alt(dotted, quoted), _LONGEST_LOCAL_PART
    local = intersection([local, _bytes_at_most(most)]) if beyond else at_most(local, most)
    address = parse(rf"\[(?:{IPV4}|[iI][pP][vV]6:{IPV6})\]")
    return cat(local, at, alt(host, address))


def _bytes_at_most(count: int) -> Node:
    """The texts of at most so many bytes."""
    blocks = ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, TOP))  # of one byte, of two, …
    sizes = [chars(overlap(CHARACTERS, (block,))) for block in blocks]
    edges = [[(one, i + size) for size, one in enumerate(sizes, 1) if i + size <= count] for i in range(count + 1)]
    return graph(edges, [True] * (count + 1))
