// The parts of the page: on wide screens one is beside the list, on narrow ones it replaces the list.

import {byId, el} from "./dom.js";
import {icon} from "./icons.js";
import {change, on, state} from "./state.js";

const VIEWS = {
  results: "Results",
  reader: "Reader",
  map: "Map",
  learned: "Learned",
  screening: "Screening",
  collection: "Collection",
};
let beside = "reader";

export function show(view) {
  change({view}, {push: true});
}

function draw() {
  const view = state.view in VIEWS ? state.view : "results";
  if (view !== "results") beside = view;
  document.body.dataset.view = view;
  document.body.dataset.beside = beside;
  for (const one of byId("views").children) one.setAttribute("aria-current", String(one.dataset.view === view));
  for (const one of byId("views").children) one.classList.toggle("beside", one.dataset.view === beside);
}

byId("views").append(
  ...Object.entries(VIEWS).map(([view, name]) =>
    el("button", {type: "button", "data-view": view, onclick: () => show(view)}, icon(view), el("span", {}, name)),
  ),
);
on("state", (names) => names.includes("view") && draw());
draw();
