// Games that were played: the list, the search, a replay by the arrow keys, PGN files, the timeline, problem reports.

import { API, ask, bearer, order } from "./api.js";
import { BoardView, SQUARES } from "./board.js";
import { openCorrect } from "./correct.js";
import { openHeader } from "./dialogs.js";
import { $, element, setText } from "./dom.js";
import { RESULTS, spent } from "./words.js";

let replay = null;
let send = () => false;
let current = () => null;
let started = false;

// `tell(wish)` asks the board, `newest()` is the newest state.
export async function openGames(tell, newest) {
  send = tell;
  current = newest;
  if (!started) start();
  $("games-dialog").showModal();
  showList();
  await search();
}

function start() {
  started = true;
  let timer = 0;
  $("games-search").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 200);
  });
  $("games-pgn").addEventListener("click", downloadChosen);
  $("games-back").addEventListener("click", showList);
  $("games-timeline").addEventListener("click", () => showTimeline(null));
  $("replay-timeline").addEventListener("click", () => showTimeline(replay.game.id));
  $("replay-correct").addEventListener("click", correctMove);
  $("replay-header").addEventListener("click", correctHeader);
  $("replay-lights").addEventListener("change", light);
  $("replay-flip").addEventListener("click", () => replay.view.flip());
  $("games-dialog").addEventListener("close", giveLightsBack);
  document.addEventListener("touchmove-state", ({ detail }) => {
    // Somebody plays: the board has its lights again.
    if ($("replay-lights").checked && replay?.lit && !detail.lent) {
      $("replay-lights").checked = replay.lit = false;
      setText($("games-note"), "Somebody plays: the board has its lights back.");
    }
    if (replay?.asked && detail.lent) replay.lit = true;
  });
  $("games-report").addEventListener("click", downloadReport);
  $("replay").addEventListener("keydown", step);
  for (const [id, key] of Object.entries({ "replay-first": "Home", "replay-before": "ArrowLeft", "replay-next": "ArrowRight", "replay-last": "End" })) {
    $(id).addEventListener("click", () => go(key));
  }
}

// -- the list

async function search() {
  const sought = $("games-search").value;
  let answer;
  try {
    answer = await ask(`/games?search=${encodeURIComponent(sought)}`);
  } catch {
    return setText($("games-note"), "The board's computer does not answer.");
  }
  const { kept, found, games } = answer;
  const more = found > games.length ? ` The newest ${games.length} of ${found} are listed.` : "";
  setText($("games-note"), !kept ? "No games are kept: start touchmove with --games FOLDER, --pgn FILE or --state FOLDER." : found ? more : "No game was found.");
  $("games-pgn").disabled = !games.length;
  $("games-list").replaceChildren(...games.map(line));
}

function line(game) {
  const words = `${game.white} – ${game.black}`;
  const box = element("input", { type: "checkbox", value: game.id, aria: { label: `Choose ${words}, ${game.date}` } });
  const rest = [game.date.replaceAll(".", "-"), game.event === "?" ? "" : game.event, moveCount(game.plies)].filter(Boolean).join(" · ");
  const open = element("button", { type: "button", className: "game-line", onclick: () => openGame(game.id) },
    element("strong", {}, words), element("span", { className: "game-result" }, RESULTS[game.result] ?? game.result), element("small", {}, rest));
  return element("li", {}, box, open);
}

function moveCount(plies) {
  const moves = Math.ceil(plies / 2);
  return moves === 1 ? "1 move" : `${moves} moves`;
}

function downloadChosen() {
  const chosen = [...document.querySelectorAll("#games-list input:checked")].map((box) => `id=${encodeURIComponent(box.value)}`);
  const query = chosen.length ? chosen.join("&") : `search=${encodeURIComponent($("games-search").value)}`;
  save(`${API}/games.pgn?${query}`, "games.pgn");
}

function show(part) {
  if (part !== "replay") giveLightsBack();
  for (const id of ["games-listing", "replay", "timeline"]) $(id).hidden = id !== part;
  $("games-back").hidden = part === "games-listing";
}

const showList = () => show("games-listing");

// -- replay

async function openGame(id) {
  showGame(await ask(`/games/${encodeURIComponent(id)}`), 0);
  $("replay").focus();
}

function showGame(game, at) {
  replay ??= { view: new BoardView($("replay-board")), lit: false, asked: false };
  Object.assign(replay, { game, at: Math.min(at, game.moves.length) });
  const { White = "?", Black = "?", Event = "?", Date: day = "" } = game.tags;
  $("replay-title").textContent = `${White} – ${Black}`;
  setText($("replay-note"), [Event === "?" ? "" : Event, day.replaceAll(".", "-"), RESULTS[game.tags.Result], ...game.problems].filter(Boolean).join(" · "));
  $("replay-moves").replaceChildren(...game.moves.map(moveButton));
  const mute = current()?.read_only ?? true;
  $("replay-correct").hidden = mute || !game.moves.length;
  $("replay-header").hidden = mute;
  $("replay-lights-field").hidden = mute;
  show("replay");
  drawReplay();
}

// -- on the board's lights: from where to where each move goes

function light() {
  replay.asked = $("replay-lights").checked;
  if (replay.asked) drawReplay();
  else giveLightsBack();
}

function giveLightsBack() {
  if (replay?.asked) send({ do: "show", ways: [] });
  if (replay) replay.asked = replay.lit = false;
  $("replay-lights").checked = false;
}

// From where to where the men of ply `at` go: one, or king and rook in castling.
function ways({ boards, moves, first_ply: first }, at) {
  if (!at) return [];
  const [before, after] = [boards[at - 1], boards[at]];
  const isWhite = (first + at - 1) % 2 === 0;
  const isOwn = (letter) => letter !== "." && (letter === letter.toUpperCase()) === isWhite;
  const changed = SQUARES.filter((_, i) => before[i] !== after[i]);
  const reached = changed.filter((name) => isOwn(after[SQUARES.indexOf(name)]));
  if (reached.length < 2) return [[moves[at - 1].uci.slice(0, 2), reached[0] ?? moves[at - 1].uci.slice(2, 4)]];
  const letter = (board, name) => board[SQUARES.indexOf(name)];
  const sources = changed.filter((name) => isOwn(letter(before, name)));
  return sources.map((from) => [from, reached.find((to) => letter(after, to) === letter(before, from))]).filter(([, to]) => to).slice(0, 2);
}

// -- putting it right

function correctMove() {
  const { game, at } = replay;
  openCorrect({
    moves: game.moves.map(({ san }) => san), first: game.first_ply, ply: at || 1, id: game.id,
    save: async (ply, uci) => showGame(await order(`/games/${encodeURIComponent(game.id)}`, { ply, uci }), ply),
  });
}

function correctHeader() {
  const { game, at } = replay;
  const result = game.tags.Result === "*" ? "" : game.tags.Result;
  openHeader(game.tags, result, async (tags, decided) => {
    const told = Object.fromEntries(Object.entries(tags).filter(([name, text]) => text !== (game.tags[name] ?? "?").replace(/^\?$/, "")));
    try {
      showGame(await order(`/games/${encodeURIComponent(game.id)}`, { tags: told, ...(decided === null ? {} : { result: decided || "*" }) }), at);
      await search();
    } catch (problem) {
      setText($("games-note"), problem.message);
    }
  });
}

function moveButton({ san, elapsed_ms: ms, comment }, i) {
  const ply = replay.game.first_ply + i;
  const number = ply % 2 === 0 ? `${ply / 2 + 1}. ` : i === 0 ? `${(ply + 1) / 2}… ` : "";
  const title = [ms === null ? "" : spent(ms), comment].filter(Boolean).join(" · ");
  return element("li", {}, element("button", { type: "button", title, onclick: () => {
    replay.at = i + 1;
    drawReplay();
  } }, number + san));
}

function drawReplay() {
  const { game, at, view } = replay;
  const last = at ? game.moves[at - 1].uci : "";
  const pieces = game.boards[at];
  view.draw({
    lights: {},
    last: last ? [last.slice(0, 2), last.slice(2, 4)] : [],
    piece: (name) => {
      const letter = pieces[SQUARES.indexOf(name)];
      return letter === "." ? null : { letter, state: "" };
    },
  });
  for (const [i, node] of [...$("replay-moves").querySelectorAll("button")].entries()) {
    if (i === at - 1) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
    if (i === at - 1) node.scrollIntoView({ block: "nearest" });
  }
  if (!at) replay.lit = false; // nothing is shown at the start, and nobody took it away
  if (replay.asked) send({ do: "show", ways: ways(game, at) });
  $("replay-said").textContent = at ? [game.moves[at - 1].san, game.moves[at - 1].comment].filter(Boolean).join(": ") : "The start";
}

function step(event) {
  if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  go(event.key);
}

function go(key) {
  const end = replay.game.moves.length;
  const to = { ArrowLeft: replay.at - 1, ArrowRight: replay.at + 1, Home: 0, End: end }[key];
  replay.at = Math.min(end, Math.max(0, to));
  drawReplay();
}

// -- the timeline and problem reports

async function showTimeline(id) {
  const url = id ? `${API}/games/${encodeURIComponent(id)}/timeline.svg` : `${API}/timeline.svg?t=${Date.now()}`;
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) return setText($("games-note"), answer ? (await answer.text()).trim() : "The board's computer does not answer.");
  setText($("games-note"), "");
  $("timeline-title").textContent = id ? `Sensor timeline: ${$("replay-title").textContent}` : "Sensor timeline of the running game";
  $("timeline-picture").src = url;
  $("timeline-picture").alt = $("timeline-title").textContent;
  show("timeline");
}

async function downloadReport() {
  const answer = await fetch(`${API}/report.zip`, { headers: bearer() });
  if (!answer.ok) return setText($("games-note"), (await answer.text()).trim());
  const url = URL.createObjectURL(await answer.blob());
  save(url, "touchmove-report.zip");
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function save(href, download) {
  const link = element("a", { href, download });
  document.body.append(link);
  link.click();
  link.remove();
}
