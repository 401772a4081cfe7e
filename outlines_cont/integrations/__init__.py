"""Our constraints, our models and our tree inside other people's loops and jobs: a module for each of them."""
