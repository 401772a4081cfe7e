"""Keys and values: a persistent tree of token runs (`tree`) and the packed forward that fills it (`forward`)."""
