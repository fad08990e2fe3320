"""How a board is wired, told from its profile [pure]: tables, a drawing and a list of parts, so that none can disagree
with what the program reads.

`header` knows the pins of a Raspberry Pi, `tables` says what goes where, `drawing` draws it as SVG, `parts` counts what
is needed and what it draws, `page` puts it together as Markdown.
"""
