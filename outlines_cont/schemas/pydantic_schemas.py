"""The JSON Schemas of pydantic's types, with all that pydantic checks: what is written under one validates.

`model_json_schema` forgets facts, and words others as formats that only describe: that a datetime has no offset, that
the keys of a dict are ints, that a URL has a host. `faithful_schema` says these in JSON Schema's own keywords. What
these cannot say (that a file exists) is refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import ceil, floor, inf, nextafter
from typing import Any, NoReturn

import pydantic
from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import GenerateJsonSchema
from pydantic.types import EncodedBytes, EncodedStr, PathType
from pydantic_core import SchemaValidator, ValidationError, core_schema

from outlines_cont.arguments import shown
from outlines_cont.errors import ConstraintError
from outlines_cont.fsm.json_schema import formats
from outlines_cont.fsm.json_schema.quotes import Quotation
from outlines_cont.fsm.json_schema.strings import JSON_STRING, GrammarTexts, accepts
from outlines_cont.schemas import outlines_terms, pydantic_sets
from outlines_cont.schemas import python_types as patterns

Schema = dict[str, Any]

#: What pydantic writes as a `format` that no standard knows, or a looser one.
FORMATS = {
    "ipv4network": patterns.NETWORK_4,
    "ipv6network": patterns.NETWORK_6,
    "ipv4interface": patterns.INTERFACE_4,
    "ipv6interface": patterns.INTERFACE_6,
    "ipvanyaddress": patterns.ANY_ADDRESS,
    "ipvanyinterface": patterns.ANY_INTERFACE,
    "ipvanynetwork": patterns.ANY_NETWORK,
    "base64": patterns.base64("+/"),
    "base64url": patterns.base64("_-"),
    "email": patterns.EMAIL,
}
#: Of these no text is sure to be a value.
REFUSED = {
    "file-path": "a path of a file that exists",
    "directory-path": "a path of a folder that exists",
    "name-email": "a name with an address",
}
#: The names of pydantic's functions for what no text is.
_REFUSED_FUNCTIONS = {"import_string": "a name to be imported", "pattern_bytes_validator": "an expression of bytes"}
_BOUNDS_OF_JSON = "JSON within a string (Json) with bounds outside of it, not Json[Annotated[…, Field(…)]],"
FIRST_DAY, LAST_DAY = date.min.toordinal(), date.max.toordinal()
DAY, YEAR = timedelta(days=1), 366 * 24 * 3600
#: What ECMA-262, Rust and Python read alike in ASCII only: they differ in what is a word, a space, or a case.
_READ_APART = re.compile(r"\\[WDSBbs]|\[\^.*\\[wd]|\(\?[a-z]*i|\(\?<?!", re.S)
_ASCII = r"^[\t\n -~]*$"


class TextAnnotation:
    """What pydantic asks of texts of some kind, as in `Annotated[str, quote]`."""

    @property
    def texts(self) -> Quotation | GrammarTexts | None:
        """Which texts; None if it does not annotate strings."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        if (texts := self.texts) is None or source is not str:
            raise TypeError(
                f"Annotated[{shown(source)}, {self!r}] is no type; Annotated[str, oc.types.quote(…)] is one, and with "
                "oc.types.cfg(…) without parts; for a pattern there is Field(pattern=…), and Literal[…] for a choice"
            )

        def checked(text: str) -> str:
            if not accepts(texts.language(), text):
                raise ValueError(f"{text!r} is none of {self!r}")
            return text

        return core_schema.no_info_after_validator_function(checked, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], Schema]) -> Schema:
        texts = self.texts
        if isinstance(texts, Quotation):
            return {**handler(schema), "x-quote": {"document": texts.document, "words": [texts.low, texts.high]}}
        return {**handler(schema), "x-grammar": texts._asdict() if texts else {}}


def faithful_schema(source: type[BaseModel] | TypeAdapter[Any]) -> Schema:
    """The schema of a class or a type.

    Raises:
        ConstraintError: something in it is nothing that JSON carries, or that a schema can say.
    """
    make = source.json_schema if isinstance(source, TypeAdapter) else source.model_json_schema
    try:
        return make(schema_generator=_Faithful)
    except PydanticInvalidForJsonSchema as error:
        raise ConstraintError(f"pydantic: {error.message}") from None


class _Faithful(GenerateJsonSchema):
    """The methods of the base class are called by the types of pydantic's own schemas."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._definitions: dict[str, Any] = {}  # core schemas, by their references

    def generate_inner(self, schema: Any) -> Schema:
        """See the base class; formats become patterns. `ImportString` and `AliasPath` are refused."""
        function = schema["function"]["function"] if schema["type"] == "function-plain" else None
        if described := _REFUSED_FUNCTIONS.get(getattr(function, "__name__", "")):
            _refuse(described)
        if (term := outlines_terms.term_behind(function)) is not None:
            return _text_of_term(term)
        alias = schema.get("validation_alias")  # a list: one path, or several of them
        by_name = self._config.validate_by_name or self._config.populate_by_name
        if isinstance(alias, list) and not by_name and not any(isinstance(x, list) and len(x) == 1 for x in alias):
            _refuse("a field whose alias is a path (AliasPath)")
        json_schema = super().generate_inner(schema)
        name = json_schema.get("format")
        if name in REFUSED:
            _refuse(REFUSED[name])
        if schema["type"] == "json":  # what was said of the content may stand on the text as well
            return {**json_schema, **self.json_schema(schema)}
        if name in FORMATS:
            others = {key: value for key, value in json_schema.items() if key != "format"}
            return {**others, "allOf": [*others.get("allOf", []), _text(FORMATS[name])]}
        return json_schema

    # ----------------------------------------------------------------------------------------------------- functions

    def function_after_schema(self, schema: Any) -> Schema:
        """Types that pydantic checks by functions of its own."""
        function = schema["function"]["function"]
        if isinstance(function, partial) and pydantic_sets.unwrapped(schema, self._resolved)["type"] == "json":
            _refuse(_BOUNDS_OF_JSON)
        maker = getattr(function, "__self__", None)
        if maker is pydantic.ByteSize:
            return {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 2**63 - 1}, _text(patterns.BYTE_SIZE)]}
        if isinstance(maker, EncodedBytes) and maker.encoder.get_json_format() in FORMATS:
            return _text(FORMATS[maker.encoder.get_json_format()])
        if isinstance(maker, EncodedStr):
            return _text(patterns.BASE64_TEXT)
        if maker is pydantic.PaymentCardNumber:
            _refuse("a number of a payment card, with its check digit")
        if function in (PathType.validate_new, PathType.validate_socket):
            _refuse("a path at which something is to be or not to be")
        return super().function_after_schema(schema)

    def json_schema(self, schema: Any) -> Schema:
        """`Json`: a string that holds JSON; `json-string` says that `contentSchema` is meant."""
        content = self.generate_inner(schema["schema"]) if "schema" in schema else {}
        return {"type": "string", "format": JSON_STRING, "contentSchema": content}

    def uuid_schema(self, schema: Any) -> Schema:
        """A UUID, perhaps of one version."""
        json_schema = super().uuid_schema(schema)
        return json_schema | ({"format": f"uuid{schema['version']}"} if "version" in schema else {})

    def call_schema(self, schema: Any) -> Schema:
        """The arguments of a class; a function within a type would be called by pydantic, unasked."""
        function = schema["function"]
        if not isinstance(function, type):
            name = getattr(function, "__name__", type(function).__name__)
            raise ConstraintError(
                f"pydantic would call the function {name}() for its value; for a call that you make, "
                "oc.types.tools([f, g])"
            )
        return super().call_schema(schema)

    def callable_schema(self, schema: Any) -> Schema:
        """A `Callable`."""
        _refuse("a function (Callable)")

    def is_subclass_schema(self, schema: Any) -> Schema:
        """`type[…]`."""
        _refuse("a class")

    def chain_schema(self, schema: Any) -> Schema:
        """`Hashable` is a scalar."""
        if schema["steps"][0]["type"] == "json" and len(schema["steps"]) > 1:
            _refuse(_BOUNDS_OF_JSON)
        if any(step.get("cls") is Hashable for step in schema["steps"]):
            return {"type": ["string", "number", "boolean", "null"]}
        return super().chain_schema(schema)

    # ------------------------------------------------------------------------------------- constants, unions, fields

    def enum_schema(self, schema: Any) -> Schema:
        """The values of an `Enum` that pydantic reads: one that is a tuple it does not."""
        return _readable(super().enum_schema(schema), schema)

    def literal_schema(self, schema: Any) -> Schema:
        """The values of a `Literal` that pydantic reads: a member of an `Enum` that is no `str` it does not."""
        return _readable(super().literal_schema(schema), schema)

    def tagged_union_schema(self, schema: Any) -> Schema:
        """What tells the types apart has to be there, even where it has a default."""
        json_schema = super().tagged_union_schema(schema)
        tag = json_schema.get("discriminator", {}).get("propertyName")
        return json_schema if tag is None else json_schema | {"required": [tag]}

    # ------------------------------------------------------------------------------------------------------- strings

    def str_schema(self, schema: Any) -> Schema:
        """Spaces that are stripped do not count; and patterns are those of Rust, or of Python's `re`."""
        json_schema = super().str_schema(schema)
        every: list[Schema] = []
        if isinstance(pattern := schema.get("pattern"), re.Pattern):
            json_schema["pattern"] = patterns.with_flags(pattern)
        if _READ_APART.search(json_schema.get("pattern", "")):
            every.append({"pattern": _ASCII})
        if schema.get("strip_whitespace", self._config.str_strip_whitespace) and len(json_schema) > 1:
            every.append({"pattern": r"^(?:[^\s\x85](?:[\s\S]*[^\s\x85])?)?$"})
        return {**json_schema, "allOf": every} if every else json_schema

    def bytes_schema(self, schema: Any) -> Schema:
        """Lengths count bytes: then all are ASCII."""
        json_schema = super().bytes_schema(schema)
        if self._config.val_json_bytes != "utf8":
            encoded = r"(?:[0-9a-f]{2})*" if self._config.val_json_bytes == "hex" else patterns.base64("_-")
            if len(json_schema) > 2:
                _refuse("encoded bytes of a given length")
            return _text(encoded)
        return json_schema | (_text(r"[ -~]*") if json_schema.keys() & {"minLength", "maxLength"} else {})

    def url_schema(self, schema: Any) -> Schema:
        """URLs of the schemes that there are."""
        json_schema = super().url_schema(schema) | _text(patterns.url(schema.get("allowed_schemes")))
        return {key: value for key, value in json_schema.items() if key not in ("format", "minLength")}

    multi_host_url_schema = url_schema

    # --------------------------------------------------------------------------------------------------------- times

    def date_schema(self, schema: Any) -> Schema:
        """Dates within bounds, and before or after today."""
        first = max((schema[name].toordinal() + (name == "gt") for name in ("gt", "ge") if name in schema), default=0)
        last = min((schema[name].toordinal() - (name == "lt") for name in ("lt", "le") if name in schema), default=inf)
        days = _days(schema, first, last)
        return {**_text(patterns.DATE), "allOf": [days]} if days else _text(patterns.DATE)

    def datetime_schema(self, schema: Any) -> Schema:
        """Datetimes within bounds, with an offset or without one. Of bounds, the days that are sure to lie within."""
        offset = {"naive": "", "aware": patterns.OFFSET}.get(schema.get("tz_constraint"), f"{patterns.OFFSET}?")
        if isinstance(schema.get("tz_constraint"), int):
            _refuse("a datetime with one certain offset")
        json_schema = _text(f"{patterns.DATE}T{patterns.CLOCK}{offset}")
        first = max((schema[name].toordinal() + 2 for name in ("gt", "ge") if name in schema), default=0)
        last = min((schema[name].toordinal() - 2 for name in ("lt", "le") if name in schema), default=inf)
        days = _days(schema, first, last, ".*")
        return {**json_schema, "allOf": [days]} if days else json_schema

    def time_schema(self, schema: Any) -> Schema:
        """Times within bounds have neither fractions nor offsets."""
        if not schema.keys() & {"gt", "ge", "lt", "le"}:
            return _text(f"{patterns.CLOCK}{patterns.OFFSET}?")
        second = timedelta(seconds=1)
        low = datetime(2000, 1, 1)
        high = low + DAY - second
        for name in ("gt", "ge", "lt", "le"):
            if name in schema:
                if schema[name].tzinfo:
                    _refuse("a time within bounds that have an offset")
                at = datetime.combine(date(2000, 1, 1), schema[name])
                whole = at.replace(microsecond=0)
                if name[0] == "g":
                    low = max(low, whole if name == "ge" and whole == at else whole + second)
                else:
                    high = min(high, whole - second if name == "lt" and whole == at else whole)
        if low > high:
            _refuse("a time within these bounds")
        clock = {"pattern": f"^{patterns.between(f'{low:%H:%M:%S}', f'{high:%H:%M:%S}')}$"}
        return {**_text(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"), "allOf": [clock]}

    def timedelta_schema(self, schema: Any) -> Schema:
        """ISO 8601's durations; within bounds, whole seconds, up to a year more than the lower bound."""
        if not schema.keys() & {"gt", "ge", "lt", "le"}:
            return _text(patterns.DURATION)
        seconds = {name: schema[name].total_seconds() for name in ("gt", "ge", "lt", "le") if name in schema}
        low = max(0, floor(seconds.get("gt", -1)) + 1, ceil(seconds.get("ge", 0)))
        high = min(ceil(seconds.get("lt", low + YEAR)) - 1, floor(seconds.get("le", low + YEAR)))
        if low > high:
            _refuse("a timedelta within these bounds")
        return _text(f"PT{patterns.naturals(low, high)}S")

    # ------------------------------------------------------------------------------------------------------- numbers

    def float_schema(self, schema: Any) -> Schema:
        """Multiples are so small that pydantic, which divides floats, finds them to be multiples."""
        json_schema = super().float_schema(schema)
        if not (step := schema.get("multiple_of")):
            return json_schema
        exact = Fraction(repr(float(step))) == Fraction(float(step))
        most = 2**53 // Fraction(float(step)).denominator if exact else 10**6
        return {**json_schema, "allOf": [{"minimum": -most, "maximum": most}]}

    def decimal_schema(self, schema: Any) -> Schema:
        """A number, of so many digits."""
        keywords = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
        bounds = {name: schema[name] for name in keywords if schema.get(name) is not None}
        json_schema: Schema = {"type": "number"}
        json_schema |= {keywords[name]: _inward(x, inf if name[0] == "g" else -inf) for name, x in bounds.items()}
        if step := schema.get("multiple_of"):
            json_schema["multipleOf"] = float(step)
            if Decimal(repr(float(step))) != step:
                _refuse(f"a multiple of {step}, which is no float,")
        every = _of_digits(schema.get("max_digits"), schema.get("decimal_places"))
        return {**json_schema, "allOf": every} if every else json_schema

    def fraction_schema(self, schema: Any) -> Schema:
        """A fraction as text."""
        return _text(patterns.FRACTION)

    def complex_schema(self, schema: Any) -> Schema:
        """A complex number as text."""
        return _text(patterns.COMPLEX)

    # ------------------------------------------------------------------------------------------------ sets and dicts

    def definitions_schema(self, schema: Any) -> Schema:
        """The core schemas that others lead to are remembered."""
        self._definitions |= {definition["ref"]: definition for definition in schema["definitions"]}
        return super().definitions_schema(schema)

    def _resolved(self, schema: Any) -> Any:
        return self._definitions.get(schema.get("schema_ref"), schema)

    def set_schema(self, schema: Any) -> Schema:
        """Items are hashable; and where so many are needed, no two of them are read as equal values."""
        json_schema, items = super().set_schema(schema), schema.get("items_schema", {"type": "any"})
        if not pydantic_sets.hashable(items, self._resolved):
            _refuse("a set of values that are not hashable")
        if pydantic_sets.has("json", items, self._resolved):
            _refuse("a set of JSON within strings (Json)")
        every: list[Schema] = []
        if pydantic_sets.has("any", items, self._resolved):
            every.append({"type": pydantic_sets.SCALARS})
        if (count := schema.get("min_length", 0)) > 1:
            every += self._told_apart(items, f"a set of at least {count} items")
        return json_schema | ({"items": {"allOf": [json_schema["items"], *every]}} if every else {})

    frozenset_schema = set_schema

    def _told_apart(self, schema: Any, described: str) -> list[Schema]:
        changed = (self._config.str_to_lower, self._config.str_to_upper, self._config.str_strip_whitespace)
        every = None if any(changed) else pydantic_sets.told_apart(schema, self._resolved)
        if every is None:
            _refuse(f"{described}, of which two different texts may be read as one,")
        return every

    def dict_schema(self, schema: Any) -> Schema:
        """The keys of JSON objects are texts: those that are read as the keys of the dict."""
        json_schema = super().dict_schema(schema)
        keys = schema.get("keys_schema")
        if keys is None or keys["type"] == "any":
            return json_schema
        if keys["type"] == "json":
            _refuse("a dict whose keys are JSON within a string (Json)")
        names = self._names(keys)
        if (count := schema.get("min_length", 0)) > 1:
            every = self._told_apart(keys, f"a dict of at least {count} keys")
            if keys["type"] == "float":
                names = _text(pydantic_sets.FLOAT_KEYS)
            elif "enum" in names:
                reader = SchemaValidator(core_schema.dict_schema(keys))
                read = {next(iter(reader.validate_json(json.dumps({text: None})))): text for text in names["enum"]}
                names = {"enum": [*read.values()]}
            elif every:
                names = {"allOf": [names, *every]}
        for values in json_schema.pop("patternProperties", {}).values():
            json_schema["additionalProperties"] = values
        return json_schema | ({"propertyNames": names} if names != {"type": "string"} else {})

    def _names(self, keys: Any) -> Schema:
        """A schema of the texts that are read as keys."""
        if keys["type"] in ("literal", "enum"):
            values = keys.get("expected") or [member.value for member in keys["members"]]
            texts = [json.dumps(value) if isinstance(value, bool) else str(value) for value in values]
            names = [text for text in texts if _reads(core_schema.dict_schema(keys), {text: None})]
            return {"enum": names} if names else _refuse("a dict with keys that are no texts")
        json_schema = self.resolve_ref_schema(self.generate_inner(keys))
        kind = json_schema.get("type")
        if kind == "boolean":
            return {"enum": ["true", "false"]}
        if kind == "integer":
            return _text(_integers(json_schema))
        if kind == "number" and json_schema.keys() <= {"type", "title", "description"}:
            return _text(formats.PYTHON_NUMBER)
        if kind != "string" and not json_schema.keys() & {"enum", "const"}:
            _refuse(f"a dict whose keys are of the type {keys['type']!r}")
        return json_schema


def _refuse(described: str) -> NoReturn:
    raise ConstraintError(f"pydantic: {described} cannot be generated so that it is sure to validate")


def _readable(json_schema: Schema, schema: Any) -> Schema:
    """A schema of constants, without those that pydantic does not read."""
    values = json_schema["enum"] if "enum" in json_schema else [json_schema["const"]]
    readable = [value for value in values if _reads(schema, value)]
    if not readable:
        _refuse(f"one of {', '.join(map(repr, values))}")
    return json_schema if readable == values else json_schema | {"enum": readable}


def _reads(schema: Any, value: Any) -> bool:
    """Whether pydantic reads a JSON value under one of its schemas."""
    try:
        SchemaValidator(schema).validate_json(json.dumps(value))
    except ValidationError:
        return False
    return True


def _text_of_term(term: Any) -> Schema:
    if (kind := outlines_terms.kind_of(term)) in outlines_terms.NO_PATTERNS:
        _refuse(f"a {kind} of Outlines (write the type itself, or Json[…] for JSON in a str)")
    return _text(outlines_terms.pattern_of(term, "a field of pydantic"))


def _text(pattern: str) -> Schema:
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


def _inward(x: Any, towards: float) -> int | float:
    """A bound of a decimal, as a number of JSON; if that is another one, within the bound."""
    if x == int(x):
        return int(x)
    written = float(x)
    outside = Decimal(repr(written)) < x if towards > 0 else Decimal(repr(written)) > x
    return nextafter(written, towards) if outside else written


def _of_digits(digits: int | None, places: int | None) -> list[Schema]:
    """What numbers fit that have at most so many digits, and so many decimal places; none, if only digits are given."""
    if digits is None and places is None:
        return []
    places = (places or 0) if digits is None else min(places or 0, digits)
    step: Schema = {"multipleOf": float(Decimal(1).scaleb(-places))} if places else {"type": "integer"}
    if digits is None:
        return [step]
    most = 10 ** (digits - places)
    zero: list[Schema] = [{"not": {"const": 0}}] if digits == places else []  # not even a 0 may stand before the point
    return [step, {"exclusiveMinimum": -most, "exclusiveMaximum": most}, *zero]


def _integers(json_schema: Schema) -> str:
    """The integers of a schema, as texts."""
    low = max(json_schema.get("minimum", -(10**18)), json_schema.get("exclusiveMinimum", -(10**18)) + 1)
    high = min(json_schema.get("maximum", 10**18), json_schema.get("exclusiveMaximum", 10**18) - 1)
    if low > high or "multipleOf" in json_schema:
        _refuse("a dict whose keys are multiples of a number, or are within bounds that nothing fits,")
    return patterns.integers(low, high)


def _days(schema: Any, first: int, last: float, after: str = "") -> Schema:
    """The days from the first to the last, by their ordinals, in a text that goes on with something.

    Before or after now (`now_op`) is two days from today, wherever the clocks stand.
    """
    today = date.today().toordinal()
    if schema.get("now_op"):
        first, last = (first, min(last, today - 2)) if schema["now_op"] == "past" else (max(first, today + 3), last)
    if first <= FIRST_DAY and last >= LAST_DAY:
        return {}
    low, high = max(first, FIRST_DAY), int(min(last, LAST_DAY))
    if low > high:
        _refuse("a date within these bounds")
    shown = (date.fromordinal(day).isoformat() for day in (low, high))
    return {"pattern": f"^{patterns.between(*shown)}{after}$"}
