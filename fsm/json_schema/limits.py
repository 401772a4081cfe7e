"""How much a schema may ask for. A test may lower a limit: modules look it up here each time."""

# --- more is refused, by name and place

BRANCHES = 2_000  # conjunctions of one value
MERGES = 100_000  # merges of two conjunctions, for one value
OPTIONS = 6  # schemas in `anyOf` beside `unevaluated…`: every combination of them is looked at
NORMALIZED_WITHIN = 50  # values within one another that are normalized at once
DEEPEST = 1_000  # levels of a schema: Python reads and writes fewer
DEEPEST_CONSTANT = 32  # levels of lists and objects in `enum` and `const`
ENDLESS = 2**31  # characters, items or properties: nobody writes so many, and an upper bound above this is dropped
UNIQUE_COMPOUNDS = 256  # lists and objects of an `enum` that items must not repeat: each item is told from all others
ITEMS_TRIED = 100_000  # counts of items, to see whether those suffice that `contains` asks for
MEMBERS_TRIED = 20_000  # properties that may be the next, to see whether an object can end
LEAVES_TRIED = 300_000  # alternatives of one object, to see whether some hold together
CELLS = 1_000  # into which the values of one name are split
NAME_CLASSES = 256  # of the names of one object, told apart by patterns
NAME_STEPS = 1_000_000  # to tell them apart

# --- more is done in another way

AHEAD = 2_000  # values that are looked at beforehand, where schemas exclude each other
DEEP = 20  # schemas that lead to one another: those further inside are asked first whether they have a value
SIZED = 40  # properties within one another: those further inside may be of any size
FEW_BRANCHES, FEW_MERGES = 200, 2_000  # up to so many, a product is multiplied out at once
FEW_LEAVES_TRIED = 500  # besides one for each leaf; then they are tried carefully
FEW_MISSING = 4  # of the properties that must exist: then every set of them is taken for one that may be given
FEW_PATTERNS = 4  # of so many, every set is taken for one that names may match
FEW_VALUES = 64  # values that are told apart one by one
FEW_CONSTANTS = 64  # so many are compared with all that are excluded, one by one
MANY_CONSTANTS = 32  # alternatives that are constants: of fewer, each is read by itself
FEW_NEGATED = 16  # conjunctions of what does not fit: then it is told apart from what fits
FEW_CONDITIONS = 9  # which never split values into `CELLS`
MANY_LISTED = 8  # conditions of constants: then the constants are told apart at once

# --- what is kept of one object

KEPT = 20_000  # answers about its factors; objects that are begun, of which is known whether they can end
KEPT_NAMES = 20_000  # undeclared names, in all the sets that were met, of which is known what follows
