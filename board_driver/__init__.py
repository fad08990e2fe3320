"""The daemon: from what a board senses to a ruled, lit and written game."""
