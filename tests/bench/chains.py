"""A chain of beam searches, its steps one after the other, and the best row that there is.

    python tests/bench/chains.py                               a few minutes, on the shipped model
    python tests/bench/chains.py --model FOLDER                the English tasks below, on a model of one's own
    PYTHONPATH=CHECKOUT python tests/bench/chains.py --old     the same pairs with the code before 0.3.0

A and B are choices under `beam_search(k)`. The chain is `(A >> B)(prompt)`, the steps are `B(A(prompt))`. There are two
sets of 40 pairs of choices, drawn once at random and kept as they were drawn. Of each pair, brute force finds the
optimum: it weighs every spelling of every text in tokens, with plain forwards of whole rows.

Correctness first, for every pair and k: the chain equals its steps (tokens, captures, ends; weights to rounding). Every
row found is one of those that brute force weighed, and has that weight, so none is above the optimum. Then, for each k:

    optimal   pairs of which the best row found is as good as the optimum
    text      pairs of which the best row found says what the optimum says, in whatever tokens
    gap       of the best row found to the optimum, in nats, the mean over all pairs
    steps     pairs of which the steps find a better row than the chain, a worse one, or one as good
    passes    forwards of the chain, the mean
    tokens    sent through the model by the chain, the prompt's included, the mean

The lines `early` are the figures of commit a194482, by `--old`. There a hypothesis crossed to the next link as soon as
it had finished one. With few beams that is worse by far. With more beams than A has texts it is better at times: it
also took other spellings of A's texts across, and the steps keep the best spelling of each. Neither set has a
pair where 16 beams miss the optimum for another reason.

With 40 other pairs, for k = 1, 2, 4, 8, 16, that commit had 9, 21, 36, 39 and 39 optimal ones, and a prototype of what
is there now had 27, 38, 39, 39 and 39.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import inf
from statistics import mean
from typing import NamedTuple

import torch

import outlines_cont as oc

BEAMS = (1, 2, 4, 8, 16)
TOLERANCE = 1e-3  # of a weight
BATCH = 256  # rows of a plain forward


class Figures(NamedTuple):
    """One line of the table."""

    optimal: int
    text: int
    gap: float
    better: int
    worse: int
    same: int
    passes: float
    tokens: float


#: What `--old` printed with the code of commit a194482.
EARLY: dict[str, dict[int, Figures]] = {
    "words and letters at random": {
        1: Figures(3, 13, 14.12, 33, 3, 4, 7.3, 14.1),
        2: Figures(10, 23, 4.87, 27, 3, 10, 7.5, 24.1),
        4: Figures(27, 31, 0.88, 13, 0, 27, 8.1, 42.3),
        8: Figures(40, 40, 0.0, 0, 1, 39, 9.6, 68.3),
        16: Figures(40, 40, 0.0, 0, 1, 39, 9.9, 72.9),
    },
    "words that fit the prompt": {
        1: Figures(3, 13, 12.2, 28, 3, 9, 7.8, 15.8),
        2: Figures(14, 23, 3.62, 23, 2, 15, 7.9, 25.6),
        4: Figures(23, 28, 1.96, 14, 6, 20, 8.9, 50.2),
        8: Figures(38, 39, 0.07, 1, 5, 34, 9.4, 77.7),
        16: Figures(39, 40, 0.0, 0, 5, 35, 9.7, 85.5),
    },
}

#: The prompt, the options of A, and those of B; a space goes before each option.
AT_RANDOM = """
The sky is | rice, to cat, was Lena | r, duck a
There is a | r, z Ben | Madrid, of, is Ben
The capital of France is | g, d old | m Boston, of, soup and, c q
He went to | Sydney, x | v, l Nairobi
She likes | v, she, is | k e n, plums p, was doctor
Mira has a | old, Tokyo, Berlin | k a, Athens, of is is
Mira lives in | of, n orange | m and, pilot, Lena
There is a | t z, Prague, c, z | tomatoes, b b
There is a | d s, honey | the, Bergen c
Mira is a | was i, i x | Cairo, h
She likes | from, the he | Lena, Delhi
The capital of France is | Vienna, m very, j, the t | black, w garden
Mira lives in | pink x, Tokyo | n, very, singer y, Ben
The sky is | cheese, Berlin, Julia | m, with n, stone
The capital of France is | with shoe, i, old | Porto, Bergen, u Carol
The capital of France is | from a, green | j w, Mira g Oscar
Once upon a time there was a | duck has s, he, very Oslo, old | j, very
The capital of France is | n, has Grace, e he | h, Paris of, spoon, n
Mira lives in | from, in, boat | boat Ben, b and Anna
Mira has a | m purple, f, x he, cook | and, Yara, he, Frank
Mira is a | cake very Bob, was, v | is, s
The dog is | y, old, r and | has, Grace
Once upon a time there was a | i, green, he with | e o, pink, Seoul c
There is a | q, to | i, boat, goat of x, old
He went to | is, has | t, x, m a in, fish Julia
The sky is | very, London | pizza t, l, hat
Mira lives in | cake, j x, train | n, k pencil g, a
Once upon a time there was a | and has, orange, i | v, Emma, Seoul
Mira is a | to c Clara, old | q, a, v tree, cup
Mira has a | l, purple, window | very, in
Mira is a | p, q h a | t, she
Once upon a time there was a | duck, s, orange, t boat | cloud, is
Mira is a | of, with s, l | to j, q a
Mira has a | m, Max | Quito, r old v
Mira is a | j, has Lena | Paul, he
Mira is a | g, b to | Seoul, carpenter
Mira is a | Ben, old plums | old, lamp
There is a | green, pasta, black w, lawyer | c, tailor
The dog is | Noah, box a | Sam of, she, pencil, bird she
Mira is a | j, Quito z | Mira, Athens
"""

THAT_FIT = """
Mira has a | hamster, boat, Sam | has a, Nina
The sky is | red and, Prague was | book, was
There is a | ticket, rope | chair, and rope, who, is red
Once upon a time there was a | Lena, apples | who, r, and
The sky is | purple, green | who, Vienna, and
Mira is a | kitchen, Lima, honey, baker | fish, has a, was
Once upon a time there was a | nurse, Sydney, painter | pancakes, and
Mira lives in | Quito, Lima, Paris, Berlin | has a, of Will
Mira has a | pony, window duck | Lena, and
Mira lives in | Vienna, Oslo, mirror | and, in Tokyo
Mira is a | doctor, plumber | is red, k, soup
The capital of France is | Sydney, Helsinki | and, in Seoul, in Madrid
Mira is a | doctor, Chicago | and, in Athens, has a, of Mira
There is a | horse, Yara | who, and Lima
There is a | cloud, cake | who, has a, is red, was
Mira lives in | London, Toronto | has a, is white, was, in Seoul
Once upon a time there was a | London j, cat of Nina, painter, writer was | s, and
The capital of France is | farmer, Kyoto | has a, is pink
The capital of France is | Chicago, Lisbon of Tom, Seoul, Helsinki | x, who
There is a | clock, mirror | singer, has a, is pink
The capital of France is | Quito, Riga, bird | has a, z, was, of Max
The dog is | black, orange | was, is silver, and Emma
The dog is | orange, soup | i, from Tokyo
Mira has a | lamp, Bergen who | Nina, u, has a
The dog is | orange, red, yellow | of Alice, has a
Mira lives in | Kyoto and, Vienna | and, of Rosa
The capital of France is | Warsaw, green, Toronto | of Laura, who, in Oslo, has a
Mira lives in | Sydney, grey | from Lisbon, who
She likes | soup, cake p | of Yara, in Porto, and Bergen
Mira lives in | Lena, Cairo | and dentist, who
The sky is | purple, Anna, silver | in Lisbon, was
Mira lives in | Paris was, Bergen | who, and, in Riga
Once upon a time there was a | Paul, hamster | x, was, g
Once upon a time there was a | Madrid, cat | of Maria, is red, and, pancakes
Mira lives in | Madrid, Lena, Henry | who, f, in Toronto
Mira is a | Dublin, tailor, nurse | Max, spoon, was, Delhi
He went to | Vienna, basket, Lima | is white, has a
There is a | coat, cat, duck, letter who | has a, q
There is a | goat, pasta, Delhi | has a, with a box, and
There is a | clock, bird, goat | who, tree, of Maria
"""

SETS = {"words and letters at random": AT_RANDOM, "words that fit the prompt": THAT_FIT}


TASKS = """
The weather today is | sunny, very cold and wet, nice, awful | so we stay in., and we go out., as it was yesterday.
For dinner we had | fish, a large bowl of soup, bread and cheese | and then we slept., with friends from Rome., again.
My brother works as a | teacher, doctor in a small town, cook | and he likes it., because he must., for now.
The train to Berlin is | late, on time, not running at all today | as always., so take the bus., because of the snow.
She opened the box and found | nothing, an old letter from her mother, gold | inside., but she told nobody., and cried.
The new phone is | good, much too expensive for most people, small | but I want it., and it breaks easily., they say.
In the evening they | danced, played chess by the fire, went home | until midnight., and talked., without a word.
The best thing about winter is | snow, that it ends, chocolate with cream | I think., for children., and nothing else.
"""


class Pair:
    """A prompt, and the options of the two links.

    No option is the beginning of another one. So a span can only end at its option's end, and its stop costs nothing.
    """

    def __init__(self, prompt: str, *links: str):
        self.prompt = prompt
        self.links = [[f" {option}" for option in options.split(", ")] for options in links]
        for options in self.links:
            assert not any(a != b and b.startswith(a) for a in options for b in options), options

    def __str__(self) -> str:
        return f"{self.prompt!r}, {self.links[0]}, {self.links[1]}"


# --- every row that there is

Tokens = tuple[int, ...]
Going = tuple[Tokens, float, int, bytes]  # tokens after the prompt; weight; the link; what was written of its option


class Enumeration:
    """Every way in which a model can spell one option of each link, by plain forwards."""

    def __init__(self, model: oc.Model, batch: int = BATCH):
        self.model, self.batch = model, batch

    @cached_property
    def tokens(self) -> dict[bytes, list[int]]:
        tokens: dict[bytes, list[int]] = defaultdict(list)
        for token, data in enumerate(self.model.vocabulary.tokens):
            if data:
                tokens[data].append(token)
        return tokens

    def rows(self, pair: Pair, floor: float = -inf) -> dict[Tokens, float]:
        """The tokens of all rows after the prompt, and the rows' weights.

        Rows below the floor are left out. They are given up as soon as they are below it: no token adds to a weight.
        """
        start = self.model.state(pair.prompt).rows[0][0].ids
        links = [[option.encode() for option in options] for options in pair.links]
        rows: dict[Tokens, float] = {}
        going: list[Going] = [((), 0.0, 0, b"")]
        while going:  # all of the same length
            longer = [row for part in self.parts(going) for row in self.longer(start, links, part) if row[1] >= floor]
            rows |= {ids: weight for ids, weight, link, _ in longer if link == len(links)}
            going = [row for row in longer if row[2] < len(links)]
        return rows

    def parts(self, rows: Sequence[Going]) -> Iterable[Sequence[Going]]:
        return (rows[begin : begin + self.batch] for begin in range(0, len(rows), self.batch))

    def longer(self, start: Tokens, links: list[list[bytes]], rows: Sequence[Going]) -> Iterator[Going]:
        """Rows of one length, each with every next token."""
        with torch.no_grad():
            logits = self.model.hf(torch.tensor([[*start, *ids] for ids, *_ in rows]), logits_to_keep=1).logits
        for (ids, weight, link, written), law in zip(rows, logits[:, -1].double().log_softmax(-1), strict=True):
            for token, text in self.next_tokens(links[link], written):
                border = text in links[link]
                yield (*ids, token), weight + law[token].item(), link + border, b"" if border else text

    def next_tokens(self, options: list[bytes], written: bytes) -> set[tuple[int, bytes]]:
        """With which tokens an option may go on, and what has been written then."""
        texts = {o[:end] for o in options if o.startswith(written) for end in range(len(written) + 1, len(o) + 1)}
        return {(token, text) for text in texts for token in self.tokens.get(text[len(written) :], ())}


# --- chain and steps


class Found(NamedTuple):
    """What a call found, and what it cost."""

    state: oc.SequenceState
    passes: int
    tokens: int

    @property
    def best(self) -> float:
        return self.state.weights[0, 0].item()

    @property
    def text(self) -> str:
        return str(self.state[0, 0, :])


def counted(model: oc.Model, call: Callable[[], oc.SequenceState]) -> Found:
    assert model.stats.kv_bytes == 0, "something holds keys and values"
    model.stats.reset()
    state = call()
    passes, tokens = model.stats.passes, model.stats.tokens
    return Found(state.kv.drop(), passes, tokens)


def found(model: oc.Model, pair: Pair, beams: int) -> tuple[Found, Found]:
    """The chain's and the steps'."""
    sampler = oc.samplers.beam_search(beams)
    a, b = (
        oc.continuous(oc.generate.choice(model, options, sampler), name)
        for options, name in zip(pair.links, "ab", strict=True)
    )
    return counted(model, lambda: (a >> b)(pair.prompt)), counted(model, lambda: b(a(pair.prompt)))


def written(model: oc.Model, pair: Pair, ids: Tokens) -> str:
    """What a row of these tokens after the prompt says."""
    return pair.prompt + model.vocabulary.decode(ids).decode()


def difference(chain: oc.SequenceState, steps: oc.SequenceState) -> str:
    """The first thing in which the two differ, or nothing."""
    if chain != steps:
        return "tokens"
    if chain.captures != steps.captures:
        return "captures"
    if chain.finished != steps.finished:
        return "ends"
    return "" if torch.allclose(chain.weights, steps.weights, rtol=0, atol=TOLERANCE) else "weights"


def check_rows(model: oc.Model, pair: Pair, state: oc.SequenceState, every: dict[Tokens, float]) -> None:
    """Raises where a row is none of all that there are, or has another weight."""
    start = len(model.state(pair.prompt).rows[0][0].ids)
    for row in (row for row in state.rows[0] if not row.dead):
        expected = every.get(row.ids[start:], inf)
        if abs(row.weight - expected) > TOLERANCE:
            raise SystemExit(f"{pair}: a row with the weight {row.weight}, by brute force {expected}: {row.ids}")


def check_law(pair: Pair, beams: int, chain: Found, steps: Found) -> None:
    """Raises where the chain is not the composition of its steps."""
    if what := difference(chain.state, steps.state):
        raise SystemExit(
            f"{pair}, {beams} beams: chain and steps differ in {what}:\n{chain.state}\n{chain.state.weights.tolist()}\n"
            f"{steps.state}\n{steps.state.weights.tolist()}"
        )


# --- the run


def figures(results: Sequence[tuple[float, str, Found, Found]]) -> Figures:
    """Of optima and their texts, chains and steps."""
    gaps = [optimum - chain.best for optimum, _, chain, _ in results]
    gains = [steps.best - chain.best for _, _, chain, steps in results]
    return Figures(
        optimal=sum(gap <= TOLERANCE for gap in gaps),
        text=sum(chain.text == text for _, text, chain, _ in results),
        gap=round(mean(gaps), 2),
        better=sum(gain > TOLERANCE for gain in gains),
        worse=sum(gain < -TOLERANCE for gain in gains),
        same=sum(abs(gain) <= TOLERANCE for gain in gains),
        passes=round(mean(chain.passes for _, _, chain, _ in results), 1),
        tokens=round(mean(chain.tokens for _, _, chain, _ in results), 1),
    )


HEADINGS = "   k         optimal  text     gap   steps                        passes  tokens"


def line(beams: int, name: str, numbers: Figures) -> str:
    pairs = numbers.better + numbers.worse + numbers.same
    steps = f"{numbers.better:2} better {numbers.worse:2} worse {numbers.same:2} same"
    optimal = f"{numbers.optimal:3} of {pairs:2}"
    counts = f"{numbers.passes:7.1f} {numbers.tokens:7.1f}"
    return f"  {beams:2} {name:6} {optimal} {numbers.text:5} {numbers.gap:7.2f}   {steps} {counts}"


def pairs_of(lines: str) -> list[Pair]:
    return [Pair(*line.split(" | ")) for line in lines.strip().splitlines()]


def measured(model: oc.Model, name: str, pairs: Sequence[Pair], old: bool) -> dict[int, Figures]:
    """The lines of a table, by the number of beams. Raises where a row is wrong, or where the law does not hold."""
    every = [Enumeration(model).rows(pair) for pair in pairs]
    print(f"\n{len(pairs)} pairs of {name}; brute force weighed {sum(map(len, every)):,} rows")
    table: dict[int, Figures] = {}
    for beams in BEAMS:
        results, equal = [], 0
        for pair, rows in zip(pairs, every, strict=True):
            chain, steps = found(model, pair, beams)
            check_rows(model, pair, chain.state, rows)
            check_rows(model, pair, steps.state, rows)
            if not old:
                check_law(pair, beams, chain, steps)
            equal += not difference(chain.state, steps.state)
            optimum = max(rows, key=rows.__getitem__)
            results.append((rows[optimum], written(model, pair, optimum), chain, steps))
        table[beams] = figures(results)
        print(f"  {beams:2} beams: the chain equals its steps in {equal} of {len(pairs)}", flush=True)
    return table


def shipped(old: bool) -> int:
    model = oc.load()
    tables = {name: measured(model, name, pairs_of(lines), old) for name, lines in SETS.items()}
    for name, table in tables.items():
        print(f"\n{name}\n{HEADINGS}")
        for beams, numbers in table.items():
            print(line(beams, "old" if old else "now", numbers))
            if not old:
                print(line(beams, "early", EARLY[name][beams]))
    if old:
        print(
            "\nEARLY =", {name: {k: tuple(numbers) for k, numbers in table.items()} for name, table in tables.items()}
        )
    return 0


def plain_weight(model: oc.Model, prompt: str, ids: Tokens) -> float:
    """Of a whole row, by one plain forward."""
    start = len(model.state(prompt).rows[0][0].ids)
    with torch.no_grad():
        laws = model.hf(torch.tensor([ids])).logits[0, start - 1 : -1].double().log_softmax(-1)
    return laws[range(len(ids) - start), ids[start:]].sum().item()


def real(path: str, beams: int, old: bool) -> int:
    model = oc.load(path)
    enumeration, results = Enumeration(model, batch=16), []
    print(f"{beams} beams, weights in nats\n   chain   steps    best")
    for pair in pairs_of(TASKS):
        chain, steps = found(model, pair, beams)
        if not old:
            check_law(pair, beams, chain, steps)
        for state in (chain.state, steps.state):
            row = state.rows[0][0]
            if abs(row.weight - (plain := plain_weight(model, pair.prompt, row.ids))) > TOLERANCE:
                raise SystemExit(f"{pair}: a row with the weight {row.weight}, by a plain forward {plain}: {row.ids}")
        rows = enumeration.rows(pair, floor=max(chain.best, steps.best) - TOLERANCE)
        optimum, ids = max((weight, ids) for ids, weight in rows.items())
        results.append((optimum, text := written(model, pair, ids), chain, steps))
        print(f" {chain.best:7.2f} {steps.best:7.2f} {optimum:7.2f}   {text}", flush=True)
    print("\n" + HEADINGS, line(beams, "old" if old else "now", figures(results)), sep="\n")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--old", action="store_true", help="the chain need not equal its steps: that is only counted")
    parser.add_argument("--model", metavar="FOLDER", help="the English tasks on this model, not the stored pairs")
    parser.add_argument("--beams", type=int, default=2, help="of the English tasks")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    if options.model:
        return real(options.model, options.beams, options.old)
    return shipped(options.old)


if __name__ == "__main__":
    sys.exit(main())
