// Beside the board: whose move it is, the ruling in words, the players' buttons, the score, the tray.

import { $, element, setText, update } from "./dom.js";
import { drawLight, lightWords } from "./lights.js";
import { playerNote } from "./opponents.js";
import { colourOf, drawPiece, pieceName } from "./pieces.js";
import { ScoreSheet } from "./score.js";
import { capital, clockTime, RESULT_WORDS, RESULTS } from "./words.js";

const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };
const DECIDED = ["1-0", "1/2-1/2", "0-1"];
const WORTH = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };

export class Panel {
  constructor(send) {
    this.send = send;
    this.armed = null; // a button that asks to be pressed once more
    this.sheet = new ScoreSheet((ply, uci) => send({ do: "settle", ply, uci }));
    this.players = { far: $("far-player"), near: $("near-player") };
    document.addEventListener("click", (event) => {
      if (this.armed && !this.armed.contains(event.target)) this.disarm();
    });
  }

  draw(state, flipped) {
    this.drawSettings(state);
    this.drawPlayer(this.players.near, flipped ? "black" : "white", state);
    this.drawPlayer(this.players.far, flipped ? "white" : "black", state);
    this.drawRuling(state);
    this.drawChoices(state);
    this.drawNames(state);
    this.sheet.draw(state);
    this.drawSaid(state);
    this.drawLegend(state);
  }

  drawSettings({ settings, board }) {
    const touch = settings.mode === "play" ? ` · touch-move ${settings.touch}` : "";
    const mode = settings.mode === "play" ? "arbiter" : "recorder";
    const lights = settings.lights === "all" ? "" : ` · lights: ${settings.lights.replace("-", " ")}`;
    const clock = settings.time ? ` · clock ${settings.time}` : "";
    $("settings").textContent = `${board.name} · ${mode} · ${settings.ruleset}${touch}${clock}${lights}`;
  }

  drawPlayer(root, colour, state) {
    const toMove = !state.result && state.position.turn === colour;
    const fouls = state.fouls?.[colour] ?? 0;
    root.classList.toggle("to-move", toMove);
    root.dataset.colour = colour;
    const offered = state.offer === colour;
    const asked = state.offer && !offered;
    const handless = state.players.handless.includes(colour);
    const note = [toMove && "to move", playerNote(state, colour), toMove && state.position.check && "in check", offered && "offers a draw", fouls && `${fouls} illegal move${fouls > 1 ? "s" : ""}`];
    const words = note.filter(Boolean).join(" · ");
    const claim = toMove && state.claimable.length > 0;
    const over = Boolean(state.result);
    const mute = state.settings.mode === "record" || state.read_only || over || handless;
    const hints = state.settings.lights === "all" && state.players.offered.length > 0;
    const name = state.tags[capital(colour)];
    const clock = lastClock(state, colour);
    const taken = state.captured[colour];
    const ahead = lead(state.captured, colour);
    this.buttons = state.buttons;
    update(root, JSON.stringify([colour, words, claim, mute, hints, name, clock, taken, ahead, asked]), () => [
      element("p", { className: "player-name" },
        element("span", { className: `disc ${colour}`, role: "img", aria: { label: colour } }),
        element("span", { className: "who" }, name ?? capital(colour)),
        element("span", { className: "player-note" }, words),
        clock === null ? null : element("span", { className: "clock", title: "time left after the last move" }, clockTime(clock))),
      element("p", { className: "captured", hidden: !taken }, ...takenPieces(taken), ahead > 0 ? element("span", { className: "ahead", title: "more in pawns" }, `+${ahead}`) : null),
      element("div", { className: "player-buttons", role: "group", aria: { label: `${capital(colour)}'s choices` } }, ...(mute ? [] : this.choices(colour, claim, toMove, asked, hints))),
    ]);
  }

  choices(colour, mayClaim, toMove, asked, hints) {
    const button = (name, text, title, extra = {}) => element("button", { type: "button", title, textContent: text, onclick: () => this.send({ do: "button", name, value: colour }), ...extra });
    const adjust = button("adjust", "Adjust", "“J'adoube”: say so before touching a piece to straighten it", { disabled: !toMove });
    const claim = button("claim", "Claim", "Claim a draw by repetition or the fifty-move rule", { className: mayClaim ? "called" : "", disabled: !toMove });
    const draw = asked
      ? button("draw", "Accept draw", "Accept the draw that is offered; touching a piece refuses it", { className: "called" })
      : button("draw", "Draw", "Offer a draw");
    const back = button("takeback", "Take back", "Agree to take the last move back");
    const resign = element("button", { type: "button", textContent: "Resign", title: "Give the game up; asks once more" });
    resign.onclick = () => this.askTwice(resign, "Really resign?", () => this.send({ do: "button", name: "resign", value: colour }));
    const hint = button("hint", "Hint", "Let the lights show a good move", { disabled: !toMove, hidden: !hints });
    this.markButtons({ adjust, claim, draw, takeback: back, resign, hint }, colour);
    return [adjust, claim, draw, back, resign, hint];
  }

  // Which of these the board has push buttons for, of that player or of the one having the move.
  markButtons(choices, colour) {
    for (const [name, button] of Object.entries(choices)) {
      if (!(name in this.buttons) && !(`${name}_${colour}` in this.buttons)) continue;
      button.classList.add("physical");
      button.title += " · the board has a button for it, too";
    }
  }

  askTwice(button, question, act) {
    if (this.armed === button) {
      this.disarm();
      act();
      return;
    }
    this.disarm();
    this.armed = button;
    button.dataset.before = button.textContent;
    button.textContent = question;
    button.classList.add("armed");
  }

  disarm() {
    if (!this.armed) return;
    this.armed.textContent = this.armed.dataset.before;
    this.armed.classList.remove("armed");
    this.armed = null;
  }

  drawRuling(state) {
    const { tone, text, article } = ruling(state);
    const node = $("ruling");
    node.parentElement.dataset.tone = tone;
    // Moves are seen as "3. Nf3" and heard as "knight f 3".
    const said = tone === "move" ? [element("span", { aria: { hidden: "true" } }, `${state.headline.text}. `), element("span", { className: "heard" }, `${state.told.last}. `), element("span", {}, state.told.turn)] : [text];
    update(node, `${tone}|${text}`, () => said);
    node.classList.toggle("long", text.length > 110);
    setText($("article"), article && !text.includes("Laws") ? `Laws of Chess, ${article}` : "");
    setText($("remedy"), state.placing ? placingWords(state.placing) : state.remedy);
    setText($("device"), deviceTrouble(state));
    drawLesson(state.taught);
  }

  drawChoices(state) {
    const promotion = state.read_only ? null : state.promotion; // it may still undo an end
    const root = $("promotion");
    root.hidden = !promotion;
    update(root, JSON.stringify(promotion), () => (promotion ? this.promotionButtons(promotion) : []));
    const results = $("result-buttons");
    const open = state.settings.mode === "record" && !state.result && !state.read_only;
    results.hidden = !open;
    update(results, String(open), () => (open ? DECIDED.map((value) => this.resultButton(value, RESULTS[value])) : []));
  }

  promotionButtons({ colour, square, chosen }) {
    const label = element("span", { className: "promotion-label" }, chosen ? `${square} became a ${PROMOTIONS[chosen]}. Another piece?` : "Promote to:");
    const buttons = Object.entries(PROMOTIONS).map(([letter, role]) => {
      const piece = colour === "white" ? letter.toUpperCase() : letter;
      const physical = `promote_${role}` in this.buttons ? " physical" : "";
      return element("button", { type: "button", className: `piece-button${physical}`, title: role, aria: { label: role, pressed: String(chosen === letter) },
        onclick: () => this.send({ do: "button", name: "promote", value: letter }) }, drawPiece(piece));
    });
    return [label, ...buttons];
  }

  resultButton(value, text) {
    return element("button", { type: "button", textContent: text, title: `${RESULT_WORDS[value]}: ends the game`, onclick: () => this.send({ do: "button", name: "result", value }) });
  }

  // Where and what this game is, over the score.
  drawNames({ tags, read_only: mute }) {
    const words = [tags.Event, tags.Round && `round ${tags.Round}`, tags.Site].filter(Boolean).join(" · ");
    setText($("event"), words);
    $("header").hidden = mute;
  }

  drawSaid(state) {
    const said = [...state.said].reverse();
    update($("said"), JSON.stringify(said), () => said.map((line) => element("li", { dataset: { tone: line.tone } }, line.text)));
  }

  drawLegend(state) {
    const meanings = [...new Set(Object.values(state.lights))];
    update($("legend"), meanings.join(), () => meanings.map((meaning) => {
      const sample = element("span", { className: "sample", aria: { hidden: "true" } }, ...drawLight(meaning));
      return element("li", {}, sample, lightWords(meaning));
    }));
  }

  // Pieces beside the board, and what the hands hold.
  drawTray(hands, putBack) {
    const root = $("tray");
    root.hidden = !hands.active;
    $("help").hidden = !hands.active || hands.readOnly;
    const noise = $("noise");
    noise.checked = Boolean(hands.table?.noise);
    noise.disabled = hands.readOnly;
    if (!hands.active) return;
    const { tray, hands: held, landing } = hands.table;
    const sorted = [...tray].sort((a, b) => "QRBNPKqrbnpk".indexOf(a) - "QRBNPKqrbnpk".indexOf(b));
    update($("tray-pieces"), sorted.join(""), () => trayButtons(sorted, (letter) => hands.lift(letter)));
    const inHand = held.filter((h, i) => h && landing?.hand !== i);
    update($("in-hand"), JSON.stringify(inHand), () => inHand.length ? [
      element("span", {}, "In hand:"),
      ...inHand.map((h) => element("span", { className: "held", role: "img", aria: { label: pieceName(h.piece) } }, drawPiece(h.piece))),
      element("button", { type: "button", className: "quiet", textContent: "Put back", title: "Escape does the same", hidden: hands.readOnly, onclick: putBack }),
    ] : []);
  }
}

// One man after the other, until the board stands as the game starts.
function placingWords({ text, left }) {
  return `Setting up: ${text[0].toLowerCase()}${text.slice(1)}. ${left} square${left > 1 ? "s" : ""} to go.`;
}

// What is the matter with the board itself, if anything is.
function deviceTrouble(state) {
  const { state: is, trouble } = state.board;
  if (is === "lost") return `The board does not answer: ${trouble}. Trying again…`;
  return lastFault(state) || (is === "exhausted" ? "The log was read to its end." : "");
}

function lastFault(state) {
  const faults = state.said.filter((line) => line.tone === "fault");
  const last = faults.at(-1);
  return last && state.now_ms - last.t_ms < 15000 && !last.text.startsWith("The board is gone") ? last.text : "";
}

// What a teacher has written down: the task at hand, whether it is done, and the last explanation with its article.
function drawLesson(taught) {
  const root = $("lesson");
  root.hidden = !taught;
  if (!taught) return;
  const { task, remark, is_right: isRight, lesson } = taught;
  update(root, JSON.stringify(taught), () => [
    task && element("p", { className: "task" }, task),
    remark && element("p", { className: isRight ? "praise" : "blame" }, `${isRight ? "✓" : "✗"} ${remark}`),
    lesson && element("h2", {}, lesson.title),
    lesson && element("p", {}, lesson.text),
    lesson && element("p", { className: "article" }, `FIDE Laws ${lesson.article}`),
  ].filter(Boolean));
}

// What to say first: the result, what is wrong, what is owed, or simply whose move it is.
function ruling(state) {
  const { headline, result, told } = state;
  if (result) {
    return { tone: "over", text: `${RESULTS[result] ?? result} — ${told.over}`, article: headline?.tone === "wrong" ? headline.article : "" };
  }
  const { turn } = told;
  const wrong = Boolean(state.restore || state.illegal);
  if (state.players.told && !wrong) return { tone: "owed", text: state.players.told, article: "" };
  const owed = state.obligation && state.obligation.kind !== "none";
  if (!headline || (headline.tone === "wrong" && !wrong) || (headline.tone === "owed" && !owed && state.moves.length === 0)) {
    return { tone: "note", text: turn, article: "" };
  }
  if (headline.tone === "move") return { tone: "move", text: `${headline.text}. ${turn}`, article: "" };
  return headline;
}

// What the clock of that colour showed after its last move; null where no clock is known.
function lastClock({ moves, first_ply: first }, colour) {
  const parity = colour === "white" ? 0 : 1;
  for (let i = moves.length - 1; i >= 0; i -= 1) {
    if ((first + i) % 2 === parity && moves[i].clock_ms !== null) return moves[i].clock_ms;
  }
  return null;
}

const worth = (letters) => [...letters].reduce((sum, letter) => sum + WORTH[letter.toLowerCase()], 0);

function lead(captured, colour) {
  return worth(captured[colour]) - worth(captured[colour === "white" ? "black" : "white"]);
}

function takenPieces(letters) {
  const sorted = [...letters].sort((a, b) => "qrbnp".indexOf(a.toLowerCase()) - "qrbnp".indexOf(b.toLowerCase()));
  return sorted.map((letter) => element("span", { className: "taken", role: "img", aria: { label: `took a ${pieceName(letter)}` } }, drawPiece(letter)));
}

function trayButtons(letters, lift) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  if (!counts.size) return [element("span", { className: "tray-empty" }, "Captured pieces go here.")];
  return [...counts].map(([letter, count]) =>
    element("button", { type: "button", className: `spare ${colourOf(letter)}`, dataset: { tray: letter }, title: `Take the ${pieceName(letter)}`,
      aria: { label: `${count} ${pieceName(letter)}${count > 1 ? "s" : ""} beside the board` },
      onclick: (event) => event.detail === 0 && lift(letter) }, // keyboard only: pointers lift on pressing
    drawPiece(letter), count > 1 ? element("span", { className: "count" }, `×${count}`) : ""));
}
