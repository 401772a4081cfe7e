"""The colours of all pictures: Okabe and Ito's, told apart by everybody, on white and on black."""

from __future__ import annotations

BLUE, SKY, VERMILION, GREY = "#0072b2", "#56b4e9", "#d55e00", "#808080"
BAR = "#8a8a8a"  # of keys and values
