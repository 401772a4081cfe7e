"""States and automata as pictures, and as text. Nothing here is imported before a picture is asked for.

`svg` is what every drawing is made of, `blocks` sets text in lines and blocks, `style` has the one style
sheet and the one legend. What is drawn is known by `protocol` alone.
"""
