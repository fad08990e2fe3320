"""Players without hands: engines, their opening books, and people far away. Hints come from here too."""
