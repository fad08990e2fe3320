// The players' chess clocks, and what can be done to them: press, pause, set.
//
// Keys, where a turn ends with a press: F8 is White's side of the clock, F9 Black's; the Pause key pauses.

import { $, element, makeDialog } from "./dom.js";
import { BoardTime, clockNote, LOW_MS, remaining } from "./clocktime.js";
import { capital, clockTime } from "./words.js";

const TICK_MS = 100;
const LAST_MS = 10000;
const KEYS = { F8: "white", F9: "black" };

// `send(wish)` asks the board.
export function startClock(send) {
  const clocks = new Clocks(send);
  document.addEventListener("touchmove-state", ({ detail }) => clocks.learn(detail));
  document.addEventListener("keydown", (event) => clocks.key(event));
  setInterval(() => clocks.tick(), TICK_MS);
}

class Clocks {
  constructor(send) {
    this.send = send;
    this.state = null;
    this.time = new BoardTime();
    this.faces = { far: new Face(send, "far"), near: new Face(send, "near") };
    $("far-player").after(this.faces.far.root);
    $("near-player").before(this.faces.near.root);
    this.pause = element("button", { type: "button", id: "clock-pause", title: "The Pause key does the same", onclick: () => this.togglePause() });
    this.set = element("button", { type: "button", id: "clock-set", className: "quiet", textContent: "Set the clock", onclick: () => this.openSetting() });
    this.spoken = element("p", { className: "heard", role: "status" });
    this.row = element("p", { className: "clock-row", hidden: true }, this.pause, this.set);
    $("near-player").after(this.row, this.spoken);
  }

  learn(state) {
    this.state = state;
    this.time.hear(state.now_ms);
    const { clock, read_only: mute, result } = state;
    document.body.classList.toggle("timed", Boolean(clock));
    this.row.hidden = !clock || mute || Boolean(result);
    if (clock) this.pause.textContent = clock.paused ? "Go on" : "Pause";
    this.tick();
  }

  tick() {
    const { clock } = this.state ?? {};
    const nowMs = this.time.now();
    for (const [side, face] of Object.entries(this.faces)) face.draw(this.state, $(`${side}-player`).dataset.colour, nowMs);
    if (clock) this.announce(clock, nowMs);
  }

  // Aloud only what matters: a pause, a time that is running out.
  announce(clock, nowMs) {
    let said = clock.paused ? "The clock is paused." : "";
    if (clock.running) {
      const left = remaining(clock, clock.running, nowMs);
      const word = left < LAST_MS ? "ten seconds" : left < LOW_MS ? "one minute" : "";
      if (word) said = `${capital(clock.running)} has less than ${word}.`;
    }
    change(this.spoken, said);
  }

  key(event) {
    const { clock, settings, read_only: mute, result } = this.state ?? {};
    if (!clock || mute || result || event.repeat || document.querySelector("dialog[open]")) return;
    if (KEYS[event.key] && settings.press) this.send({ do: "press", colour: KEYS[event.key] });
    else if (event.key === "Pause") this.togglePause();
    else return;
    event.preventDefault();
  }

  togglePause() {
    this.send({ do: "button", name: "pause", value: this.state.clock.paused ? "off" : "on" });
  }

  // -- the arbiter's hand

  openSetting() {
    this.dialog ??= this.makeSetting();
    const nowMs = this.time.now();
    for (const colour of ["white", "black"]) {
      const seconds = Math.floor(remaining(this.state.clock, colour, nowMs) / 1000);
      this.fields[colour].value = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      this.fields[colour].dataset.was = this.fields[colour].value;
    }
    this.dialog.showModal();
  }

  makeSetting() {
    const field = (colour) => element("input", { name: colour, inputMode: "numeric", autocomplete: "off", required: true, pattern: "[0-9]{1,4}:[0-5][0-9]", title: "minutes:seconds, such as 12:30" });
    this.fields = { white: field("white"), black: field("black") };
    const form = element("form", { method: "dialog" },
      element("p", {}, "Minutes and seconds. A side that is left as it stands is not touched."),
      element("div", { className: "pair-of-fields" },
        element("label", { className: "field" }, "White ", this.fields.white),
        element("label", { className: "field" }, "Black ", this.fields.black)),
      element("p", { className: "clock-row" },
        ...[["white", 60], ["white", 120], ["black", 60], ["black", 120]].map(([colour, seconds]) => this.giving(colour, seconds))),
      element("p", { className: "dialog-buttons" }, element("button", { type: "submit", value: "set", className: "called", textContent: "Set" })));
    const dialog = makeDialog("clock-dialog", "Set the clock", form);
    form.addEventListener("submit", () => this.setTimes());
    return dialog;
  }

  giving(colour, seconds) {
    const give = () => {
      this.send({ do: "button", name: "time", value: `${colour} +${seconds * 1000}` });
      this.dialog.close();
    };
    return element("button", { type: "button", textContent: `${capital(colour)} +${seconds / 60} min`, onclick: give });
  }

  setTimes() {
    for (const [colour, { value, dataset }] of Object.entries(this.fields)) {
      const [minutes, seconds] = value.split(":").map(Number);
      const ms = (minutes * 60 + seconds) * 1000;
      if (value !== dataset.was && ms > 0) this.send({ do: "button", name: "time", value: `${colour} ${ms}` });
    }
  }
}

// One player's clock: its time, large, what is to be said of it, and his side to press.
class Face {
  constructor(send, side) {
    this.time = element("span", { className: "big-time" });
    this.note = element("span", { className: "clock-note" });
    this.button = element("button", { type: "button", className: "clock-press", onclick: () => send({ do: "press", colour: this.colour }) });
    this.root = element("div", { className: `big-clock ${side}`, role: "timer", hidden: true }, this.time, this.note, this.button);
  }

  draw(state, colour, nowMs) {
    const clock = state?.clock;
    this.root.hidden = !clock;
    if (!clock) return;
    const left = remaining(clock, colour, nowMs);
    if (this.colour !== colour) {
      this.colour = colour;
      this.root.setAttribute("aria-label", `${capital(colour)}'s clock`);
      this.button.textContent = "Press";
      this.button.title = `${capital(colour)}'s side of the clock: ends his turn (${colour === "white" ? "F8" : "F9"})`;
      this.button.setAttribute("aria-label", `Press ${capital(colour)}'s clock`);
    }
    change(this.time, clockTime(left));
    change(this.note, clockNote(clock, colour, left));
    this.root.dataset.colour = colour;
    this.root.classList.toggle("running", clock.running === colour);
    this.root.classList.toggle("low", left < LOW_MS);
    this.button.hidden = !state.settings.press || state.read_only || Boolean(state.result);
  }
}

function change(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
