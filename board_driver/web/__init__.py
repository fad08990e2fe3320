"""The page: a small server, and what it sends to every browser that looks at the board.

`server` serves the files in `assets` and the feed, `guard` keeps other sites out, `page` keeps all browsers up to date,
`pagestate` is what they are told, `bulletin` the rulings in words, `wishes` what they may ask for and `deeds` how it is
done. The feed is a WebSocket at `/api/v1/feed`:

* from the server, on connecting and on every change, the whole state: `{"type": "state", "version": 1, "heard": N, …}`,
  where `heard` counts the wishes taken from this connection so far; and `{"type": "refused", "text": …}`, in words,
  to one who wished what cannot be done;
* from the page, `{"do": "lift", "square": "e2"}` (or `"tray": "Q"`), `{"do": "put", "hand": 0, "square": "e4"}` (or
  `"tray": true`), `{"do": "back", "hand": 0}`, `{"do": "button", "name": "promote", "value": "n"}`, and
  `{"do": "new", "mode": "play", "touch": "strict", "ruleset": "fide", "lights": "all", "fen": null}`.
"""
