// How this browser shows the page: colours, size of letters, lights that beat or not. Kept in this browser only.

import { $ } from "./dom.js";
import { setSteady } from "./lights.js";

const KEY = "touchmove-view";
const DEFAULTS = { theme: "auto", size: "normal", lights: "beat", sheet: "times" };

export function startPreferences() {
  const view = { ...DEFAULTS, ...read() };
  const form = $("view-form");
  for (const name of Object.keys(DEFAULTS)) form.elements[name].value = view[name];
  form.addEventListener("change", () => {
    for (const name of Object.keys(DEFAULTS)) view[name] = form.elements[name].value;
    show(view);
    write(view);
  });
  $("view").addEventListener("click", () => $("view-dialog").showModal());
  show(view);
}

function show({ theme, size, lights, sheet }) {
  Object.assign(document.documentElement.dataset, { theme, size, sheet });
  setSteady(lights === "steady");
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function write(view) {
  try {
    localStorage.setItem(KEY, JSON.stringify(view));
  } catch {
    // a browser that keeps nothing still shows the choice
  }
}
