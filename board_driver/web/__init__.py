"""The page: a small server, and what it sends to every browser that looks at the board."""
