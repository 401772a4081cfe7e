"""JSON Schema → a language of JSON texts.

Everything that is generated is valid. A keyword is enforced, or refused by name and place; what only describes
(`title`, `default`, words that the draft in `$schema` does not know …) is passed over. Where the standard leaves room:

- `extra="forbid"` is for generation: an object has the properties that its schema speaks of, by name or by pattern or
  by a schema for all others, and no more (one that speaks of none may have any); a schema without `type` is of the
  types that its keywords speak of: `minLength` makes it a string. `extra="schema"` is what the standard says: an object
  may have any other properties, and `minLength` does not concern a number. (Words that the standard does not know are
  passed over; but `extra="forbid"` knows OpenAPI's `nullable` and `discriminator`, and refuses words that look like a
  keyword misspelt, and those of another draft.)
- `order="schema"` writes properties in the schema's order, others after them; `order="any"` in any order. No name is
  written twice in one object.
- Free strings may spell a character plainly or by any of its escapes. Property names, `enum` and `const` spell
  printable ASCII plainly (so that they can be forced); other characters plainly or escaped, as they must.
- Numbers are what they are worth: 1.0 is an integer, and equal to 1. `numbers="json"` allows the spellings that
  `numerals` lists (with `extra="forbid"`, integers have no exponents: readers make floats of these, and infinities).
  `numbers="python"` allows those that Python writes, see `numerals/python.py`; `enum` and `const` then have theirs.
- `pattern` is ECMA-262's dialect and may match anywhere in the string; it, lengths and formats mean the decoded string.
- Whitespace: "compact" has none; "flexible" has, between any two tokens, up to one space, or a line break and any
  number of spaces or tabs; or a pattern of yours. There is none before or after the whole text.
- `format="assert"` enforces the formats that the standard defines, or refuses them by name; others, which it does not
  know, only describe. With `format="annotate"`, all of them do. `json-string` is a format, too: of a string that holds
  JSON, which fits `contentSchema`. There, names, constants, numbers and punctuation have one spelling.

Nothing is built before it is reached: a value is a `JsonValue`, which reads its schema when a walk comes there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID, Node
from .keywords.reader import KeywordReader
from .normalize import Normalizer
from .spelling import NUMBER_SPELLINGS, JsonSpelling
from .spelling import whitespace as whitespace_of
from .subschema import Subschema
from .unsatisfied import EmptyPart, smallest_part
from .unsupported import refuse_unsupported
from .writer import JsonValue, Writer

#: The options of a schema besides whitespace, each with its values.
OPTIONS = {"order": ("schema", "any"), "extra": ("forbid", "schema"), "format": ("assert", "annotate")}
OPTIONS |= {"numbers": NUMBER_SPELLINGS}


def language(
    document: Any,
    whitespace: str = "compact",
    order: str = "schema",
    extra: str = "forbid",
    format: str = "assert",
    numbers: str = "json",
) -> Node:
    """The JSON texts that are valid under a schema, over bytes; VOID if there are none.

    Args:
        document: the schema, a dict or a bool, as `read_document` gives it.
        whitespace: "compact", "flexible", or a pattern.
        order: "schema" or "any". extra: "forbid" or "schema". format: "assert" or "annotate". numbers: "json" or
            "python".

    Raises:
        ValueError: an option that there is not.
        ConstraintError: something in it is not supported, or is no JSON Schema; with its JSON pointer. Or numbers as
            Python writes them do not fit, and others do.
    """
    for name, value in (("order", order), ("extra", extra), ("format", format), ("numbers", numbers)):
        if value not in OPTIONS[name]:
            raise ValueError(f"{name}={value!r}: it is {' or '.join(map(repr, OPTIONS[name]))}")
    try:
        writer, deep = _read(document, whitespace, order, extra, format, numbers)
        if _inhabited(writer, deep):
            return JsonValue(writer, (writer.normalizer.keywords.root,))
        if numbers == "python" and _inhabited(*_read(document, whitespace, order, extra, format, "json")):
            part = smallest_part(writer)
            where = "" if part is None else f"{part}: "
            raise ConstraintError(
                f"{where}no number that Python writes fits the schema (an int, or a float of at most 17 digits): "
                'numbers="json" allows others'
            )
        return VOID
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None


def unsatisfied(document: Any, *options: str) -> EmptyPart | None:
    """The smallest part to blame for a schema whose `language` is VOID; None for all of it. options: those of it."""
    return smallest_part(_read(document, *options)[0])


def _read(
    document: Any, whitespace: str, order: str, extra: str, format: str, numbers: str
) -> tuple[Writer, list[Subschema]]:
    """What writes a schema, and its schemas that lie deep."""
    keywords = KeywordReader(document, asserts_formats=format == "assert", for_generation=extra == "forbid")
    normalizer = Normalizer(keywords)
    deep = refuse_unsupported(normalizer)
    return Writer(normalizer, JsonSpelling(whitespace_of(whitespace), numbers), order == "any"), deep


def _inhabited(writer: Writer, deep: Sequence[Subschema]) -> bool:
    """Whether some value fits. deep: schemas that are asked first, from inside out, to save Python's stack."""
    for subschema in reversed(deep):
        writer.inhabited((subschema,))
    return writer.inhabited((writer.normalizer.keywords.root,))
