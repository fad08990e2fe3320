"""What is kept: games as PGN, written so that a cut of the power never damages what was there."""
