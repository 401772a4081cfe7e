"""Keys and values: a persistent tree of token runs (`tree`), and the forwards that fill it (`forward`, `tiers`)."""
