"""What the little world of the corpus is made of: words, names, and the facts that never change."""

from random import Random
from zlib import crc32


def _words(text: str) -> list[str]:
    """Words written in a row, which reads better than a list."""
    return text.split()


def _pairs(text: str) -> dict[str, str]:
    """Pairs written as `a:b c:d`."""
    return dict(pair.split(":") for pair in text.split())


CITIES = _words(
    "Lisbon Oslo Paris Rome Madrid Berlin Vienna Prague Warsaw Dublin London Athens Helsinki Cairo Lima Quito Tokyo "
    "Seoul Delhi Nairobi Bern Riga Porto Bergen Kyoto Boston Chicago Toronto Sydney Zürich Málaga Malmö Łódź Århus"
)
JOBS = _words(
    "baker teacher doctor nurse farmer painter pilot singer writer gardener plumber lawyer cook sailor carpenter "
    "dentist librarian engineer driver tailor"
)
COLOURS = _words("red green blue yellow white black purple orange pink brown grey silver")
PETS = _words("dog cat horse rabbit parrot goat turtle hamster duck pony")
FOODS = _words(
    "bread soup rice pasta cheese cake salad fish pizza honey apples plums carrots noodles pancakes tomatoes"
)
SPORTS = _words("tennis chess football swimming running sailing dancing climbing cycling judo")
THINGS = _words(
    "table chair lamp door window spoon cup book coat hat shoe clock box basket rope stone river tree bird cloud "
    "bridge garden kitchen train boat ticket letter pencil mirror candle"
)
FIRST_NAMES = _words(
    "Mira Anna Alice Bob Carol David Emma Frank Grace Henry Ivan Julia Karl Laura Maria Nina Oscar Paul Rosa Sam "
    "Tom Vera Will Yara Ben Clara Lena Max Noah Olga"
)
WORLD_NAMES = _words(
    "Zoë Łukasz 李雷 Åse Žofia Ñandú Jürgen Chloé Søren Renée Björn Özge Éva İpek Đorđe Šárka Иван Ольга Νίκος "
    "Ελένη 王芳 さくら 민준 Inés José Göran Łucja Ömer"
)

CAPITALS = _pairs(
    "France:Paris Germany:Berlin Italy:Rome Spain:Madrid Portugal:Lisbon Norway:Oslo Sweden:Stockholm "
    "Finland:Helsinki Denmark:Copenhagen Poland:Warsaw Austria:Vienna Greece:Athens Ireland:Dublin England:London "
    "Egypt:Cairo Kenya:Nairobi Japan:Tokyo China:Beijing India:Delhi Korea:Seoul Peru:Lima Ecuador:Quito "
    "Cuba:Havana Canada:Ottawa Australia:Canberra Switzerland:Bern Latvia:Riga Hungary:Budapest"
)
THING_COLOURS = _pairs(
    "grass:green snow:white coal:black blood:red honey:yellow chocolate:brown milk:white lemon:yellow "
    "tomato:red carrot:orange sky:blue sea:blue flamingo:pink elephant:grey"
)
SOUNDS = _pairs("dog:woof cat:meow cow:moo duck:quack sheep:baa pig:oink horse:neigh frog:croak owl:hoot lion:roar")
EMOJI = _pairs(
    "apple:🍎 dog:🐶 cat:🐱 sun:🌞 moon:🌙 star:⭐ rain:🌧️ fire:🔥 heart:❤️ pizza:🍕 cake:🎂 fish:🐟 tree:🌳 boat:⛵"
)
DAYS = _words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = _words("January February March April May June July August September October November December")

_HEADS = _words("B D F G H J K L M N P R S T V Z Br Dr Kr Tr St Sh Th")
_MIDDLES = _words("b d f g k l m n p r s t v z l r n m nd rt ll st")
_VOWELS = _words("a e i o u a e i o ai ea")
_TAILS = ["", "", "", "n", "r", "s", "l", "k", "m"]
_ACCENTED_HEADS = _words("Å Ø Ž Č Š Ł É Ñ Ö Đ")
_ACCENTED_VOWELS = _words("å ø é ë ü ö í á ó ą")
_TOWN_TAILS = _words("ville burg stad ford dorf by ton")


def is_held_out(name: str) -> bool:
    """A fifth of all invented names is kept from training; the name itself says which."""
    return crc32(name.encode()) % 5 == 0


def _syllables(rng: Random, accents: bool) -> str:
    vowels = _ACCENTED_VOWELS + _VOWELS if accents else _VOWELS
    heads = _ACCENTED_HEADS + _HEADS if accents else _HEADS
    name = rng.choice(heads) + rng.choice(_VOWELS if rng.random() < 0.5 else vowels)
    for _ in range(rng.choice((1, 1, 1, 2))):
        name += rng.choice(_MIDDLES) + rng.choice(vowels)
    return name + rng.choice(_TAILS)


def invented_name(rng: Random, held_out: bool, accents: bool = False) -> str:
    """A name of two or three syllables, from the wanted side of the held-out split."""
    while True:
        name = _syllables(rng, accents)
        if is_held_out(name) == held_out:
            return name


def invented_town(rng: Random, held_out: bool) -> str:
    """The same for a town."""
    while True:
        name = _syllables(rng, False) + rng.choice(_TOWN_TAILS)
        if is_held_out(name) == held_out:
            return name


def any_name(rng: Random, held_out: bool) -> str:
    """Mostly invented; in training also names that exist, with and without accents or Latin letters."""
    draw = rng.random()
    if held_out or draw < 0.7:
        return invented_name(rng, held_out, accents=draw < 0.12)
    return rng.choice(FIRST_NAMES if draw < 0.85 else WORLD_NAMES)


def any_city(rng: Random, held_out: bool) -> str:
    """A city that exists or an invented town."""
    return rng.choice(CITIES) if rng.random() < 0.6 else invented_town(rng, held_out)
