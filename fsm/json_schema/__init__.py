"""JSON Schema as languages of JSON texts. From top to bottom:

    compiler.py         a schema and its options → a language; says how the standard is read
    ground.py           what all automata of schemas begin with
    writer.py           the values that fit, put together from: scalars.py, arrays.py, objects.py
    emptiness.py        whether any value fits
    enumeration.py      all values that fit, where there are few
    context.py          what those parts know of the whole
    *_branches.py       how far an array or an object has come, under several conjunctions at once
    unsupported.py      what is not supported is refused beforehand; unsupported_texts.py: JSON in strings and `regex`
    normalize.py        schemas → lists of conjunctions (the disjunctive normal form); negation.py, unevaluated.py
    keywords/           each keyword is read and checked here, and set down in a `Conjunction`; drafts.py, references.py
    spelling.py         how JSON is written, and JSON inside the strings of JSON
    conjunction.py      conditions that hold together, by kind of value
    numerals/, strings.py, formats.py    the languages of numbers, strings, formats

`partial.py` stands alone: the value of an unfinished JSON text.
"""
