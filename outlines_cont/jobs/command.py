"""`python -m outlines_cont map`: a generator over a file of prompts, for people without a notebook."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

from outlines_cont.decode import samplers
from outlines_cont.errors import EngineError, WorkerError
from outlines_cont.generate import kinds
from outlines_cont.generate.generator import Generator
from outlines_cont.jobs.inputs import json_lines, no_field
from outlines_cont.jobs.mapped import SHARD, Mapped, line, map
from outlines_cont.loading import load
from outlines_cont.state.model import Model

DESCRIPTION = """\
Generate a value after each prompt of a file, in any number of processes. The same command, run again after a crash,
after Ctrl-C or on a longer file that begins in the same way, does only the missing prompts and gives the same values.
"""

EXAMPLES = """\
examples:
  python -m outlines_cont map --in people.jsonl --regex '[0-9]{1,3}' --seed 0
  python -m outlines_cont map --model ./my-model --in people.jsonl --key id --schema person.json \\
      --out people --workers 2 --seed 0 --max-tokens 200
  python -m outlines_cont map --in reviews.jsonl --template 'Review: {text}\\nMood:' --choice good bad --seed 0

The input has a JSON object in each line; its field "prompt" (--prompt) is a text, or a list of messages. With --out,
FOLDER/values.jsonl has a line for each prompt, {"key": …, "value": …} or {"key": …, "error": {"type": …, "message":
…}}, in the order of the input; without it, these lines go to the standard output.

The exit code is 0 if all prompts were done, even if some have errors; 1 if a worker or the engine failed; 2 for a
mistake in the options or the input; 130 after Ctrl-C.
"""


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = argparse.ArgumentParser(
        prog="python -m outlines_cont map",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--model", help="folder or hub id of a transformers model, or a GGUF file; default: the small one that ships"
    )
    made.add_argument("--dtype", help="number format of the model's parameters, such as bfloat16; default: as saved")
    made.add_argument(
        "--in", dest="input", required=True, metavar="FILE", help="the prompts: one JSON object in each line"
    )
    made.add_argument("--out", metavar="FOLDER", help="folder for shards and values.jsonl; default: nothing is kept")
    wanted = made.add_argument_group("the values (one of these)").add_mutually_exclusive_group(required=True)
    wanted.add_argument("--schema", metavar="FILE", help="JSON that fits this JSON Schema")
    wanted.add_argument("--regex", metavar="PATTERN", help="a text that this pattern matches from end to end")
    wanted.add_argument("--choice", nargs="+", metavar="OPTION", help="one of these options")
    wanted.add_argument("--grammar", metavar="FILE", help="a text of this grammar in Lark's syntax")
    wanted.add_argument("--text", action="store_true", help="any text; give --max-tokens or --stop-at")
    prompts = made.add_argument_group("the input")
    prompts.add_argument("--prompt", default="prompt", metavar="FIELD", help='the field of the prompt ("prompt")')
    prompts.add_argument(
        "--template", metavar="TEXT", help="makes the prompt from the fields, such as 'Q: {question}\\nA: '"
    )
    prompts.add_argument(
        "--key", metavar="FIELD", help="the field of an id; draws depend on it. Default: the prompt's index"
    )
    prompts.add_argument("--chat", action="store_true", help="read a prompt that is a text as a user's message")
    drawn = made.add_argument_group("the draws")
    drawn.add_argument("--seed", type=int, default=0, help="seed of all draws (0)")
    drawn.add_argument("--greedy", action="store_true", help="take the likeliest token, and draw nothing")
    drawn.add_argument("--samples", type=int, default=1, help="values for each prompt (1)")
    drawn.add_argument("--temperature", type=float, default=1.0, help="temperature of the draws (1.0)")
    drawn.add_argument("--top-k", type=int, help="draw from this many of the likeliest tokens")
    drawn.add_argument("--top-p", type=float, help="draw from the likeliest tokens that together have this probability")
    drawn.add_argument("--beams", type=int, help="search with this many beams, and draw nothing")
    drawn.add_argument("--max-tokens", type=int, help="the most tokens of each value")
    drawn.add_argument("--stop-at", nargs="+", metavar="TEXT", help="texts that end a --text")
    work = made.add_argument_group("the work (these options change no value)")
    work.add_argument("--workers", help="number of processes, or 'ray' for a cluster; default: this process alone")
    work.add_argument("--shard", type=int, default=SHARD, help=f"prompts in each shard, which is one file ({SHARD})")
    work.add_argument("--batch", default="auto", help="prompts at once; default: as many as memory holds")
    work.add_argument("--quiet", action="store_true", help="draw no progress bar")
    return made


def run(arguments: list[str]) -> int:
    """What `python -m outlines_cont map` does. Gives the exit code."""
    made = parser()
    options = made.parse_args(arguments)
    results = None
    try:
        results = mapped(options)
        return _written(results, options)
    except KeyboardInterrupt as error:
        print(f"\n{error if str(error) else 'interrupted; with --out, the same command goes on'}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has seen enough
        _forget_the_output()
        return 0
    except (WorkerError, EngineError, OSError) as error:
        if results is None and isinstance(error, OSError):  # of the command, and not of its work
            made.error(str(error))
        print(f"{made.prog}: {error}", file=sys.stderr)
        return 1
    except (ValueError, TypeError, ImportError) as error:
        made.error(str(error))


def mapped(options: argparse.Namespace) -> Mapped:
    """The call of `map` that the options ask for. The first row is looked at before the model is loaded."""
    source = rows(options)
    first = list(islice(source, 1))
    model = load(options.model, **({} if options.dtype is None else {"dtype": options.dtype}))
    return map(
        generator(model, options),
        chain(first, source),
        seed=options.seed,
        out=options.out,
        key=options.key,
        workers=_number_or_word(options.workers),
        shard=options.shard,
        batch=_number_or_word(options.batch),
        progress=not options.quiet,
        max_tokens=options.max_tokens,
        **({"stop_at": options.stop_at} if options.stop_at else {}),
    )


def _number_or_word(given: str | None) -> Any:
    """An int, where an option is one; else what was given, for `map` to check."""
    return int(given) if given is not None and re.fullmatch("-?[0-9]+", given) else given


def generator(model: Model, options: argparse.Namespace) -> Generator[Any, Any]:
    """The generator that the options ask for."""
    sampler = sampler_of(options)
    if options.schema is not None:
        return kinds.json(model, _schema(Path(options.schema)), sampler)
    if options.regex is not None:
        return kinds.regex(model, options.regex, sampler)
    if options.choice is not None:
        return kinds.choice(model, options.choice, sampler)
    if options.grammar is not None:
        return kinds.cfg(model, _grammar(Path(options.grammar)), sampler)
    return kinds.text(model, sampler)


def _schema(path: Path) -> Any:
    """The JSON Schema of a file. ValueError for a file that is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise type(error)(f"--schema {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(f"--schema {path}: it is no JSON: {error}") from None


def _grammar(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise type(error)(f"--grammar {path}: {error.strerror or error}") from None


def sampler_of(options: argparse.Namespace) -> Any:
    """The sampler that the options ask for. ValueError for options that do not go together."""
    drawn, beams = (options.samples, options.temperature, options.top_k, options.top_p), options.beams
    if options.greedy or beams is not None:
        if drawn != (1, 1.0, None, None) or (options.greedy and beams is not None):
            raise ValueError(
                "--greedy and --beams draw nothing: give one of them, without --samples, --temperature, --top-k …"
            )
        return samplers.greedy() if beams is None else samplers.beam_search(cast(int, beams))
    return samplers.multinomial(options.samples, options.temperature, options.top_k, options.top_p)


def rows(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The rows of the input, each with its "prompt"."""
    path = Path(options.input)
    if not path.is_file():
        raise FileNotFoundError(f"--in {options.input}: there is no such file")
    return (_with_prompt(row, index, options) for index, row in enumerate(json_lines(path)))


def _with_prompt(row: Mapping[str, Any], index: int, options: argparse.Namespace) -> dict[str, Any]:
    if options.template is not None:
        prompt = filled(options.template, row, index)
    elif options.prompt in row:
        prompt = row[options.prompt]
    else:
        raise no_field(options.prompt, index, row, "--prompt names another")
    if options.chat and isinstance(prompt, str):
        prompt = [{"role": "user", "content": prompt}]
    return {**row, "prompt": prompt}


def filled(template: str, row: Mapping[str, Any], index: int) -> str:
    """A template with the fields of a row in the places of their names, as text. ValueError where that is not possible.

    >>> from outlines_cont.jobs.command import filled
    >>> filled("Q: {question} {{", {"question": "2 + 2?"}, 0)
    'Q: 2 + 2? {'
    """
    right = "it names fields as {name}, and braces that are text are written twice, {{ and }}"

    def part(match: re.Match[str]) -> str:
        text, name = match[0], match[1]
        if name is None:
            if len(text) == 1:
                raise ValueError(f"--template {template!r}: a single {text} at character {match.start()}; {right}")
            return text[0]
        if name not in row:
            raise no_field(name, index, row, f"--template {template!r} takes names of fields only; {right}")
        return str(row[name])

    return re.sub(r"\{\{|\}\}|\{([^{}]*)\}|[{}]", part, template.replace("\\n", "\n"))


def _print(data: bytes) -> None:
    """Write to the standard output: UTF-8, as in files, wherever it goes."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_the_output()
        told = f"{error.strerror}: the standard output; with --out, what is done is kept, and the same command goes on"
        raise OSError(error.errno, told) from error


def _forget_the_output() -> None:
    """Python is not to flush it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _written(results: Mapped, options: argparse.Namespace) -> int:
    """Write or count all results."""
    count = failed = 0
    with results:
        for content in results.contents():
            count += 1
            failed += "error" in content
            if options.out is None:
                _print(line(content))
    where = "" if options.out is None else f"; the values are in {Path(options.out) / 'values.jsonl'}"
    there = f", {results.skipped:,} of them from an earlier run" if results.skipped else ""
    print(f"{count:,} prompts{there}: {count - failed:,} values, {failed:,} errors{where}", file=sys.stderr)
    return 0
