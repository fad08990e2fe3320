"""A board's profile: one YAML file that says how it is wired, lit and played on.

`schema`, `sensors`, `lights` and `words` are what it may say; `decoding` and `reading` read it and tell all its faults
at once; `checks` sees what no single key shows; `finding` knows the profiles that come with the program.
"""
