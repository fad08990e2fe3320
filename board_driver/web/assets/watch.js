// The big screen and the stream overlay: boards to look at, nothing to press.
//
//   /watch                                        this server's board
//   /watch?board=192.168.1.21:8080&board=…:8081   several, in a grid ("here" is this server's)
//   &background=transparent                       for a stream
//   &flip=1  &moves=0  &lights=steady             from Black's side, no list of moves, lights that do not beat

import { BoardView, SQUARES } from "./board.js";
import { BoardTime, clockNote, remaining } from "./clocktime.js";
import { element, update } from "./dom.js";
import { Feed } from "./feed.js";
import { setRhythms, setSteady } from "./lights.js";
import { drawPiece } from "./pieces.js";
import { capital, clockTime, RESULTS } from "./words.js";

const wanted = new URLSearchParams(location.search);
const ADDRESS = /^(\[[0-9a-fA-F:]+\]|[\w.-]+)(:\d{1,5})?$/;
const LIMIT = 16;
const TICK_MS = 200;
const scheme = location.protocol === "https:" ? "wss" : "ws";

class Watched {
  constructor(address, number) {
    this.address = address;
    this.root = element("section", { className: "watched", aria: { label: `Board ${number}, at ${address}` } });
    const board = element("div", { className: "board", role: "grid", aria: { label: "Chess board" } });
    this.far = element("p", { className: "watched-player" });
    this.near = element("p", { className: "watched-player" });
    this.moves = element("p", { className: "watched-moves", hidden: wanted.get("moves") === "0" });
    this.trouble = element("p", { className: "watched-trouble", role: "status" });
    this.root.append(this.far, element("div", { className: "watched-board" }, board), this.near, this.moves, this.trouble);
    this.view = new BoardView(board);
    this.time = new BoardTime();
    setInterval(() => this.state?.clock?.running && this.drawPlayers(this.state), TICK_MS);
    for (const cell of board.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
    if (wanted.get("flip") === "1") this.view.flip();
    this.feed = new Feed({
      connection: (isUp) => (this.trouble.textContent = isUp ? "" : `${address} does not answer, trying again…`),
      refused: () => {},
      state: (state) => this.draw(state),
    }, `${scheme}://${address}/api/v1/spectate`);
  }

  draw(state) {
    setRhythms(state.looks);
    const letters = state.table?.squares ?? state.position.pieces;
    this.view.draw({
      lights: state.lights,
      last: state.last_move,
      check: null,
      piece: (name) => {
        const letter = letters[SQUARES.indexOf(name)];
        return letter === "." ? null : { letter, state: "" };
      },
    });
    this.state = state;
    this.time.hear(state.now_ms);
    this.drawPlayers(state);
    update(this.moves, JSON.stringify([state.moves, state.result]), () => [element("span", {}, lastMoves(state))]);
    this.moves.classList.toggle("long", this.moves.scrollWidth > this.moves.clientWidth || state.moves.length > 8);
    document.body.dataset.ready = "true";
  }

  // What a clock shows now, or where none runs what it showed after that player's last move; null where none is known.
  timeOf(colour, state) {
    if (state.clock) {
      const left = remaining(state.clock, colour, this.time.now());
      return { text: clockTime(left), note: clockNote(state.clock, colour, left) };
    }
    const ply = state.moves.findLast((move, i) => (state.first_ply + i) % 2 === (colour === "white" ? 0 : 1) && move.clock_ms !== null);
    return ply ? { text: clockTime(ply.clock_ms), note: "" } : null;
  }

  drawPlayers(state) {
    const [far, near] = this.view.flipped ? ["white", "black"] : ["black", "white"];
    this.drawPlayer(this.far, far, state);
    this.drawPlayer(this.near, near, state);
  }

  drawPlayer(root, colour, state) {
    const toMove = !state.result && state.position.turn === colour;
    const points = { "1-0": { white: "1", black: "0" }, "0-1": { white: "0", black: "1" }, "1/2-1/2": { white: "½", black: "½" } }[state.result]?.[colour];
    const left = this.timeOf(colour, state);
    const name = state.tags[capital(colour)] ?? capital(colour);
    update(root, JSON.stringify([colour, name, toMove, points, left?.text, left?.note, state.captured[colour]]), () => [
      element("span", { className: `disc ${colour}`, role: "img", aria: { label: colour } }),
      element("span", { className: "who" }, name),
      toMove ? element("span", { className: "turn" }, "to move") : null,
      element("span", { className: "watched-taken", aria: { hidden: "true" } }, ...[...state.captured[colour]].map(drawPiece)),
      left ? element("span", { className: "clock" }, left.text, left.note ? element("span", { className: "clock-note" }, left.note) : "") : null,
      points ? element("span", { className: "points" }, points) : null,
    ].filter(Boolean));
    root.classList.toggle("to-move", toMove);
  }
}

function lastMoves({ moves, first_ply: first, result }) {
  const words = moves.map(({ san }, i) => ((first + i) % 2 === 0 ? `${(first + i) / 2 + 1}. ${san}` : san));
  const shown = words.slice(-8).join(" ");
  return `${words.length > 8 ? "… " : ""}${shown}${result ? `  ${RESULTS[result] ?? result}` : ""}`;
}

if (wanted.get("background") === "transparent") document.documentElement.dataset.background = "transparent";
setSteady(wanted.get("lights") === "steady");
const addresses = wanted.getAll("board").map((name) => (name === "here" ? location.host : name)).filter((name) => ADDRESS.test(name)).slice(0, LIMIT);
const boards = (addresses.length ? addresses : [location.host]).map((address, i) => new Watched(address, i + 1));
const place = document.getElementById("boards");
place.append(...boards.map((each) => each.root));

// As many boards side by side as makes them largest; names, clocks and moves need room above and below each.
function arrange() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const margin = 0.03 * Math.min(innerWidth, innerHeight);
  const ways = boards.map((_, i) => i + 1).map((across) => {
    const down = Math.ceil(boards.length / across);
    const size = Math.min((innerWidth - margin) / across - margin, (innerHeight - margin) / down - margin - 9.6 * rem);
    return { across, size };
  });
  const best = ways.reduce((one, other) => (other.size > one.size ? other : one));
  const { across, size } = innerWidth < 620 ? { across: 1, size: innerWidth - margin } : best;
  place.style.setProperty("--across", across);
  for (const { root } of boards) root.style.setProperty("--board", `${Math.max(size, 10 * rem)}px`);
}
arrange();
addEventListener("resize", arrange);
