// The board itself: what every square did, what it reads now, its push buttons, and the calibration of Hall sensors.

import { ask, order } from "./api.js";
import { element, makeDialog, selectField, update } from "./dom.js";

const FILES = [..."abcdefgh"];
const RANKS = [..."87654321"];
const FIGURES = {
  changes: "How often it changed",
  value: "What it reads now, live",
  remark: "What is the matter",
  bounces: "Bounces",
  dropouts: "Pieces lost for a moment",
  noise: "Noise",
};
const SLOW_MS = 2000;
const FAST_MS = 250;

let parts = null;
let timer = 0;
let began = false;

// `current()` is the newest state of the page.
export async function openHealth(current) {
  parts ??= build();
  parts.current = current;
  parts.dialog.showModal();
  await look();
}

function build() {
  const [figureField, figure] = selectField("Show", Object.entries(FIGURES));
  const cells = new Map();
  const table = element("table", { className: "heat" }, element("caption", { className: "heard" }, "The board's squares"),
    element("tbody", {}, ...RANKS.map((rank) => element("tr", {}, element("th", { scope: "row" }, rank), ...FILES.map((file) => {
      const cell = element("td");
      cells.set(file + rank, cell);
      return cell;
    })))),
    element("tfoot", {}, element("tr", {}, element("td"), ...FILES.map((file) => element("th", { scope: "col" }, file)))));
  const summary = element("p", { className: "health-summary", role: "status" });
  const trouble = element("p", { className: "dialog-said", role: "alert" });
  const remarks = element("ul", { className: "health-remarks" });
  const faults = element("ul", { className: "health-faults" });
  const buttons = element("p", { className: "health-buttons" });
  const calibration = element("section", { className: "calibration", aria: { label: "Calibration" } });
  const dialog = makeDialog("health-dialog", "The board", summary,
    element("div", { className: "health" },
      element("div", { className: "health-side" }, figureField, table),
      element("div", { className: "health-words" }, calibration,
        element("h3", {}, "Squares to look at"), remarks,
        element("h3", {}, "Push buttons"), buttons,
        element("h3", {}, "Newest faults"), faults)),
    trouble);
  dialog.classList.add("wide");
  figure.addEventListener("change", look);
  dialog.addEventListener("close", () => {
    clearTimeout(timer);
    if (began) command("give up");
  });
  return { dialog, figure, cells, summary, trouble, remarks, faults, buttons, calibration, report: null };
}

// Ask anew, draw, and come back as long as the dialog is open.
async function look() {
  clearTimeout(timer);
  const live = parts.figure.value === "value" || began;
  try {
    if (!parts.report || !live || Date.now() - parts.askedMs > SLOW_MS) {
      parts.report = await ask("/board");
      parts.askedMs = Date.now();
      drawReport(parts.report);
    }
    drawSquares(parts.report, live ? await ask("/board/reading") : null);
    parts.trouble.textContent = "";
  } catch (problem) {
    parts.trouble.textContent = problem.message || "The board's computer does not answer.";
  }
  clearTimeout(timer);
  if (parts.dialog.open) timer = setTimeout(look, live ? FAST_MS : SLOW_MS);
}

function drawReport(report) {
  const { name, senses, state, trouble, scans, late_scans: late, dropped, buttons, faults, squares } = report;
  const how = state === "open" ? `${scans} readings since the start` : state === "lost" ? `it does not answer: ${trouble}` : state;
  parts.summary.textContent = [name, `senses ${senses}`, how, late && `${late} were late`, dropped && `${dropped} were lost`].filter(Boolean).join(" · ");
  const ill = Object.entries(squares).filter(([, square]) => square.remark);
  update(parts.remarks, JSON.stringify(ill.map(([square, { remark }]) => [square, remark])), () => ill.length
    ? ill.map(([square, { remark }]) => element("li", {}, element("strong", {}, square), ` ${remark}`))
    : [element("li", {}, "None: nothing odd was seen since the start.")]);
  update(parts.faults, JSON.stringify(faults), () => faults.length ? [...faults].reverse().map(({ text }) => element("li", {}, text)) : [element("li", {}, "None.")]);
  parts.buttons.textContent = buttons.length ? `This board has buttons for: ${buttons.join(", ")}.` : "This board has no push buttons; everything is on this page.";
  drawCalibration(report.calibration);
}

// One number or word a square, a shade for how much it is, a mark where something is the matter.
function drawSquares({ squares, senses }, reading) {
  const figure = began ? "value" : parts.figure.value;
  const shown = Object.entries(squares).map(([name, square]) => [name, told(name, square, figure, senses, reading), square]);
  const most = Math.max(1, ...shown.map(([, value]) => Math.abs(Number(value)) || 0));
  for (const [name, value, square] of shown) {
    const cell = parts.cells.get(name);
    const share = typeof value === "number" ? Math.abs(value) / (senses === "field" && figure === "value" ? Math.max(most, 60) : most) : figure !== "remark" && value ? 0.6 : 0;
    cell.style.setProperty("--share", `${Math.round(70 * Math.min(1, share))}%`);
    cell.dataset.sick = String(Boolean(square.remark));
    cell.dataset.pole = typeof value === "number" && value < 0 ? "black" : "white";
    const text = value === null || value === "" ? "" : String(value);
    const words = `${square.remark && figure !== "remark" ? "! " : ""}${text}`;
    if (cell.textContent !== words) cell.textContent = words;
    cell.title = `${name}: ${square.changes} changes, ${square.bounces} bounces, ${square.dropouts} dropouts${square.noise === null ? "" : `, noise ${square.noise}`}${square.remark ? `; ${square.remark}` : ""}`;
  }
}

function told(name, square, figure, senses, reading) {
  if (figure === "remark") return square.dead ? "dead" : square.distrusted ? "??" : square.remark ? "!" : "✓";
  if (figure !== "value") return square[figure];
  const value = reading?.values?.[8 * (Number(name[1]) - 1) + FILES.indexOf(name[0])] ?? null;
  return senses === "field" && value !== null ? Math.round(value) : value;
}

// -- calibration

function drawCalibration(told) {
  const root = parts.calibration;
  const mute = parts.current()?.read_only;
  root.hidden = !told.possible || mute;
  began = told.under_way && began;
  update(root, JSON.stringify([told, began]), () => {
    const findings = told.findings.map(({ text, stops }) => element("li", { dataset: { stops } }, element("strong", {}, stops ? "✕ " : "△ "), text));
    const button = (words, what, called = "") => element("button", { type: "button", className: called, textContent: words, disabled: told.reading, onclick: () => command(what) });
    const rows = told.under_way
      ? [
          element("h3", {}, `Calibration: step ${told.step} of ${told.steps}`),
          element("p", { className: "step" }, told.text),
          element("ul", { className: "setup-said" }, ...findings),
          element("p", { className: "setup-buttons" },
            button(told.stopped ? "Read again" : "Read this step", "read", "called"),
            told.stopped ? button("Go on all the same", "go on") : null,
            button("Give up", "give up")),
        ]
      : [
          element("h3", {}, "Calibration"),
          element("p", {}, told.file ? `Done: the calibration is in ${told.file}. A new game begins with it.` : "Measures every sensor in four steps. A game that is going on ends with it, unfinished."),
          element("ul", { className: "setup-said" }, ...findings),
          element("p", { className: "setup-buttons" }, button(told.file ? "Calibrate again" : "Calibrate", "begin")),
        ];
    return [element("div", { role: "status" }, ...rows.slice(0, 3)), rows[3]];
  });
}

async function command(what) {
  try {
    began = what !== "give up";
    drawCalibration(await reading(what));
    parts.calibration.querySelector("button")?.focus();
  } catch (problem) {
    parts.trouble.textContent = problem.message;
  }
  if (parts.dialog.open) await look();
}

// Reading takes a second: say so meanwhile.
async function reading(what) {
  const answer = order("/calibration", { do: what });
  if (what === "read") for (const button of parts.calibration.querySelectorAll("button")) button.disabled = true;
  return answer;
}
