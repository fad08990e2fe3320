"""A real game on the virtual board, with a few things going wrong on the way, drawn in the terminal."""
