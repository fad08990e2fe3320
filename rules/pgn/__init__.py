"""PGN: games as text, in and out (the standard's import format read leniently, its export format written).

    lines -> tokens (`lexer`) -> games (`reader`)          games -> text (`writer`)

House rules:

1. Reading never raises, whatever the bytes are. What cannot be understood is a `Problem` of its game, with its line.
2. A game never holds an illegal ply: it is cut before it and marked as cut. The other games of the file load.
3. Games are read one at a time from any source of lines; a file is never held whole.
4. What is written reads back equal, but for spaces in comments and for closing braces, which become round ones.
"""

from rules.pgn.reader import read_games
from rules.pgn.tree import Line, PgnGame, Ply, Problem
from rules.pgn.writer import write_game

__all__ = ["Line", "PgnGame", "Ply", "Problem", "read_games", "write_game"]
