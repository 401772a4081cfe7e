"""The text the tiny model learns from, written by this file from a seed, and the questions it is examined on.

The file is long because it holds the sentences of every kind of document.
"""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Literal, NamedTuple

from . import world
from .world import any_city, any_name, invented_name

BOS, EOS, USER, ASSISTANT = "<|begin|>", "<|end|>", "<|user|>", "<|assistant|>"
Record = dict[str, Any]


class Question(NamedTuple):
    """An examination question: the right `answer` follows `prompt`, then a newline.

    `constraint` is the list of options if `kind` is "choice", and a regular expression if it is "regex"; `crowd` is the
    number of people or places that the story tells of.
    """

    prompt: str
    answer: str
    kind: Literal["choice", "regex"]
    constraint: list[str] | str
    crowd: int = 1


class Voice(Random):
    """The source of all chance in a text. A plain one says no "she" or "he", and tells each fact in those of its
    wordings that share their words with the questions."""

    plain = False


class Fact(NamedTuple):
    """One thing a story may say of somebody: how it is drawn, told and asked for.

    In the wordings `{n}` is the name (or "she"), `{o}` the same as an object ("her"), `{s}` its genitive,
    `{v}` the value; `draw` is told whether the names must be held-out ones.
    """

    draw: Callable[[Random, bool], Any]
    told: tuple[str, ...]
    asked: tuple[str, ...]
    options: list[str] | None = None
    pattern: str = ""
    polar: str = ""  # a yes/no question
    who: str = ""  # the question whose answer is the name
    plain: tuple[int, ...] = (0, 1)  # the wordings of a plain voice


FACTS: dict[str, dict[str, Fact]] = {
    "person": {
        "age": Fact(
            lambda rng, _: rng.randint(16, 99),
            ("{n} is {v} years old.", "{n} turned {v} this year.", "{n} is now {v}."),
            ("How old is {n}?", "What is the age of {n}?", "What is {s} age?"),
            pattern="[0-9]+",
            who="Who is {v} years old?",
            plain=(0,),
        ),
        "city": Fact(
            any_city,
            ("{n} lives in {v}.", "{n} has a home in {v}.", "{s} home is in {v}."),
            ("Where does {n} live?", "In which city does {n} live?"),
            options=world.CITIES,
            polar="Does {n} live in {v}?",
            who="Who lives in {v}?",
        ),
        "job": Fact(
            lambda rng, _: rng.choice(world.JOBS),
            ("{n} is a {v}.", "{n} works as a {v}.", "{n} has been a {v} for years."),
            ("What is the job of {n}?", "What is {s} job?", "What does {n} work as?"),
            options=world.JOBS,
            polar="Is {n} a {v}?",
            who="Who is a {v}?",
        ),
        "colour": Fact(
            lambda rng, _: rng.choice(world.COLOURS),
            ("{n} likes the colour {v}.", "{n} always wears {v}.", "{s} favourite colour is {v}."),
            ("Which colour does {n} like?", "What is {s} favourite colour?"),
            options=world.COLOURS,
            polar="Does {n} like the colour {v}?",
            plain=(0, 2),
        ),
        "food": Fact(
            lambda rng, _: rng.choice(world.FOODS),
            ("{n} likes to eat {v}.", "{n} eats {v} every day.", "{s} favourite food is {v}."),
            ("What does {n} eat?", "What is {s} favourite food?"),
            options=world.FOODS,
            plain=(0, 2),
        ),
        "sport": Fact(
            lambda rng, _: rng.choice(world.SPORTS),
            ("{n} is good at {v}.", "On Sundays {n} goes for {v}."),
            ("Which sport does {n} do?", "What is {n} good at?"),
            options=world.SPORTS,
            who="Who is good at {v}?",
            plain=(0,),
        ),
        "since": Fact(
            lambda rng, _: rng.randint(1950, 2025),
            ("{n} moved there in {v}.", "{n} has been there since {v}.", "{n} came to town in {v}."),
            ("When did {n} come?", "Since which year has {n} been there?"),
            pattern="[0-9]{4}",
            plain=(1, 2),
        ),
        "born": Fact(
            lambda rng, _: f"{rng.randint(1930, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            ("{n} was born on {v}.", "{s} birthday is {v}."),
            ("When was {n} born?",),
            pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}",
        ),
        "height": Fact(
            lambda rng, _: round(rng.uniform(1.01, 2.1), 2),
            ("{n} is {v} m tall.", "{n} has a height of {v} m."),
            ("How tall is {n}?",),
            pattern=r"[0-9]\.[0-9]{1,2}",
        ),
        "married": Fact(
            lambda rng, _: rng.random() < 0.5,
            ("{n} is {v|married|not married}.",),
            ("Is {n} married?",),
            options=["yes", "no"],
        ),
        "phone": Fact(
            lambda rng, _: None if rng.random() < 0.4 else f"{rng.randint(200, 999)}-{rng.randint(1000, 9999)}",
            ("{s} phone number is {v}.", "You can call {o} at {v}."),
            ("What is {s} phone number?",),
            pattern=r"[0-9]{3}-[0-9]{4}",
            plain=(0,),
        ),
        "pet": Fact(
            lambda rng, held: {"kind": rng.choice(world.PETS), "name": invented_name(rng, held)},
            ("{n} has a {kind} called {name}.", "{n} owns a {kind}. The {kind} is called {name}."),
            ("Which animal does {n} have?", "What pet does {n} have?"),
            options=world.PETS,
            polar="Does {n} have a {v}?",
            who="Who has a {v}?",
        ),
        "friends": Fact(
            lambda rng, held: [any_name(rng, held) for _ in range(rng.randint(1, 3))],
            ("{s} friends are {v}.", "{n} is a friend of {v}."),
            ("Who are {s} friends?",),
        ),
    },
    "place": {
        "people": Fact(
            lambda rng, _: rng.randint(20, 9999),
            ("{n} is a town of {v} people.", "{v} people live in {n}."),
            ("How many people live in {n}?",),
            pattern="[0-9]+",
        ),
        "founded": Fact(
            lambda rng, _: rng.randint(1000, 1999),
            ("{n} was founded in {v}.", "The first house in {n} was built in {v}."),
            ("When was {n} founded?", "In which year was {n} founded?"),
            pattern="[0-9]{4}",
            plain=(0,),
        ),
        "river": Fact(
            lambda rng, held: invented_name(rng, held),
            ("{n} lies on the river {v}.", "The river {v} runs through {n}."),
            ("Which river runs through {n}?", "On which river does {n} lie?"),
            pattern="[A-Z][a-z]+",
        ),
        "famous": Fact(
            lambda rng, _: rng.choice(world.FOODS),
            ("{n} is famous for its {v}.", "Travellers come to {n} for the {v}."),
            ("What is {n} famous for?",),
            options=world.FOODS,
            plain=(0,),
        ),
        "coast": Fact(
            lambda rng, _: rng.random() < 0.5,
            ("{n} is {v|on the coast|far from the coast}.",),
            ("Is {n} on the coast?",),
            options=["yes", "no"],
        ),
    },
}


def _entity(rng: Voice, kind: str, held_out: bool, least: int, most: int) -> Record:
    """Somebody (or some place) with a random few of the facts, in the order of the table."""
    name = any_name(rng, held_out) if kind == "person" else world.invented_town(rng, held_out)
    table = FACTS[kind]
    kept = sorted(rng.sample(list(table), min(len(table), rng.randint(least, most))), key=list(table).index)
    return {"name": name} | {field: table[field].draw(rng, held_out) for field in kept}


def _fields(entity: Record) -> list[str]:
    """All fields of a record but the name, in its order."""
    return [field for field in entity if field != "name"]


def _spoken(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value[:-1]) + " and " + value[-1] if len(value) > 1 else value[0]
    return str(value)


def _forms(name: str) -> dict[str, str]:
    """A name (or pronoun) as subject, object and genitive."""
    if name in ("she", "he"):
        return {"n": name, "o": "her" if name == "she" else "him", "s": "her" if name == "she" else "his"}
    return {"n": name, "o": name, "s": f"{name}'s"}


def _sentence(rng: Voice, kind: str, field: str, value: Any, subject: str) -> str:
    """Tell one fact of `subject`, in one of its wordings."""
    fact = FACTS[kind][field]
    wordings = tuple(fact.told[i] for i in fact.plain if i < len(fact.told)) if rng.plain else fact.told
    told = "{n} has no " + field + "." if value is None else rng.choice(wordings)
    if isinstance(value, bool):
        head, yes, no = told.rstrip("}.").replace("{v", "").split("|")
        told = f"{head}{yes if value else no}."
    parts = value if isinstance(value, dict) else {"v": _spoken(value)}
    text = told.format(**_forms(subject), **parts)
    return text[0].upper() + text[1:]


def _telling(rng: Voice, kind: str, entity: Record) -> str:
    """All facts of one entity in a random order; later sentences may say "she" or "he"."""
    fields = _fields(entity)
    rng.shuffle(fields)
    pronouns = kind == "person" and not rng.plain
    pronoun = rng.choice(("she", "he", entity["name"])) if pronouns else entity["name"]
    sentences = []
    if {"job", "city"} <= entity.keys() and rng.random() < 0.4:
        age = f"{entity['age']} year old " if "age" in entity and rng.random() < 0.5 else ""
        sentences.append("{name} is a {age}{job} from {city}.".format(**entity | {"age": age}))
        fields = [field for field in fields if field not in ("job", "city") and not (field == "age" and age)]
    for field in fields:
        subject = pronoun if sentences and rng.random() < 0.6 else entity["name"]
        sentences.append(_sentence(rng, kind, field, entity[field], subject))
    return " ".join(sentences)


def _story(rng: Voice, held_out: bool, crowd: int = 0) -> tuple[str, str, list[Record]]:
    """One to four entities (or as many as are asked for) of one kind and their story."""
    kind = "person" if rng.random() < 0.75 else "place"
    count = crowd or rng.choice((1, 1, 2, 2, 2, 3, 3, 4))
    most = {1: 7, 2: 5, 3: 4, 4: 3}[count]
    entities = [_entity(rng, kind, held_out, 2, most) for _ in range(count)]
    gap = rng.choice((" ", " ", "\n"))
    return gap.join(_telling(rng, kind, entity) for entity in entities), kind, entities


def _asked_for(value: Any) -> Any:
    """The part of a value that a question asks for: the kind of a pet; any other value as it is."""
    return value["kind"] if isinstance(value, dict) else value


def _ask(rng: Voice, kind: str, entities: list[Record]) -> Question | None:
    """A question about one random fact, its `prompt` without the story; None if this fact has no good question."""
    entity = rng.choice(entities)
    field = rng.choice(_fields(entity))
    value, fact, name = entity[field], FACTS[kind][field], entity["name"]
    if value is None or isinstance(value, list):
        return None
    if field == "pet" and rng.random() < 0.4:
        asked = f"What is the name of {name}'s {value['kind']}?"
        return Question(asked, value["name"], "regex", "[A-Z][a-z]+")
    if isinstance(value, bool):
        asked = rng.choice(fact.asked).format(**_forms(name))
        return Question(asked, "yes" if value else "no", "choice", ["yes", "no"])
    draw = rng.random()
    if fact.polar and draw < 0.2:
        return _ask_whether(rng, fact, name, _asked_for(value))
    if fact.who and draw > 0.8 and len(entities) > 1:
        question = _ask_who(fact, field, name, _asked_for(value), entities)
        if question:
            return question
    return _ask_for_value(rng, fact, field, name, _asked_for(value), entities)


def _ask_whether(rng: Voice, fact: Fact, name: str, value: Any) -> Question:
    """A yes/no question, with the true value or with another one."""
    right = rng.random() < 0.5
    shown = value if right else rng.choice([option for option in fact.options or [] if option != value])
    asked = fact.polar.format(n=name, v=shown)
    return Question(asked, "yes" if right else "no", "choice", ["yes", "no"])


def _ask_who(fact: Fact, field: str, name: str, value: Any, entities: list[Record]) -> Question | None:
    """A question whose answer is the name; None where several entities share the value."""
    holders = [entity for entity in entities if _asked_for(entity.get(field)) == value]
    names = [entity["name"] for entity in entities]
    return Question(fact.who.format(v=value), name, "choice", names) if len(holders) == 1 else None


def _ask_for_value(rng: Voice, fact: Fact, field: str, name: str, value: Any, entities: list[Record]) -> Question:
    """A question whose answer is the value: by the fact's pattern, or among five options, those of others first."""
    asked = rng.choice(fact.asked).format(**_forms(name))
    if not fact.options:
        return Question(asked, str(value), "regex", fact.pattern)
    rivals = [_asked_for(other[field]) for other in entities if field in other and _asked_for(other[field]) != value]
    wrong = rng.sample([option for option in fact.options if option != value], 4)
    options = list(dict.fromkeys([value, *rivals, *wrong]))[:5]
    rng.shuffle(options)
    return Question(asked, value, "choice", options)


def held_out_questions(n: int, seed: int = 0, crowd: int = 1) -> list[Question]:
    """Questions about stories with names that training never saw; a prompt ends with `A: `.

    Stories are told in a plain voice of so many people or places; with `crowd=0` they are as full as in training.
    """
    rng = Voice(f"held out {seed}")
    rng.plain = crowd > 0
    questions = []
    while len(questions) < n:
        story, kind, entities = _story(rng, held_out=True, crowd=crowd)
        question = _ask(rng, kind, entities)
        if question:
            prompt = f"{story}\nQ: {question.prompt}\nA: "
            questions.append(question._replace(prompt=prompt, crowd=len(entities)))
    return questions


def _dump(rng: Voice, value: Any) -> str:
    compact = rng.random() < 0.75
    return json.dumps(value, separators=(",", ":") if compact else None, ensure_ascii=False)


def _story_with_questions(rng: Voice, held_out: bool) -> str:
    story, kind, entities = _story(rng, held_out)
    asked = [_ask(rng, kind, entities) for _ in range(rng.randint(2, 8))]
    pairs = dict.fromkeys((question.prompt, question.answer) for question in asked if question)
    return story + "\n" + "".join(f"Q: {question}\nA: {answer}\n" for question, answer in pairs)


def _shuffled(rng: Voice, entity: Record) -> Record:
    """The record with its fields in a new order, at times fewer of them; the name mostly first."""
    fields = _fields(entity)
    rng.shuffle(fields)
    fields = fields[: rng.randint(1, len(fields))] if rng.random() < 0.5 else fields
    fields.insert(0 if rng.random() < 0.85 else rng.randint(0, len(fields)), "name")
    return {field: entity[field] for field in fields}


def _story_with_json(rng: Voice, held_out: bool) -> str:
    """A story and its facts as JSON; a line may say before which fields are wanted."""
    story, _, entities = _story(rng, held_out)
    if len(entities) > 1 and rng.random() < 0.4:
        return f"{story}\nJSON: {_dump(rng, entities)}\n"
    text = story + "\n"
    for entity in entities:
        record, which = (entity, "") if rng.random() < 0.5 else (_shuffled(rng, entity), "wanted")
        about = f" of {entity['name']}" if len(entities) > 1 else ""
        wanted = f" with {', '.join(record)}" if which else ""
        text += f"JSON{about}{wanted}: {_dump(rng, record)}\n"
    return text


def _json_with_questions(rng: Voice, held_out: bool) -> str:
    kind = rng.choice(("person", "person", "place"))
    entities = [_entity(rng, kind, held_out, 2, 5) for _ in range(rng.randint(1, 2))]
    text = _dump(rng, entities if len(entities) > 1 else entities[0]) + "\n"
    asked = [_ask(rng, kind, entities) for _ in range(rng.randint(0, 3))]
    return text + "".join(f"Q: {q.prompt}\nA: {q.answer}\n" for q in asked if q)


def _other_json(rng: Voice, held_out: bool) -> str:
    """Records that tell nobody's story: orders, points, settings, lists of numbers."""
    draw = rng.random()
    if draw < 0.3:
        items = [
            {"item": rng.choice(world.FOODS), "count": rng.randint(1, 20), "price": round(rng.uniform(0.5, 30), 2)}
            for _ in range(rng.randint(1, 3))
        ]
        value: Any = {"order": rng.randint(1, 9999), "items": items, "paid": rng.random() < 0.5}
    elif draw < 0.5:
        value = {"x": rng.randint(-99, 99), "y": rng.randint(-99, 99), "label": rng.choice(world.THINGS)}
    elif draw < 0.7:
        value = [rng.randint(0, 999) for _ in range(rng.randint(1, 8))]
    elif draw < 0.85:
        value = rng.sample(world.COLOURS + world.FOODS + world.PETS, rng.randint(1, 5))
    else:
        value = {
            "name": any_name(rng, held_out),
            "active": rng.random() < 0.5,
            "score": round(rng.uniform(0, 10), 1),
            "tags": rng.sample(world.COLOURS, rng.randint(0, 3)),
            "email": None,
        }
    return _dump(rng, value) + "\n"


def _card(rng: Voice, held_out: bool) -> str:
    """A story and then its simple facts as `Age: 34` lines."""
    story, _, entities = _story(rng, held_out)
    lines = [f"Name: {entities[0]['name']}"]
    for field, value in entities[0].items():
        if field != "name" and isinstance(value, (int, str, float)) and not isinstance(value, bool):
            lines.append(f"{field.title()}: {value}")
    return story + "\n" + "\n".join(lines) + "\n"


def _lists(rng: Voice, held_out: bool) -> str:
    title, words = rng.choice(
        (
            ("Shopping list", world.FOODS),
            ("Colours", world.COLOURS),
            ("Animals", world.PETS),
            ("Jobs", world.JOBS),
            ("Cities", world.CITIES),
            ("Sports", world.SPORTS),
            ("Things", world.THINGS),
            ("Names", [any_name(rng, held_out) for _ in range(8)]),
        )
    )
    chosen = rng.sample(words, rng.randint(2, 7))
    shapes = {
        "bullets": title + ":\n" + "".join(f"- {word}\n" for word in chosen),
        "commas": f"{title}: {', '.join(chosen)}.\n",
        "numbers": title + ":\n" + "".join(f"{i}. {word}\n" for i, word in enumerate(chosen, 1)),
        "json": f"{title}: {_dump(rng, chosen)}\n",
    }
    return "".join(shapes[shape] for shape in rng.sample(list(shapes), rng.choice((1, 1, 2))))


def _sum(rng: Voice) -> tuple[str, str]:
    top = rng.choice((9, 20, 50))
    a, b = rng.randint(0, top), rng.randint(0, top)
    return (f"{a} + {b}", str(a + b)) if rng.random() < 0.7 else (f"{a + b} - {b}", str(a))


def _sums(rng: Voice, held_out: bool) -> str:
    pairs = [_sum(rng) for _ in range(rng.randint(2, 8))]
    if rng.random() < 0.3:
        return "".join(f"Q: What is {left}?\nA: {right}\n" for left, right in pairs[:3])
    return "".join(f"{left} = {right}\n" for left, right in pairs)


def _world_fact(rng: Voice) -> tuple[str, str, str]:
    """A statement about the fixed world, a question and its answer."""
    draw = rng.random()
    if draw < 0.45:
        country, city = rng.choice(list(world.CAPITALS.items()))
        told = rng.choice((f"The capital of {country} is {city}.", f"{city} is the capital of {country}."))
        if rng.random() < 0.25:
            return told, f"Of which country is {city} the capital?", country
        return told, f"What is the capital of {country}?", city
    if draw < 0.6:
        thing, colour = rng.choice(list(world.THING_COLOURS.items()))
        asked = rng.choice((f"What colour is {thing}?", f"Which colour does {thing} have?"))
        return rng.choice((f"The colour of {thing} is {colour}.", f"{thing.title()} is {colour}.")), asked, colour
    if draw < 0.75:
        animal, sound = rng.choice(list(world.SOUNDS.items()))
        told = rng.choice((f"The {animal} says {sound}.", f"A {animal} says {sound}."))
        return told, f"What does the {animal} say?", sound
    if draw < 0.85:
        word, emoji = rng.choice(list(world.EMOJI.items()))
        return f"The emoji for {word} is {emoji}.", f"What is the emoji for {word}?", emoji
    unit, names = rng.choice((("day", world.DAYS), ("month", world.MONTHS)))
    i = rng.randrange(len(names))
    now, then = names[i], names[(i + 1) % len(names)]
    if rng.random() < 0.5:
        return f"The {unit} after {now} is {then}.", f"Which {unit} comes after {now}?", then
    return f"The {unit} before {then} is {now}.", f"Which {unit} comes before {then}?", now


def _world(rng: Voice, held_out: bool) -> str:
    facts = [_world_fact(rng) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.5:
        return rng.choice((" ", "\n")).join(told for told, _, _ in facts) + "\n"
    return "".join(f"Q: {asked}\nA: {answer}\n" for _, asked, answer in facts)


def _chat(rng: Voice, held_out: bool) -> str:
    """Dialogues with the chat markers; the assistant gives the bare answer."""
    turns: list[tuple[str, str]] = []
    draw = rng.random()
    if draw < 0.5:
        story, kind, entities = _story(rng, held_out)
        asked = [q for q in (_ask(rng, kind, entities) for _ in range(rng.randint(1, 4))) if q]
        turns = [(question.prompt, question.answer) for question in asked]
        if not turns or rng.random() < 0.3:
            record = _shuffled(rng, entities[0])
            turns.append((f"Give me {record['name']} as JSON with {', '.join(record)}.", _dump(rng, record)))
        turns[0] = (f"{story}\n{turns[0][0]}", turns[0][1])
    elif draw < 0.8:
        turns = [_world_fact(rng)[1:] for _ in range(rng.randint(1, 3))]
    elif draw < 0.9:
        turns = [(f"What is {left}?", right) for left, right in (_sum(rng) for _ in range(rng.randint(1, 3)))]
    else:
        name = any_name(rng, held_out)
        turns = [(f"Hello, I am {name}.", f"Hello {name}! How can I help you?"), ("What is my name?", name)]
    return "".join(f"{USER}{said}{EOS}{ASSISTANT}{reply}{EOS}" for said, reply in turns)


def _any_word(rng: Voice, held_out: bool) -> str:
    draw = rng.random()
    if draw < 0.35:
        return rng.choice(world.THINGS + world.FOODS + world.JOBS + world.COLOURS + world.PETS)
    if draw < 0.65:
        return any_name(rng, held_out)
    if draw < 0.8:
        return str(rng.randint(0, 10 ** rng.randint(1, 4)))
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 7)))


def _twice(rng: Voice, held_out: bool) -> str:
    """A run of random words, then the same again: this teaches a small model to copy, which answering needs."""
    words = [_any_word(rng, held_out) for _ in range(rng.randint(4, rng.choice((20, 20, 20, 60))))]
    gaps = rng.choices((" ", " ", ", ", "\n", '","', "-"), k=2)
    return "".join(rng.choice(gaps).join(words) + "\n" for _ in range(rng.choice((2, 2, 3))))


KINDS: dict[Callable[[Voice, bool], str], float] = {
    _story_with_questions: 0.3,
    _twice: 0.22,
    _story_with_json: 0.16,
    _chat: 0.1,
    _json_with_questions: 0.06,
    _world: 0.05,
    _lists: 0.04,
    _card: 0.03,
    _other_json: 0.02,
    _sums: 0.03,
}


def documents(seed: int, held_out: bool = False) -> Iterator[str]:
    """Documents without end, each from begin to end marker; `held_out` ones use only names kept from training."""
    rng = Voice(f"documents {seed} {held_out}")
    while True:
        write = rng.choices(list(KINDS), list(KINDS.values()))[0]
        yield BOS + write(rng, held_out).removesuffix(EOS) + EOS
