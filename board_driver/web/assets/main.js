// The page: one state comes in and is drawn whole; hands and buttons send wishes back.

import { BoardView, SQUARES } from "./board.js";
import { startClock } from "./clock.js";
import { startDialogs } from "./dialogs.js";
import { $, element, update } from "./dom.js";
import { Feed } from "./feed.js";
import { Hands } from "./hands.js";
import { setRhythms } from "./lights.js";
import { forgetToken, readToken } from "./pairing.js";
import { Panel } from "./panel.js";
import { startPreferences } from "./prefs.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

let state = null;
let isOld = false; // another version answers than this page came from: it is loaded anew once nobody is writing
const board = new BoardView($("board"));
const send = (wish) => feed.send(wish) || (toast("No connection to the board. Trying again…"), false);
const hands = new Hands($("board"), $("tray"), send, draw);
const panel = new Panel(send);
startPreferences();
startDialogs(send, () => state, (token) => feed.send({ do: "hello", token }));
startClock(send);
const feed = new Feed({
  connection: showConnection,
  refused(text) {
    if (text.startsWith("That pairing")) forgetToken();
    toast(text); // the state that follows puts the table right
  },
  // A state that does not know yet what a hand has just done here must not undo it on the screen.
  state(message, isSettled) {
    if (!isSettled && hands.active) message.table = hands.table;
    if (state?.looks !== message.looks) setRhythms(message.looks);
    if (state && state.program !== message.program) isOld = true;
    if (isOld && !document.querySelector("dialog[open]")) return location.reload();
    state = message;
    hands.readOnly = message.read_only;
    $("new").hidden = message.read_only;
    $("pair").hidden = !message.needs_code;
    $("correct").hidden = message.read_only || !message.moves.length;
    if (isSettled || !hands.active) hands.learn(structuredClone(message.table));
    draw();
    document.dispatchEvent(new CustomEvent("touchmove-state", { detail: state }));
  },
}, null, readToken);

function draw() {
  if (!state) return;
  board.draw({ lights: state.lights, last: state.last_move, check: checkedKing(), piece: hands.active ? (name) => hands.piece(name) : positionPiece });
  panel.draw(state, board.flipped);
  panel.drawTray(hands, () => hands.putBack());
  drawNotice();
  document.body.dataset.ready = "true";
  const players = [state.tags.White, state.tags.Black].filter(Boolean).join(" – ");
  document.title = players ? `${players} · touchmove` : state.result ? `${state.result} · touchmove` : `${state.position.turn === "white" ? "White" : "Black"} to move · touchmove`;
}

// The square of a king that is in check, where the position has it.
function checkedKing() {
  const { check, turn, pieces } = state.position;
  return check ? SQUARES[pieces.indexOf(turn === "white" ? "K" : "k")] : null;
}

// A real board cannot say which piece stands where: draw the game's position, and where the sensors disagree with it.
function positionPiece(name) {
  const index = SQUARES.indexOf(name);
  const letter = state.position.pieces[index];
  const occupied = state.table?.occupied?.[index];
  if (letter !== ".") return { letter, state: occupied === "0" ? "gone" : "" };
  return occupied === "1" ? { letter: "?", state: "stray" } : null;
}

function showConnection(isUp) {
  $("connection").textContent = isUp ? "connected" : "connection lost, trying again…";
  document.body.classList.toggle("offline", !isUp);
}

function drawNotice() {
  if (isOld) showNotice("The board's computer runs another version now.", "Load its page", () => location.reload());
  else if (state.calibrating) showNotice("The board is being calibrated: the game does not see it.", "Show", () => $("health").click());
  else showNotice(state.lent ? "The board's lights show a replay, until somebody plays." : "");
}

// One line over the board, with something to do about it.
function showNotice(text, action = "", act = null) {
  const node = $("notice");
  node.hidden = !text;
  update(node, text, () => [text, action ? element("button", { type: "button", textContent: action, onclick: act }) : ""]);
}

let toastTimer = 0;
function toast(text) {
  const node = $("refused");
  node.textContent = text;
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.hidden = true), 4000);
}

// -- keys

$("board").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const arrow = ARROWS[event.key];
  if (arrow) board.step(...arrow);
  else if (event.key === "Enter" || event.key === " ") hands.act(board.focus, event.shiftKey);
  else if (event.key === "Delete" || event.key === "Backspace") layAside();
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && hands.active && !document.querySelector("dialog[open]")) hands.putBack();
});

function layAside() {
  const hand = hands.active ? hands.holding() : null;
  if (hand !== null) hands.put(hand, null);
}

// -- the bar

$("flip").addEventListener("click", () => {
  board.flip();
  draw();
});

$("noise").addEventListener("change", () => send({ do: "noise", on: $("noise").checked }));
