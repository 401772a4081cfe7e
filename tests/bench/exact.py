"""Exact samples beside a plain reference of the rule of CARS (tests/rejection_reference.py), on a real model.

    OMP_NUM_THREADS=1 python tests/bench/exact.py [FOLDER] [--samples 50] [--tries 3000]

FOLDER: a model of transformers; without one, the model that ships. First the law is checked: of a language whose texts
are enumerated, by 400 draws and a chi-square test. Then come, for each language, the positions that a sample takes:
of `oc.samplers.exact`, which reads each prefix once, and of the reference, which computes each token of each try (how
many prefixes are distinct is told), and gives up after so many tries. The proved bound of the mass stands beside them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import fsum
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parent.parent))
from rejection_reference import CarsReference, Law, chi_square

import outlines_cont as oc
from outlines_cont.fsm.vocabulary import unpack
from outlines_cont.races import masses_of

CITIES = ["Lisbon", "Porto", "Lima", "Oslo", "Rome", "Cairo", "Madrid", "Berlin", "Vienna", "Quito", "Dublin", "Athens"]
PERSON = {
    "type": "object",
    "properties": {"city": {"enum": CITIES}, "age": {"type": "integer", "minimum": 0, "maximum": 120}},
    "required": ["city", "age"],
    "additionalProperties": False,
}
SUM = 'start: n " + " n " = " n\nn: /[0-9]{1,2}/'
STORY = "Mira is a painter from Lisbon. Mira is 34 years old. Mira came to town in 1987.\n"
Make = Callable[[oc.Model, Any], Any]
LANGUAGES: dict[str, tuple[str, Make]] = {
    "12 cities": ("The capital of France is ", lambda model, s: oc.generate.choice(model, CITIES, s)),
    "digits": ("Mira came to town in ", lambda model, s: oc.generate.regex(model, "[0-9]{1,4}", s)),
    "a boolean": ("Is the sky blue? ", lambda model, s: oc.generate.format(model, bool, s)),
    "a date": (
        STORY + "The date today is ",
        lambda model, s: oc.generate.regex(model, "20[0-9]{2}-[01][0-9]-[0-3][0-9]", s),
    ),
    "an object": (STORY + "As JSON: ", lambda model, s: oc.generate.json(model, PERSON, s)),
    "a sum": ("A sum: ", lambda model, s: oc.generate.cfg(model, SUM, s)),
}


class _OverTries(Exception):
    pass


def law_of(model: oc.Model, generator: Any, prompt: str, tries: int) -> Law:
    """What the reference asks. Equal prefixes are computed once, which counts nothing here."""
    h = generator.begin(prompt, seed=0).groups[0][0]
    masses, begun = masses_of(model, h), Counter[str]()
    guide, before, held = masses.rules.guide, masses.ids, list[Any]()

    @cache
    def law(ids: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, float]:
        state = h.at.state
        for token in ids:
            state = guide.advance(state, token)
        row = before + ids
        logits, claims = model.read([oc.stepping.Need(row, (len(row) - 1,))])
        held.extend(claims)  # so that the prompt is computed once
        probabilities = torch.softmax(logits[0].double(), -1).float().numpy()
        allowed = unpack(guide.mask(state), len(probabilities))
        allowed[list(model.vocabulary.eos)] = False
        return (
            probabilities,
            allowed,
            float(probabilities[~allowed].sum(dtype=float)) if guide.accepting(state) else 0.0,
        )

    def counted(ids: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, float]:
        begun["positions"] += 1
        if begun["positions"] > 40 * tries:
            raise _OverTries
        return law(ids)

    return counted


def truth(law: Law) -> dict[tuple[int, ...], float]:
    """Every token sequence, by the logits of single rows."""
    texts, level = dict[tuple[int, ...], float](), [((), 1.0)]
    while level:
        ids, mass = level.pop()
        probabilities, allowed, stop = law(ids)
        if stop:
            texts[ids] = mass * stop
        level += [((*ids, t), mass * float(probabilities[t])) for t in np.flatnonzero(allowed).tolist()]
    return texts


def positions_of(model: oc.Model) -> int:
    _, tries = vars(model)["_exact_tries"]
    return sum(masses.positions for masses in tries.values())


def check(model: oc.Model) -> None:
    prompt, _ = LANGUAGES["12 cities"]
    generator = oc.generate.choice(model, CITIES[2:5], oc.samplers.exact(400))
    texts = truth(law_of(model, generator, prompt, 10**9))
    state = oc.continuous(generator)(prompt, seed=0)
    counts = Counter(row.ids[row.spans[-1].start :] for row in state.rows[0])
    total = fsum(texts.values())
    p = chi_square([counts[ids] for ids in texts], [mass / total for mass in texts.values()])
    bound = state.particles.log_evidence.exp().item()
    assert counts.keys() <= texts.keys() and p > 1e-4 and bound >= total * (1 - 1e-5), (p, bound, total)
    print(f"{len(texts)} spellings of 3 cities, 400 draws: chi-square p = {p:.3f}; mass {total:.3g}, bound {bound:.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--tries", type=int, default=3000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    model = oc.load(options.folder) if options.folder else oc.load()
    check(model)
    for name, (prompt, make) in LANGUAGES.items():
        vars(model).pop("_exact_tries", None)
        generator, begun = make(model, oc.samplers.exact(options.samples)), process_time()
        state = oc.continuous(generator)(prompt, seed=1)
        seconds = process_time() - begun
        ours = positions_of(model) / options.samples
        told = f"{name:10} exact: {ours:7.2f} positions a sample, {seconds:5.2f} s in all"
        bound = state.particles.log_evidence.exp().item()
        reference = CarsReference(law_of(model, generator, prompt, options.tries), 40, Random(1))
        drawn = 0
        try:
            while drawn < options.samples and reference.tries < options.tries:
                reference.draw()
                drawn += 1
        except _OverTries:
            pass
        theirs = reference.positions / drawn if drawn else float("inf")
        share = f"{ours / theirs:.3f} of it" if drawn else "it drew nothing"
        distinct = f"{len(reference.seen) / max(drawn, 1):.2f} of them distinct"
        print(
            f"{told}; reference: {theirs:8.2f}, {distinct} ({drawn} samples, {reference.tries} tries), {share}; "
            f"mass ≤ {bound:.2g}"
        )


if __name__ == "__main__":
    main()
