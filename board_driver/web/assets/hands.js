// What hands do on a virtual board: pick up, carry, put down, lay aside, by mouse, finger or keys.
//
// A press on a piece takes it up at once, as a real touch would. Released elsewhere it is put down there; released where
// it stood it stays in the hand and the next press puts it down. While one piece is in hand, a second finger, or a press
// with Shift, takes up another. What the board's computer says is the truth; until it answers, the page shows what the
// hand just did.

import { SQUARES } from "./board.js";
import { drawPiece } from "./pieces.js";

const DRAG_PX = 6;

export class Hands {
  // `send(wish)` asks the board; `redraw()` shows the table again.
  constructor(boardRoot, trayRoot, send, redraw) {
    this.boardRoot = boardRoot;
    this.trayRoot = trayRoot;
    this.send = send;
    this.redraw = redraw;
    this.table = null;
    this.readOnly = false;
    this.carried = new Map(); // pointer → {hand, x, y, fresh, moved, ghost}
    for (const root of [boardRoot, trayRoot]) {
      root.addEventListener("pointerdown", (event) => this.down(event));
      root.addEventListener("pointermove", (event) => this.move(event));
      root.addEventListener("pointerup", (event) => this.up(event));
      root.addEventListener("pointercancel", (event) => this.cancel(event));
      root.addEventListener("contextmenu", (event) => this.carried.size && event.preventDefault());
    }
  }

  // The table as the board's computer says it is.
  learn(table) {
    this.table = table;
    for (const [pointer, carry] of this.carried) if (!table?.hands?.[carry.hand]) this.drop(pointer);
  }

  get active() {
    return Boolean(this.table?.hands);
  }

  // What the page shows on that square: {letter, state} or null.
  piece(name) {
    const { squares, hands, landing } = this.table;
    const standing = squares[SQUARES.indexOf(name)];
    if (standing !== ".") return { letter: standing, state: "" };
    if (landing?.square === name) return { letter: hands[landing.hand]?.piece ?? ".", state: "" };
    const hand = this.holding((held) => held.from === name);
    if (hand === null || landing?.hand === hand) return null;
    return { letter: hands[hand].piece, state: this.isCarried(hand) ? "carried" : "raised" };
  }

  // A hand that holds a piece and is not busy putting it down; null if there is none.
  holding(fits = () => true) {
    const hand = this.table.hands.findIndex((held, i) => held && this.table.landing?.hand !== i && fits(held, i));
    return hand < 0 ? null : hand;
  }

  free() {
    const hand = this.table.hands.findIndex((held) => !held);
    return hand < 0 ? null : hand;
  }

  isCarried(hand) {
    return [...this.carried.values()].some((carry) => carry.hand === hand && carry.moved);
  }

  // Lift from a square name or a tray letter; the hand, or null if it could not be done.
  lift(source) {
    const hand = this.free();
    const fromTray = source.length === 1;
    const letter = fromTray ? source : this.table.squares[SQUARES.indexOf(source)];
    if (this.readOnly || hand === null || letter === "." || (fromTray && !this.table.tray.includes(source))) return null;
    if (!this.send({ do: "lift", hand, ...(fromTray ? { tray: source } : { square: source }) })) return null;
    if (fromTray) this.table.tray = this.table.tray.replace(source, "");
    else this.setSquare(source, ".");
    this.table.hands[hand] = { piece: letter, from: fromTray ? null : source };
    this.redraw();
    return hand;
  }

  // Put what `hand` holds on a square, or into the tray for null.
  put(hand, square) {
    const held = this.table.hands[hand];
    if (this.readOnly || !held || !this.send({ do: "put", hand, ...(square ? { square } : { tray: true }) })) return;
    if (square && this.table.squares[SQUARES.indexOf(square)] !== ".") return; // a capture or a refusal: the board decides
    this.table.hands[hand] = null;
    if (square) this.setSquare(square, held.piece);
    else this.table.tray += held.piece;
    this.redraw();
  }

  putBack() {
    const hand = this.holding();
    if (!this.readOnly && hand !== null) this.send({ do: "back", hand });
  }

  setSquare(name, letter) {
    const index = SQUARES.indexOf(name);
    this.table.squares = this.table.squares.slice(0, index) + letter + this.table.squares.slice(index + 1);
  }

  // Enter or Space on a square: put down what is in hand, or take up what stands there. With Shift: take up another.
  act(square, another) {
    if (!this.active) return;
    const hand = another ? null : this.holding();
    if (hand === null) this.lift(square);
    else this.put(hand, square);
  }

  // -- pointers

  down(event) {
    if (!this.active || this.readOnly || event.button !== 0) return;
    const place = placeAt(event.target);
    if (!place) return;
    const onHold = event.shiftKey ? null : this.holding((_, hand) => ![...this.carried.values()].some((c) => c.hand === hand));
    const hand = onHold ?? (place.source ? this.lift(place.source) : null);
    if (hand === null) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    place.cell?.focus({ preventScroll: true });
    this.carried.set(event.pointerId, { hand, x: event.clientX, y: event.clientY, fresh: onHold === null, moved: false, ghost: null });
  }

  move(event) {
    const carry = this.carried.get(event.pointerId);
    if (!carry) return;
    const far = Math.hypot(event.clientX - carry.x, event.clientY - carry.y) > DRAG_PX;
    if (!carry.moved && far) {
      carry.moved = true;
      carry.ghost = this.makeGhost(carry.hand, event.pointerType);
      this.redraw();
    }
    if (carry.ghost) this.place(carry.ghost, event);
  }

  up(event) {
    const carry = this.carried.get(event.pointerId);
    if (!carry) return;
    this.drop(event.pointerId);
    if (carry.fresh && !carry.moved) return this.redraw();
    const place = placeAt(document.elementFromPoint(event.clientX, event.clientY));
    if (place?.square) this.put(carry.hand, place.square);
    else if (place?.tray) this.put(carry.hand, null);
    this.redraw();
  }

  cancel(event) {
    if (!this.carried.has(event.pointerId)) return;
    this.drop(event.pointerId);
    this.redraw();
  }

  drop(pointer) {
    this.carried.get(pointer)?.ghost?.remove();
    this.carried.delete(pointer);
  }

  makeGhost(hand, pointerType) {
    const ghost = drawPiece(this.table.hands[hand].piece);
    ghost.classList.add("ghost", pointerType === "touch" ? "by-touch" : "by-mouse");
    const size = this.boardRoot.getBoundingClientRect().width / 8;
    ghost.style.width = ghost.style.height = `${size}px`;
    document.body.append(ghost);
    return ghost;
  }

  place(ghost, event) {
    ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  }
}

// Which square or part of the tray an element belongs to.
function placeAt(element) {
  const cell = element?.closest?.("[data-square]");
  if (cell) return { cell, square: cell.dataset.square, source: cell.dataset.square };
  const spare = element?.closest?.("[data-tray]");
  if (spare) return { tray: true, source: spare.dataset.tray };
  return element?.closest?.(".tray") ? { tray: true } : null;
}
