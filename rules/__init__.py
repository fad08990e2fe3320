"""The laws of chess. Standard library only; no I/O, no clock, no randomness."""
