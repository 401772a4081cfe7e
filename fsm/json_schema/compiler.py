"""JSON Schema → a language of JSON texts.

Everything that is generated is valid. A keyword is enforced, or refused by name and place; what only describes
(`title`, `default`, words that the standard does not know …) is passed over. Where the standard leaves room:

- `extra="forbid"` is for generation: an object has the properties that its schema speaks of, by name or by pattern or
  by a schema for all others, and no more (one that speaks of none may have any); a schema without `type` is of the
  types that its keywords speak of: `minLength` makes it a string. `extra="schema"` is what the standard says: an object
  may have any other properties, and `minLength` does not concern a number. (Words that the standard does not know are
  passed over; but `extra="forbid"` refuses those that look like a keyword misspelt.)
- `order="schema"` writes properties in the schema's order, others after them; `order="any"` in any order. No name is
  written twice in one object.
- Free strings may spell a character plainly or by any of its escapes. Property names, `enum` and `const` spell
  printable ASCII plainly (so that they can be forced); other characters plainly or escaped, as they must.
- Numbers are what they are worth: 1.0 is an integer, and equal to 1. For their spelling see `numerals`. (With
  `extra="forbid"`, integers have no exponents: readers make floats of these, and infinities.)
- `pattern` is ECMA-262's dialect and may match anywhere in the string; it, lengths and formats mean the decoded string.
- Whitespace: "compact" has none; "flexible" has, between any two tokens, up to one space, or a line break and any
  number of spaces or tabs; or a pattern of yours. There is none before or after the whole text.
- `format="assert"` enforces the formats that the standard defines, or refuses them by name; others, which it does not
  know, only describe. With `format="annotate"`, all of them do.

Nothing is built before it is reached: a value is a `JsonValue`, which reads its schema when a walk comes there.
"""

from __future__ import annotations

from typing import Any

from outlines_cont.errors import ConstraintError

from ..language.nodes import VOID, Node
from .keywords.reader import KeywordReader
from .normalize import Normalizer
from .spelling import JsonSpelling
from .spelling import whitespace as whitespace_of
from .unsupported import refuse_unsupported
from .writer import JsonValue, Writer

ORDERS, EXTRAS, FORMATS = ("schema", "any"), ("forbid", "schema"), ("assert", "annotate")


def language(
    document: Any, whitespace: str = "compact", order: str = "schema", extra: str = "forbid", format: str = "assert"
) -> Node:
    """The JSON texts that are valid under a schema, over bytes; VOID if there are none.

    Args:
        document: the schema, a dict or a bool, as `read_document` gives it.
        whitespace: "compact", "flexible", or a pattern.
        order: "schema" or "any". extra: "forbid" or "schema". format: "assert" or "annotate".

    Raises:
        ValueError: an option that there is not.
        ConstraintError: something in it is not supported, or is no JSON Schema; with its JSON pointer.
    """
    for name, value, possible in (("order", order, ORDERS), ("extra", extra, EXTRAS), ("format", format, FORMATS)):
        if value not in possible:
            raise ValueError(f"{name}={value!r}: it is {' or '.join(map(repr, possible))}")
    try:
        keywords = KeywordReader(document, asserts_formats=format == "assert", for_generation=extra == "forbid")
        normalizer = Normalizer(keywords)
        deep = refuse_unsupported(normalizer)
        writer, root = Writer(normalizer, JsonSpelling(whitespace_of(whitespace)), order == "any"), (keywords.root,)
        for subschema in reversed(deep):  # inside out
            writer.inhabited((subschema,))
        return JsonValue(writer, root) if writer.inhabited(root) else VOID
    except RecursionError:
        raise ConstraintError("the schema is nested too deeply") from None
