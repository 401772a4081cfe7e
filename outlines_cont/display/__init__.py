"""States as text and as pictures. Nothing here runs the model, but for `html(ranks=True)`."""

from outlines_cont.display.chart import chart
from outlines_cont.display.page import page
from outlines_cont.display.text import line, table
from outlines_cont.display.tree import branches

__all__ = ["branches", "chart", "line", "page", "table"]
