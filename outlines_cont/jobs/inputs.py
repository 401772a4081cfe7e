"""Prompts and their keys, from wherever they come, one shard after the other: no more is read than is needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

from outlines_cont.arguments import is_whole, meant, plain, shown
from outlines_cont.batches import Settings
from outlines_cont.errors import BatchMismatch
from outlines_cont.state.prompts import lineage_of, plain_key, refuse_embeddings

Prompt = str | list[Any] | None  # a text, token ids, or messages; None: it could not be read
Key = int | str
END = object()
PROMPT = "prompt"  # the field of rows, where nobody names one
#: Settings that a row of data can say.
OF_COLUMNS = ["max_tokens", "stop_at", "seed", "temperature", "top_k", "top_p", "min_p"]
NO_COLUMNS: Mapping[str, str] = {}
OF_NO_ORDER = (set, frozenset)  # in another process they give their values in another order


@dataclass(frozen=True)
class Shard:
    """Some prompts in the order of the input: what is done at once, and kept in one file.

    Attributes:
        number: its place among the shards.
        first: the index of its first prompt in all of the input.
        prompts: texts, token ids or messages; plain values.
        keys: what the random draws of each go by.
        faults: what was wrong with those prompts that are None, by their place in the shard.
        settings: fields of each prompt's `Settings`, where columns say some.
    """

    number: int
    first: int
    prompts: list[Prompt]
    keys: list[Key]
    faults: dict[int, str]
    settings: list[dict[str, Any]] = field(default_factory=list)


def shards(
    prompts: Any, keys: Any, prompt: str, key: str | None, size: int, columns: Mapping[str, str] = NO_COLUMNS
) -> Iterator[Shard]:
    """The shards of an input.

    Args:
        prompts: an iterable of prompts or of rows (dicts), or the path of a file with a row of JSON in each line.
        keys: an iterable of as many ints or strs; None for the index of each prompt.
        prompt, key: the fields of rows.
        size: how many prompts make a shard.
        columns: fields of rows, by the names of the settings that they hold.
    """
    rows = enumerate(_keyed(_rows(prompts), keys, prompt, key, columns))
    number, ended = 0, False
    while not ended:
        shard = Shard(number, number * size, [], [], {})
        for index, (given, its_key, settings) in rows:
            fault = None
            try:
                Settings(**settings)
                shard.prompts.append(_plain(given))
            except (TypeError, ValueError) as error:
                shard.prompts.append(None)
                fault = str(error)
            if fault is not None:
                shard.faults[len(shard.keys)] = fault
            shard.keys.append(index if its_key is None else its_key)
            if columns:
                shard.settings.append(settings if fault is None else {})
            if len(shard.keys) == size:
                break
        else:
            ended = True
        if shard.keys:
            yield shard
        number += 1


def checked_input(prompts: Any, keys: Any, prompt: Any, key: Any, columns: Any = NO_COLUMNS) -> None:
    """TypeError or ValueError for an input that holds no prompts, and for fields that its first row does not have.

    Of a file and of a list the first row is looked at; of an iterator nothing is read.
    """
    for name, given in (("prompt", prompt), ("key", key)):
        if not isinstance(given, str) and (given is not None or name == "prompt"):
            raise TypeError(f"{name}={shown(given)}: it is the name of a field of the rows, a str")
    _check_columns(columns)
    if isinstance(prompts, (str, PathLike)):
        if not Path(prompts).is_file():
            raise FileNotFoundError(
                f"map(…, {shown(str(prompts))}): there is no such file of JSON lines; for one prompt, call the "
                "generator, or give a list"
            )
    elif isinstance(prompts, (*OF_NO_ORDER, bytes, bytearray, Mapping)) or not isinstance(prompts, Iterable):
        raise TypeError(
            f"map() takes many prompts, in an order: a list, a generator, a column of a data set, or the path of a "
            f"file of JSON lines; not {shown(prompts)}"
        )
    elif hasattr(prompts, "iterrows"):
        raise TypeError(
            "map() takes a column of a table, table['prompt'], or its rows, table.to_dict('records'); a DataFrame by "
            "itself gives the names of its columns"
        )
    if isinstance(keys, (*OF_NO_ORDER, str, bytes, Mapping)) or not isinstance(keys, (Iterable, type(None))):
        raise TypeError(f"keys={shown(keys)}: it takes one int or str for each prompt; key='…' names a field of rows")
    if keys is not None and key is not None:
        raise TypeError(
            f"keys=… and key={key!r}: the keys come from a list, or from a field of the rows, not from both"
        )
    if isinstance(prompts, (str, PathLike, list, tuple)):
        next(_keyed(islice(_rows(prompts), 1), None, prompt, key, columns), None)


def _check_columns(columns: Any) -> None:
    """TypeError or ValueError for what does not name fields of rows by settings."""
    if not isinstance(columns, Mapping) or not all(isinstance(each, str) for each in columns.values()):
        raise TypeError(f"settings={shown(columns)}: it is a dict, names of oc.Settings: names of fields of the rows")
    if wrong := [name for name in columns if name not in OF_COLUMNS]:
        raise ValueError(
            f"settings={shown(columns)}: a field of a row may say {', '.join(OF_COLUMNS)}{meant(wrong[0], OF_COLUMNS)}"
        )


def _rows(prompts: Any) -> Iterator[Any]:
    """What the input holds: prompts, or rows with fields."""
    return json_lines(Path(prompts)) if isinstance(prompts, (str, PathLike)) else iter(prompts)


def json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a file of JSON lines. ValueError for a line that is no object: where."""
    with open(path, encoding="utf-8-sig") as file:  # some programs put a mark at the beginning
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: it is no JSON: {error}") from None
            if not isinstance(row, Mapping):
                raise ValueError(f"{path}, line {number}: a line is an object with fields, not {shown(row)}")
            yield row


def _keyed(
    rows: Iterator[Any], keys: Any, prompt: str, key: str | None, columns: Mapping[str, str]
) -> Iterator[tuple[Any, Key | None, dict[str, Any]]]:
    """Each prompt with its key, None for its index, and its settings. No key may stand there twice: the rows would draw
    the same."""
    given = None if keys is None else iter(plain(keys))
    seen: set[int] = set()
    for index, row in enumerate(rows):
        its_key: Key | None = None
        if given is not None:
            if (named := next(given, END)) is END:
                raise BatchMismatch(f"keys=: {index} given, and more prompts than that; it takes one for each")
            its_key = _checked(named, index, seen)
        elif key is not None:
            its_key = _checked(_field(row, key, index, "key"), index, seen)
        fields = isinstance(row, Mapping) or prompt != PROMPT
        settings = {name: plain(_field(row, column, index, "settings")) for name, column in columns.items()}
        yield _field(row, prompt, index, "prompt") if fields else row, its_key, settings
    if given is not None and next(given, END) is not END:
        raise BatchMismatch("keys=: more are given than there are prompts; it takes one for each")


def no_field(name: str, index: int, row: Mapping[Any, Any], advice: str) -> ValueError:
    """The error for a row without a field of this name, with the fields that it has."""
    names = sorted(map(str, row))
    return ValueError(f"row {index} has no field {name!r}{meant(name, names)}, but {names}: {advice}")


def _field(row: Any, name: str, index: int, option: str) -> Any:
    if not isinstance(row, Mapping):
        raise TypeError(f"{option}={name!r} names a field, and prompt {index} is no row with fields: {shown(row)}")
    if name not in row:
        raise no_field(name, index, row, f"{option}='…' names another")
    return row[name]


def _checked(given: Any, index: int, seen: set[int]) -> Key:
    """The key as a plain value. TypeError or ValueError for what is none, and for one that was seen before."""
    key = plain_key(given, f"the key of prompt {index} is ")
    if (lineage := lineage_of(key)) in seen:
        raise ValueError(
            f"the key of prompt {index}, {shown(key)}, is that of an earlier one: both would draw the same"
        )
    seen.add(lineage)
    return key


def _plain(prompt: Any) -> Prompt:
    """A prompt as a plain value, as it travels. TypeError for what is none."""
    refuse_embeddings(prompt)
    prompt = plain(prompt)
    if isinstance(prompt, str):
        return str.__str__(prompt)
    if isinstance(prompt, (list, tuple)) and all(map(is_whole, prompt)):
        return [int(token) for token in prompt]
    if isinstance(prompt, (list, tuple)) and all(isinstance(each, Mapping) for each in prompt):
        try:
            return json.loads(json.dumps([dict(each) for each in prompt]))
        except (TypeError, ValueError) as error:
            raise TypeError(f"messages hold texts, numbers, lists and dicts; of {shown(prompt)}: {error}") from None
    raise TypeError(f"a prompt is a str, token ids or messages, not {shown(prompt)} ({type(prompt).__name__})")
