"""Languages as automata that are built where they are walked, and the token masks of their states."""
