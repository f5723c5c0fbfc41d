// The controls around the map.

import {button, el, plural} from "./dom.js";
import {icon} from "./icons.js";

const ZOOM = 1.6;
export const SCORE = "";

export function canvasOf(count) {
  return el("canvas", {
    tabindex: "0",
    role: "application",
    "aria-roledescription": "map",
    "aria-label": `Map of ${plural(count, "document")}. Arrow keys move, plus and minus zoom, 0 shows all.`,
  });
}

// The canvas with what lies over it. does: {zoom, showHits, showAll}
export function frameOf(canvas, does) {
  const tool = (name, said, run) => button(icon(name), run, {class: "icon-button", "aria-label": said, title: said});
  return el(
    "div.map-frame",
    {},
    canvas,
    el(
      "div.map-zoom",
      {role: "group", "aria-label": "Part of the map in view"},
      tool("plus", "Zoom in (+)", () => does.zoom(ZOOM)),
      tool("minus", "Zoom out (−)", () => does.zoom(1 / ZOOM)),
      tool("target", "Show the best hits", does.showHits),
      tool("whole", "Show all (0)", does.showAll),
    ),
    el("div.tip", {id: "tip", hidden: true}),
    el("div.legend", {id: "legend"}),
  );
}

// names: of fields to colour by. does: {colourBy, setColour, setDrawing, searchInView}
export function toolbar(names, does) {
  return el(
    "div.map-tools",
    {},
    el("label", {for: "colour-by"}, "Colour by"),
    colourSelect(names, does),
    areaButton(does.setDrawing),
    button("Search in view", does.searchInView, {class: "plain small"}),
  );
}

function colourSelect(names, {colourBy, setColour}) {
  const options = [el("option", {value: SCORE}, "score"), ...names.map((name) => el("option", {value: name}, name))];
  const select = el("select", {id: "colour-by", onchange: (event) => setColour(event.target.value)}, options);
  select.value = colourBy;
  return select;
}

function areaButton(setDrawing) {
  const title = "Draw an area to search in it (or Shift and drag)";
  const toggle = (event) => setDrawing(event.currentTarget.getAttribute("aria-pressed") !== "true");
  return button([icon("area"), "Area"], toggle, {id: "draw-area", class: "plain small", "aria-pressed": false, title});
}
