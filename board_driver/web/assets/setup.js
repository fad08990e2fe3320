// Setting up any position: drag pieces, press a piece and then squares, type letters, or paste a FEN. What is wrong with
// it is said by the board's computer, in words and on the squares.

import { ask } from "./api.js";
import { BoardView, SQUARES } from "./board.js";
import { element, makeDialog } from "./dom.js";
import { drawPiece, pieceName } from "./pieces.js";

const PIECES = [..."KQRBNPkqrbnp"];
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const WINGS = { K: "White O-O", Q: "White O-O-O", k: "Black O-O", q: "Black O-O-O" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const DRAG_PX = 6;

let editor = null;

// Open it with a FEN; `use(fen, chess960)` is called with what was set up.
export function openSetup(fen, chess960, present, use) {
  editor ??= new Editor();
  editor.open(fen, chess960, present, use);
}

class Editor {
  constructor() {
    this.pieces = Array(64).fill(".");
    this.brush = null;
    this.flipped = false;
    this.faults = [];
    this.asked = 0;
    this.carry = null;
    this.build();
  }

  build() {
    const board = element("div", { id: "setup-board", className: "board", role: "grid", aria: { label: "Position to set up" } });
    this.palette = element("div", { className: "palette", role: "group", aria: { label: "Pieces to put on the board" } }, ...PIECES.map((letter) => this.paletteButton(letter)));
    this.turn = ["white", "black"].map((colour) => element("input", { type: "radio", name: "setup-turn", value: colour }));
    this.rights = Object.keys(WINGS).map((wing) => element("input", { type: "checkbox", value: wing }));
    this.chess960 = element("input", { type: "checkbox" });
    this.fen = element("input", { id: "setup-fen", autocomplete: "off", spellcheck: false, maxLength: 120 });
    this.said = element("ul", { className: "setup-said" });
    this.useButton = element("button", { type: "button", className: "called", textContent: "Use this position", onclick: () => this.finish() });
    const check = (input, words) => element("label", { className: "check" }, input, ` ${words}`);
    const button = (words, act) => element("button", { type: "button", textContent: words, onclick: act });
    this.presentButton = button("As the game stands", () => this.show(this.present));
    this.dialog = makeDialog("setup-dialog", "Set up a position",
      element("div", { className: "setup" },
        element("div", { className: "setup-side" }, board, this.palette),
        element("div", { className: "setup-fields" },
          element("p", { className: "setup-buttons" },
            button("Start position", () => this.show(`${START} w KQkq - 0 1`)),
            button("Empty board", () => this.show("8/8/8/8/8/8/8/8 w - - 0 1")),
            this.presentButton,
            button("Flip", () => { this.view.flip(); })),
          element("fieldset", {}, element("legend", {}, "Who has the move"), check(this.turn[0], "White"), check(this.turn[1], "Black")),
          element("fieldset", {}, element("legend", {}, "May still castle"), ...this.rights.map((box) => check(box, WINGS[box.value])), check(this.chess960, "Chess960")),
          element("label", { className: "field" }, "FEN ", this.fen),
          element("div", { role: "status" }, this.said),
          element("details", { className: "help" }, element("summary", {}, "How to set up"),
            element("p", {}, "Drag pieces onto the board and off it. Or press a piece, then every square it stands on; press it again to move pieces."),
            element("p", {}, "Keys: arrows, then a letter: K Q R B N P for White, with Shift; small ones for Black. Del empties a square, Enter puts the chosen piece."))),
      ),
      element("p", { className: "dialog-buttons" }, this.useButton));
    this.dialog.classList.add("wide");
    this.view = new BoardView(board);
    this.board = board;
    for (const input of [...this.turn, ...this.rights, this.chess960]) input.addEventListener("change", () => this.changed());
    this.fen.addEventListener("input", () => this.judge(this.fen.value));
    board.addEventListener("keydown", (event) => this.key(event));
    for (const root of [board, this.palette]) {
      root.addEventListener("pointerdown", (event) => this.down(event));
      root.addEventListener("pointermove", (event) => this.move(event));
      root.addEventListener("pointerup", (event) => this.up(event));
      root.addEventListener("pointercancel", () => this.drop());
    }
  }

  paletteButton(letter) {
    return element("button", { type: "button", className: "piece-button", dataset: { piece: letter }, title: pieceName(letter),
      aria: { label: pieceName(letter), pressed: "false" },
      onclick: (event) => event.detail === 0 && this.choose(letter) }, // pointers choose on letting go
    drawPiece(letter));
  }

  open(fen, chess960, present, use) {
    this.use = use;
    this.present = present;
    this.presentButton.hidden = !present;
    this.chess960.checked = chess960;
    this.choose(null);
    this.show(fen || `${START} w KQkq - 0 1`);
    this.dialog.showModal();
    this.board.querySelector('[tabindex="0"]').focus();
  }

  // Put a FEN on the board, as far as it can be read.
  show(fen) {
    this.fen.value = fen;
    this.judge(fen);
  }

  // Something was changed by hand: tell it as FEN and have it judged.
  changed() {
    const rights = this.rights.filter((box) => box.checked).map((box) => box.value).join("") || "-";
    const turn = this.turn[1].checked ? "b" : "w";
    this.show(`${placement(this.pieces)} ${turn} ${rights} - 0 1`);
  }

  async judge(fen) {
    const asked = (this.asked += 1);
    let found;
    try {
      found = await ask(`/setup?fen=${encodeURIComponent(fen)}&chess960=${this.chess960.checked ? 1 : 0}`);
    } catch (problem) {
      found = { fen: null, setup: null, faults: [{ text: problem.message || "The board's computer does not answer.", squares: [], stops: true }] };
    }
    if (asked !== this.asked) return; // something newer was asked
    this.playable = found.fen;
    this.faults = found.faults;
    if (found.setup) this.take(found.setup);
    this.useButton.disabled = !found.fen;
    this.said.replaceChildren(...(this.faults.length
      ? this.faults.map(({ text, stops }) => element("li", { dataset: { stops } }, element("strong", {}, stops ? "✕ " : "△ "), text))
      : [element("li", { className: "sound" }, "✓ This position can be played.")]));
    this.draw();
  }

  take({ pieces, turn, rights }) {
    this.pieces = [...pieces];
    for (const radio of this.turn) radio.checked = radio.value === turn;
    // Rights by files of rooks are kept in the FEN; the boxes tell those by sides.
    for (const box of this.rights) box.checked = rights.includes(box.value);
  }

  draw() {
    const wrong = new Set(this.faults.flatMap((fault) => fault.squares));
    this.view.draw({
      lights: Object.fromEntries([...wrong].map((name) => [name, "illegal"])),
      piece: (name) => {
        const letter = this.pieces[SQUARES.indexOf(name)];
        return letter === "." ? null : { letter, state: this.carry?.moved && this.carry.from === name ? "carried" : "" };
      },
    });
  }

  choose(letter) {
    this.brush = this.brush === letter ? null : letter;
    for (const button of this.palette.children) button.setAttribute("aria-pressed", String(button.dataset.piece === this.brush));
  }

  put(name, letter) {
    this.pieces[SQUARES.indexOf(name)] = letter;
    this.changed();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    const name = this.view.focus;
    if (arrow) this.view.step(...arrow);
    else if (PIECES.includes(event.key)) this.put(name, event.key);
    else if (event.key === "Delete" || event.key === "Backspace") this.put(name, ".");
    else if (event.key === "Enter" || event.key === " ") this.press(name);
    else return;
    event.preventDefault();
  }

  // A square was pressed without dragging.
  press(name) {
    if (this.brush) this.put(name, this.pieces[SQUARES.indexOf(name)] === this.brush ? "." : this.brush);
  }

  // -- pointers

  down(event) {
    if (event.button !== 0 || this.carry) return;
    const cell = event.target.closest("[data-square]");
    const spare = event.target.closest("[data-piece]");
    const letter = cell ? this.pieces[SQUARES.indexOf(cell.dataset.square)] : spare?.dataset.piece;
    if (!letter) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    (cell ?? spare).focus({ preventScroll: true });
    this.carry = { pointer: event.pointerId, letter, from: cell?.dataset.square ?? null, x: event.clientX, y: event.clientY, moved: false, ghost: null };
  }

  move(event) {
    const carry = this.carry;
    if (carry?.pointer !== event.pointerId || carry.letter === ".") return;
    if (!carry.moved && Math.hypot(event.clientX - carry.x, event.clientY - carry.y) > DRAG_PX) {
      carry.moved = true;
      carry.ghost = drawPiece(carry.letter);
      carry.ghost.classList.add("ghost", event.pointerType === "touch" ? "by-touch" : "by-mouse");
      carry.ghost.style.width = carry.ghost.style.height = `${this.board.getBoundingClientRect().width / 8}px`;
      this.dialog.append(carry.ghost);
      this.draw();
    }
    if (carry.ghost) carry.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  }

  up(event) {
    const carry = this.carry;
    if (carry?.pointer !== event.pointerId) return;
    this.drop();
    const to = document.elementFromPoint(event.clientX, event.clientY)?.closest("#setup-board [data-square]")?.dataset.square;
    if (!carry.moved) return carry.from ? this.press(carry.from) : this.choose(carry.letter);
    if (carry.from) this.pieces[SQUARES.indexOf(carry.from)] = ".";
    if (to) this.pieces[SQUARES.indexOf(to)] = carry.letter;
    if (carry.from || to) this.changed();
  }

  drop() {
    this.carry?.ghost?.remove();
    this.carry = null;
    this.draw();
  }

  finish() {
    this.dialog.close();
    this.use(this.playable, this.chess960.checked);
  }
}

// The first field of a FEN.
function placement(pieces) {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank -= 1) ranks.push(pieces.slice(8 * rank, 8 * rank + 8).join("").replace(/\.+/g, (gap) => gap.length));
  return ranks.join("/");
}
