"""A package, so that the browser which its tests share ends with them and not with the session."""
