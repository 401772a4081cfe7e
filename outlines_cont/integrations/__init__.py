"""Our constraints and our tree inside other people's loops, a module for each of them."""
