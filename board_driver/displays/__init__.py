"""Displays of a board: two clocks, the last move, whose turn it is.

- `face`: what there is to show, and how it lies on rows of text [pure]
- `hd44780`, `oled`: the drivers, by RPLCD and luma.oled, which only those install who have such a display
- `showing`: keeping displays up to date while the daemon runs
"""
