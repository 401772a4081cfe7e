"""The zoo: programs as the pages of other libraries have them, beside the same tasks here.

    python tests/zoo [LIBRARY …]

Each program of another library is written by its documented calls, for the model that ships with this package; ours
stands beside it. Both values go to an oracle (`re`, `jsonschema`, a list, another library's number). The table says
whether each fits, or how it failed. The exit status is 1 if one of ours does not fit, or if a library that was named is
not installed; others are left out by name.

Some libraries cannot share an environment: `.ci/nightly zoo` makes one for genlm-control, one for vLLM, and one for the
others. exllamav2 needs a GPU of NVIDIA's, and mlx-lm a machine of Apple's: they have no programs.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

#: The package of each library, and the module with its programs. vLLM has to come first: its engine must start before
#: llvmlite is loaded.
LIBRARIES = {
    "vllm": "of_vllm",
    "outlines": "of_outlines",
    "transformers": "of_transformers",
    "guidance": "of_guidance",
    "genlm": "of_genlm",
    "trl": "of_trl",
    "lm_eval": "of_lm_eval",
    "xllamacpp": "of_llama_cpp",
}


def outcome(program: Callable[[], Any], fits: Callable[[Any], bool]) -> tuple[bool, str]:
    """Whether a program's value fits; and what the table says."""
    try:
        value = program()
        return (True, "right") if fits(value) else (False, f"wrong: {str(value)[:60]!r}")
    except Exception as error:
        return False, f"{type(error).__name__}: {str(error)[:80]!r}"


def main() -> int:
    warnings.simplefilter("ignore")
    chosen = sys.argv[1:] or list(LIBRARIES)
    if unknown := set(chosen) - set(LIBRARIES):
        raise SystemExit(f"no library is called {', '.join(sorted(unknown))}; there are {', '.join(LIBRARIES)}")
    failed, counts = 0, []
    print("| library | program | theirs | ours |\n| --- | --- | --- | --- |")
    for library in (name for name in LIBRARIES if name in chosen):
        if find_spec(library) is None:
            failed += len(sys.argv) > 1
            print(f"| {library} | | not installed | |")
            continue
        right = [0, 0]
        programs = import_module(LIBRARIES[library]).programs()
        for program in programs:
            told = [outcome(side, program.fits) for side in (program.theirs, program.ours)]
            right = [count + fits for count, (fits, _) in zip(right, told, strict=True)]
            print(f"| {library} | {program.name} | {told[0][1]} | {told[1][1]} |", flush=True)
        failed += right[1] < len(programs)
        counts.append(f"{library}: {len(programs)} programs, {right[0]} of theirs fit, {right[1]} of ours")
    print("", *counts, sep="\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
