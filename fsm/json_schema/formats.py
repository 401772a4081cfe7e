"""Text formats by name, as regular expressions (Python's dialect, ASCII only), and JSON Schema's `format` keyword.

    INTEGER NUMBER BOOLEAN                  as Python and JSON both read them: no leading zeros, no `+`; no integer `-0`
    PYTHON_INTEGER PYTHON_NUMBER            as Python writes them; `numerals/python.py` says how
    DATE TIME DATE_TIME                     ISO 8601, valid calendar dates of the years 0001 to 9999, 00:00:00 to
                                            23:59:59; fractions of 1 to 6 digits and an offset are optional
    UUID EMAIL HOSTNAME IPV4 IPV6 URI …     as JSON Schema names them

Every string of `DATE` is read by `datetime.date.fromisoformat`; likewise TIME and DATE_TIME.
"""

from __future__ import annotations

from functools import lru_cache

from ..language.graph import GraphState
from ..language.lengths import at_most, at_most_behind
from ..language.nodes import VOID, Node, cat, chars, star
from ..patterns.characters import ANY
from ..patterns.parser import parse

INTEGER = r"(?:0|-?[1-9][0-9]*)"
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
BOOLEAN = r"(?:true|false)"


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
DATE = (
    rf"(?:{_YEAR}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    r"|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    rf"|{_LEAP_YEAR}-02-29)"
)
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
_AT, _LONGEST_HOSTNAME = ord("@"), 253
EMAIL = rf"{_LOCAL_PART}@{HOSTNAME}"

_UNRESERVED, _SUB, _PERCENT = r"A-Za-z0-9._~\-", r"!$&'()*+,;=", r"%[0-9A-Fa-f]{2}"
_PCHAR = rf"(?:[{_UNRESERVED}{_SUB}:@]|{_PERCENT})"
_QUERY = rf"(?:[{_UNRESERVED}{_SUB}:@/?]|{_PERCENT})*"
_AUTHORITY = (
    rf"(?:(?:[{_UNRESERVED}{_SUB}:]|{_PERCENT})*@)?"
    rf"(?:\[(?:{IPV6}|[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB}:]+)\]|(?:[{_UNRESERVED}{_SUB}]|{_PERCENT})*)(?::[0-9]*)?"
)
_PATH_ABEMPTY = rf"(?:/{_PCHAR}*)*"
_PATH_ROOTLESS = rf"{_PCHAR}+(?:/{_PCHAR}*)*"
_SUFFIX = rf"(?:\?{_QUERY})?(?:#{_QUERY})?"
_HIER_PART = rf"(?://{_AUTHORITY}{_PATH_ABEMPTY}|/(?:{_PATH_ROOTLESS})?|{_PATH_ROOTLESS})?"
URI = rf"[A-Za-z][A-Za-z0-9+.\-]*:{_HIER_PART}{_SUFFIX}"
_PCHAR_NO_COLON = rf"(?:[{_UNRESERVED}{_SUB}@]|{_PERCENT})"
_RELATIVE_PART = rf"(?://{_AUTHORITY}{_PATH_ABEMPTY}|/(?:{_PATH_ROOTLESS})?|{_PCHAR_NO_COLON}+(?:/{_PCHAR}*)*)?"
URI_REFERENCE = rf"(?:{URI}|{_RELATIVE_PART}{_SUFFIX})"

JSON_POINTER = r"(?s)(?:/(?:[^~/]|~[01])*)*"
RELATIVE_JSON_POINTER = r"(?s)(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)"

# JSON Schema follows RFC 3339: an offset is required, fractions may have any number of digits. (Second 60 is left out.)
_RFC_3339_TIME = rf"{_CLOCK}(?:\.[0-9]+)?{_OFFSET}"

_BY_NAME = {
    "date": DATE,
    "time": _RFC_3339_TIME,
    "date-time": rf"{DATE}[Tt]{_RFC_3339_TIME}",
    "duration": DURATION,
    "uuid": UUID,
    "ipv4": IPV4,
    "ipv6": IPV6,
    "uri": URI,
    "uri-reference": URI_REFERENCE,
    "json-pointer": JSON_POINTER,
    "relative-json-pointer": RELATIVE_JSON_POINTER,
    **{f"uuid{n}": rf"{_HEX}{{8}}-{_HEX}{{4}}-{n}{_HEX}{{3}}-[89abAB]{_HEX}{{3}}-{_HEX}{{12}}" for n in range(1, 9)},
}
#: What JSON Schema defines, and is not enforced here.
REFUSED_FORMATS = frozenset(("idn-email", "idn-hostname", "iri", "iri-reference", "uri-template", "regex"))
_ANYTHING = ("password", "binary", "path")  # notes to the reader: they restrict nothing


@lru_cache(maxsize=64)
def language(name: str) -> Node | None:
    """The strings of a JSON Schema `format`, over code points; None for one that is not known.

    `email` is RFC 5321's Mailbox with an unquoted local part and a host name.
    """
    if name in _ANYTHING:
        return star(ANY)
    if name == "hostname":
        return at_most(parse(HOSTNAME), _LONGEST_HOSTNAME)
    if name == "email":
        return _email(at_most(parse(HOSTNAME), _LONGEST_HOSTNAME))
    return parse(_BY_NAME[name]) if name in _BY_NAME else None


@lru_cache(maxsize=64)
def unbounded(name: str) -> Node | None:
    """`language`, with host names of any length: a count to 253 would multiply what else a text has to fit.

    `bounded` sets the bound.
    """
    if name == "hostname":
        return parse(HOSTNAME)
    return _email(parse(HOSTNAME)) if name == "email" else language(name)


def bounded(name: str, node: Node) -> Node:
    """What of `node` is in `language(name)`: it is `unbounded(name)`, or an automaton of some of its strings."""
    if name not in ("hostname", "email") or node is VOID:
        return node
    if node is unbounded(name):
        return language(name) or VOID
    if name == "hostname":
        return at_most(node, _LONGEST_HOSTNAME)
    assert isinstance(node, GraphState), "what `intersection` and `at_least` make"
    return at_most_behind(node, _AT, _LONGEST_HOSTNAME)


def _email(host: Node) -> Node:
    return cat(at_most(parse(_LOCAL_PART), 64), chars(((_AT, _AT),)), host)
