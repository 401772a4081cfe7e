"""Keys and values: a radix tree of token runs (`radix_tree`), and the plan of the passes that fill it (`forward`).

Nothing here knows how a model computes: an engine gives a function that fills slots with keys and values.
"""
