"""Patterns of texts that pydantic's types read: every text that one matches is a value of its type.

They are narrower than what pydantic would read, and as its users write it. All are ASCII, and match whole texts.
"""

from __future__ import annotations

from outlines_cont.fsm.json_schema import formats

# ------------------------------------------------------------------------------------------------- digits in a range


def between(low: str, high: str) -> str:
    """Texts of one shape, with the same signs between their digits, from one to another in the order of the alphabet.

    >>> import re
    >>> from outlines_cont.generate.text_patterns import between
    >>> [bool(re.fullmatch(between("2019-12", "2020-03"), text)) for text in ("2019-11", "2020-01", "2020-04")]
    [False, True, False]
    """
    first, last = _filled(low, "0"), _filled(low, "9")
    if (low, high) == (first, last):
        return "".join("[0-9]" if c.isdigit() else f"[{c}]" for c in low)
    a, b, after, before = low[0], high[0], low[1:], high[1:]
    if a == b:
        return f"[{a}]{between(after, before)}"
    ways = [f"{a}{between(after, last[1:])}", f"{b}{between(first[1:], before)}"]
    if int(b) - int(a) > 1:
        ways.append(f"[{int(a) + 1}-{int(b) - 1}]{between(first[1:], last[1:])}")
    return f"(?:{'|'.join(ways)})"


def _filled(text: str, digit: str) -> str:
    return "".join(digit if c.isdigit() else c for c in text)


def naturals(low: int, high: int) -> str:
    """The natural numbers from one to another, without leading zeros."""
    ways = []
    for size in range(len(str(low)), len(str(high)) + 1):
        least, most = (0 if size == 1 else 10 ** (size - 1)), 10**size - 1
        ways.append(between(str(max(low, least)), str(min(high, most))))
    return f"(?:{'|'.join(ways)})"


def integers(low: int, high: int) -> str:
    """The integers from one to another."""
    above = naturals(max(low, 0), high) if high >= 0 else ""
    below = f"-{naturals(max(-high, 1), -low)}" if low < 0 else ""
    return f"(?:{'|'.join(filter(None, (above, below)))})"


# ------------------------------------------------------------------------------------------------------------- times

CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?"
OFFSET = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
DATE = formats.DATE

_TIME = r"T(?:[0-9]{1,4}H(?:[0-9]{1,4}M)?(?:_)?|[0-9]{1,4}M(?:_)?|_)".replace("_", r"[0-9]{1,4}(?:\.[0-9]{1,6})?S")
_DAYS = r"(?:[0-9]{1,3}Y(?:[0-9]{1,3}M)?(?:[0-9]{1,4}D)?|[0-9]{1,3}M(?:[0-9]{1,4}D)?|[0-9]{1,6}D)"
DURATION = rf"P(?:{_DAYS}(?:{_TIME})?|{_TIME}|[0-9]{{1,4}}W)"

# ---------------------------------------------------------------------------------------------------------- networks

_ADDRESS_4, _ADDRESS_6 = formats.IPV4, formats.IPV6
_OCTET, _HEXTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])", r"[0-9a-f]{1,4}"
_BITS_4, _BITS_6 = r"(?:3[0-2]|[12]?[0-9])", naturals(0, 128)


def _network_4(bits: int) -> str:
    """The networks of a prefix of so many bits: all bits after them are 0."""
    whole, part = divmod(bits, 8)
    octets = [_OCTET] * whole
    if part:
        octets.append(f"(?:{'|'.join(map(str, range(0, 256, 2 ** (8 - part))))})")
    return rf"{'[.]'.join([*octets, *'0' * (4 - len(octets))])}/{bits}"


def _network_6(hextets: int) -> str:
    """The networks whose address is so many hextets, then zeros."""
    return rf"{':'.join([_HEXTET] * hextets)}::/{naturals(16 * hextets, 128)}"


NETWORK_4 = "|".join([_ADDRESS_4, *map(_network_4, range(33))])
NETWORK_6 = "|".join([rf"{_ADDRESS_6}(?:/128)?", *map(_network_6, range(8))])
INTERFACE_4, INTERFACE_6 = rf"{_ADDRESS_4}(?:/{_BITS_4})?", rf"{_ADDRESS_6}(?:/{_BITS_6})?"
ANY_ADDRESS = f"{_ADDRESS_4}|{_ADDRESS_6}"
ANY_INTERFACE, ANY_NETWORK = f"{INTERFACE_4}|{INTERFACE_6}", f"{NETWORK_4}|{NETWORK_6}"

_LABEL = r"[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,20})?"  # no `xn--`
HOST = rf"(?:{_LABEL}\.){{0,4}}[a-z]{{2,12}}"  # the last label is no number
_AFTER_HOST = r"(?:/[A-Za-z0-9._~-]*)*(?:\?[A-Za-z0-9._~=&-]*)?(?:#[A-Za-z0-9._~-]*)?"
EMAIL = rf"[a-z0-9]{{1,20}}(?:[._-][a-z0-9]{{1,20}}){{0,2}}@(?:{_LABEL}\.){{1,3}}(?:com|org|net|edu|gov|[a-z]{{2}})"


def url(schemes: list[str] | None) -> str:
    """URLs with a host; of files, without one."""
    names = [scheme for scheme in schemes or ["https", "http", "ftp", "wss", "ws"] if scheme != "file"]
    port = naturals(1, 65535)
    hosted = rf"(?:{'|'.join(name.replace('+', '[+]') for name in names)})://{HOST}(?::{port})?{_AFTER_HOST}"
    local = r"file:///[A-Za-z0-9._~-]+(?:/[A-Za-z0-9._~-]+)*"
    return "|".join([hosted] * bool(names) + [local] * (schemes is None or "file" in schemes))


# ------------------------------------------------------------------------------------------------- bytes and numbers


def base64(last: str) -> str:
    """Base64 whose last two characters are these: `+/`, or `-_` in URLs."""
    one = rf"[A-Za-z0-9{last}]"
    return rf"(?:{one}{{4}})*(?:{one}[AQgw]==|{one}{{2}}[AEIMQUYcgkosw048]=)?"


#: Base64 of ASCII: every eighth bit is 0.
BASE64_TEXT = r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9])*"
BASE64_TEXT += r"(?:[A-Za-f][AQgw]==|[A-Za-f][A-HQ-Xg-nw-z0-3][AEIMQUYcgkosw048]=)?"

#: As Python writes decimals without an exponent: places may end in zeros.
DECIMAL = r"-?(?:0|[1-9][0-9]{0,18})(?:\.[0-9]{1,9})?"
_DECIMAL = r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,8})?"
COMPLEX = rf"-?{_DECIMAL}[+-]{_DECIMAL}j|-?{_DECIMAL}"
FRACTION = r"-?(?:0|[1-9][0-9]{0,8})(?:/[1-9][0-9]{0,8})?"
BYTE_SIZE = r"[0-9]{1,6}(?:\.[0-9]{1,2})?(?:[kmgtp]i?b|b|[KMGTP]i?B|B)"
