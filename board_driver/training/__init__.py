"""Training on the board: a game followed move by move, puzzles, openings; small tasks on the daemon's own machinery."""
