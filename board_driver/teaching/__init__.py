"""Teaching the Laws to children and new arbiters: each ruling explained with its article, and exercises to try them."""
