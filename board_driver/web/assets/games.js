// Games that were played: the list, the search, a replay by the arrow keys, PGN files, the timeline, problem reports.

import { BoardView, SQUARES } from "./board.js";
import { $, element, setText } from "./dom.js";
import { RESULTS, spent } from "./words.js";

const API = "/api/v1";
let replay = null;
let token = () => null;
let started = false;

export async function openGames(readToken) {
  token = readToken;
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
  $("games-timeline").addEventListener("click", showTimeline);
  $("games-report").addEventListener("click", downloadReport);
  $("replay").addEventListener("keydown", step);
  for (const [id, key] of Object.entries({ "replay-first": "Home", "replay-before": "ArrowLeft", "replay-next": "ArrowRight", "replay-last": "End" })) {
    $(id).addEventListener("click", () => go(key));
  }
}

// -- the list

async function search() {
  const sought = $("games-search").value;
  const { kept, found, games } = await ask(`/games?search=${encodeURIComponent(sought)}`);
  const more = found > games.length ? ` The newest ${games.length} of ${found} are listed.` : "";
  setText($("games-note"), !kept ? "No games are kept: start touchmove with --games FOLDER, --pgn FILE or --state FOLDER." : found ? more : "No game was found.");
  $("games-pgn").disabled = !games.length;
  $("games-list").replaceChildren(...games.map(line));
}

function line(game) {
  const words = `${game.white} – ${game.black}`;
  const box = element("input", { type: "checkbox", value: game.id, aria: { label: `Choose ${words}, ${game.date}` } });
  const rest = [game.date.replaceAll(".", "-"), game.event === "?" ? "" : game.event, `${Math.ceil(game.plies / 2)} moves`].filter(Boolean).join(" · ");
  const open = element("button", { type: "button", className: "game-line", onclick: () => openGame(game.id) },
    element("strong", {}, words), element("span", { className: "game-result" }, RESULTS[game.result] ?? game.result), element("small", {}, rest));
  return element("li", {}, box, open);
}

function downloadChosen() {
  const chosen = [...document.querySelectorAll("#games-list input:checked")].map((box) => `id=${encodeURIComponent(box.value)}`);
  const query = chosen.length ? chosen.join("&") : `search=${encodeURIComponent($("games-search").value)}`;
  save(`${API}/games.pgn?${query}`, "games.pgn");
}

function show(part) {
  for (const id of ["games-listing", "replay", "timeline"]) $(id).hidden = id !== part;
  $("games-back").hidden = part === "games-listing";
}

const showList = () => show("games-listing");

// -- replay

async function openGame(id) {
  const game = await ask(`/games/${encodeURIComponent(id)}`);
  replay ??= { view: new BoardView($("replay-board")) };
  Object.assign(replay, { game, at: 0 });
  const { White = "?", Black = "?", Event = "?", Date: day = "" } = game.tags;
  $("replay-title").textContent = `${White} – ${Black}`;
  setText($("replay-note"), [Event === "?" ? "" : Event, day.replaceAll(".", "-"), RESULTS[game.tags.Result], ...game.problems].filter(Boolean).join(" · "));
  $("replay-moves").replaceChildren(...game.moves.map(moveButton));
  show("replay");
  drawReplay();
  $("replay").focus();
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

function showTimeline() {
  $("timeline-picture").src = `${API}/timeline.svg?t=${Date.now()}`;
  show("timeline");
}

async function downloadReport() {
  const answer = await fetch(`${API}/report.zip`, { headers: token() ? { Authorization: `Bearer ${token()}` } : {} });
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

async function ask(path) {
  const answer = await fetch(API + path);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}
