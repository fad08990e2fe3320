"""The page: a small server, and what it sends to every browser that looks at the board.

`server` serves the files in `assets`, `guard` keeps other sites out and `access` those who were not paired; `page`
keeps all browsers up to date, `pagestate` is what they are told (`score`, `bulletin` and `history` are parts of it),
`wishes` what they may ask for and `deeds` how it is done. `api` is the HTTP part: `library` the games that are kept,
`timeline` and `problemreport` what `tape` remembers of the running one. `docs/api.md` describes it all.
"""
