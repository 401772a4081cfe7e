"""JSON Schema as languages of JSON texts. From top to bottom:

compiler.py         a schema and its options → a language; what is not supported is refused here beforehand
writer.py           the values that fit, put together from: scalars.py, arrays.py,
                    objects.py (object_members.py, object_names.py; object_products.py, formulas.py)
enumeration.py      whether any value fits; all that fit, where there are few
context.py          what those parts know of the whole, and what follows a part that may not come again
normalize.py        schemas → lists of conjunctions (the disjunctive normal form); negation.py
keywords.py         each keyword is read and checked here, and set down in a `Conjunction`; drafts.py, references.py
conjunction.py      conditions that hold together: how each is merged, and what breaks it; limits.py
values_and_keywords.py               when JSON values are equal; the table of all keywords
numerals/, strings.py, formats.py    the languages of numbers, strings, formats
"""
