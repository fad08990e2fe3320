"""A board's profile: one YAML file that says how it is wired, lit and played on.

`schema`, `sensors`, `lights` and `words` are what it may say; `reading` reads it, by `decoding` with `kinds` and
`scalars`, and tells all its faults at once; `checks`, `uses` and `pins` see what no single key shows; `places` knows
which square each wire is; `finding` knows the profiles that come with the program, `showing` prints one.
"""
