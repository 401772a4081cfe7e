"""States as text and as pictures. Only `html(ranks=True)` runs the model."""

from outlines_cont.display.chart import chart
from outlines_cont.display.page import page
from outlines_cont.display.text import one_line, table
from outlines_cont.display.tree import sample_tree

__all__ = ["chart", "one_line", "page", "sample_tree", "table"]
