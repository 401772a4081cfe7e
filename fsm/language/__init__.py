"""Languages of bytes as small immutable nodes, and operations on them."""
