// The map: the whole collection as a picture, coloured by score or by a field, with hits and marks on it.

import {Gone, of, read, send, whenBack} from "./api.js";
import {here} from "./collections.js";
import {css, fieldScale, plainScale, scoreScale} from "./colours.js";
import {button, byId, el, number, plural, redraw} from "./dom.js";
import {addFilter} from "./filters.js";
import {icon} from "./icons.js";
import {follow} from "./jobs.js";
import {listen} from "./map_moves.js";
import {Picture} from "./map_picture.js";
import {Places, Window} from "./map_places.js";
import {markOf} from "./marks.js";
import {complain} from "./notices.js";
import {progressBar} from "./progress.js";
import {openDocument} from "./results.js";
import {answer, isAsked, question} from "./search.js";
import {change, on, state} from "./state.js";

const REACH = 14;
const ZOOM = 1.6;
const MOST_HITS = 60;
const SCORE = "";
const MANY = 10_000;
const REST = 140;

const view = byId("map");
const frame = new Window();
let [places, regions, scale, picture, canvas] = [null, [], null, null, null];
let [loaded, loading, colourBy, values] = [null, false, SCORE, null];
let [hover, drawn, drawsArea, waiting] = [null, null, false, false];
const titles = new Map();

async function load() {
  if (state.view !== "map" && document.body.dataset.beside !== "map") return;
  if (!state.collection || loading || loaded === state.collection) return;
  if (here()?.documents === 0) return empty("An empty collection has no map. Add documents first.");
  loading = true;
  try {
    take(await made(state.collection));
  } catch (error) {
    if (error instanceof Gone) whenBack().then(load);
    else empty(error.message);
  } finally {
    loading = false;
  }
}

// The map of a collection, waited for where it is being made.
async function made(collection) {
  redraw(view, el("p.quiet.loading", {role: "status"}, "Reading the map…"));
  const found = await read(of(collection, "map"));
  if (!found.job) return {collection, ...found};
  const bar = progressBar("Drawing the map");
  redraw(view, el("div.empty", {}, el("h2", {}, "The map is being drawn"), el("p", {}, "Once; it is kept with the collection."), bar.element));
  await follow(found.job, bar.step);
  return {collection, ...(await read(of(collection, "map")))};
}

function empty(text) {
  redraw(view, el("div.empty", {}, el("h2", {}, "No map"), el("p", {}, text)));
}

async function take(found) {
  places = new Places(found.ids, found.x, found.y);
  [regions, loaded, values] = [found.regions, found.collection, null];
  const names = Object.keys(found.fields);
  if (!isAsked() && names.length && colourBy === SCORE) colourBy = names[0];
  if (colourBy !== SCORE && !names.includes(colourBy)) colourBy = SCORE;
  scale = plainScale(found.ids.length);
  frame.whole();
  build(names);
  await colour();
}

function build(names) {
  canvas = el("canvas", {tabindex: "0", role: "application", "aria-roledescription": "map", "aria-label": `Map of ${plural(places.ids.length, "document")}. Arrow keys move, plus and minus zoom, 0 shows all.`});
  const tool = (name, said, run) => button(icon(name), run, {class: "icon-button", "aria-label": said, title: said});
  const areaButton = button([icon("area"), "Area"], () => {
    drawsArea = !drawsArea;
    areaButton.setAttribute("aria-pressed", String(drawsArea));
    canvas.classList.toggle("drawing", drawsArea);
  }, {class: "plain small", "aria-pressed": false, title: "Draw an area to search in it (or Shift and drag)"});
  const select = el("select", {id: "colour-by", onchange: (event) => {
    colourBy = event.target.value;
    colour();
  }}, el("option", {value: SCORE}, "score"), names.map((name) => el("option", {value: name}, name)));
  select.value = colourBy;
  redraw(
    view,
    el("div.map-tools", {},
      el("label", {for: "colour-by"}, "Colour by"), select, areaButton,
      button("Search in view", () => searchIn(frame.area), {class: "plain small"}),
      el("span.spring"),
      tool("plus", "Zoom in (+)", () => zoom(ZOOM)), tool("minus", "Zoom out (−)", () => zoom(1 / ZOOM)),
      tool("whole", "Show all (0)", () => {
        frame.whole();
        paint();
      })),
    el("div.map-frame", {}, canvas, el("div.tip", {id: "tip", hidden: true}), el("div.legend", {id: "legend"})),
  );
  picture = new Picture(canvas);
  listen(canvas, frame, {changed: move, hover: point, leave: unpoint, click: open, areaDrawn, areaDone: searchIn}, () => drawsArea);
  new ResizeObserver(size).observe(canvas.parentElement);
}

function size([{contentRect}]) {
  [frame.width, frame.height] = [Math.max(1, contentRect.width), Math.max(1, contentRect.height)];
  paint();
}

function zoom(factor) {
  frame.zoomBy(factor);
  move();
}

let resting = null;
// The picture in haste, and a finer one when the map rests.
function move() {
  paint(places.ids.length > MANY);
  clearTimeout(resting);
  resting = setTimeout(() => paint(), REST);
}

// One picture for each frame of the screen, however many changes there were.
function paint(haste = false) {
  if (waiting || !picture) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const at = (id) => places.numbers.get(id);
    const known = (ids) => ids.map(at).filter((one) => one !== undefined);
    const marks = Object.keys(answer?.marks ?? {}).map((id) => [at(id), markOf(id)]).filter(([one, verdict]) => one !== undefined && verdict);
    const hits = isAsked() ? known((answer?.hits ?? []).slice(0, MOST_HITS).map((hit) => hit.id)) : [];
    picture.draw(frame, {places, scale, regions, hits, marks: new Map(marks), open: at(state.open) ?? null, hover, area: state.area, drawn}, haste);
  });
}

async function colour() {
  if (!places) return;
  const [by, collection] = [colourBy, state.collection];
  try {
    let found = plainScale(places.ids.length);
    if (by !== SCORE) {
      values = values?.by === by ? values : {by, all: (await read(of(collection, "map", {field: by}))).values};
      found = fieldScale(values.all);
    } else if (isAsked()) {
      values = {by, all: (await send(of(collection, "map/scores"), question({k: 1}))).scores};
      found = scoreScale(values.all);
    }
    if (by !== colourBy || collection !== loaded) return;
    scale = found;
  } catch (error) {
    complain(error);
  }
  drawLegend();
  paint();
}

function drawLegend() {
  const legend = byId("legend");
  if (!legend) return;
  const swatch = (colour) => {
    const made = el("span.swatch", {"aria-hidden": "true"});
    made.style.background = css(colour);
    return made;
  };
  if (Array.isArray(scale.legend)) {
    redraw(legend, scale.legend.map(({value, said, colour, count}) => (value === null
      ? el("span.key", {}, swatch(colour), said)
      : button([swatch(colour), String(value), el("span.count", {}, number(count))], () => addFilter(colourBy, value), {class: "key", title: `Only documents whose ${colourBy} is ${value}`}))));
    if (!scale.legend.length) redraw(legend, el("span.key", {}, "Search, and the map shows where the best lie."));
    return;
  }
  const ramp = el("span.ramp", {"aria-hidden": "true"});
  ramp.style.background = `linear-gradient(to right, ${scale.legend.ramp.map(css).join(", ")})`;
  redraw(legend, el("span.key", {}, `${colourBy || "score"} ${scale.legend.from}`, ramp, scale.legend.to));
}

function find(across, down) {
  const found = places.nearest(...frame.place(across, down), REACH / frame.scale);
  return found < 0 ? null : found;
}

function point(across, down) {
  const found = find(across, down);
  if (found !== hover) {
    hover = found;
    paint();
  }
  tip(across, down);
}

function unpoint() {
  hover = null;
  byId("tip").hidden = true;
  paint();
}

function tip(across, down) {
  const box = byId("tip");
  box.hidden = hover === null;
  if (hover === null) return;
  const id = places.ids[hover];
  const said = answer?.hits.find((hit) => hit.id === id)?.title || titles.get(id) || id;
  const value = values?.all?.[hover];
  const more = value === undefined || value === null ? "" : colourBy === SCORE ? `score ${value.toFixed(2)}` : `${colourBy} ${value}`;
  box.replaceChildren(el("b", {}, said), more);
  box.style.left = `${Math.min(across + 14, frame.width - box.offsetWidth - 4)}px`;
  box.style.top = `${Math.min(down + 14, frame.height - box.offsetHeight - 4)}px`;
  if (!titles.has(id)) fetchTitle(id);
}

let asking = null;
// A title is asked for when the pointer rests.
function fetchTitle(id) {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    try {
      titles.set(id, (await read(of(state.collection, "documents", {id}))).title);
      if (hover !== null && places.ids[hover] === id && titles.get(id)) byId("tip").firstChild.textContent = titles.get(id);
    } catch {
      titles.set(id, "");
    }
  }, 150);
}

function open(across, down) {
  const found = find(across, down);
  if (found !== null) openDocument(places.ids[found]);
}

function areaDrawn(area) {
  drawn = area;
  paint();
}

function searchIn(area) {
  drawn = null;
  const within = area.map((value) => Math.round(Math.max(0, Math.min(1, value)) * 1e4) / 1e4);
  change({area: within}, {push: true});
  paint();
}

on("state", (names) => {
  if (names.includes("view") || names.includes("collection")) load();
  if (names.includes("view") && state.view === "map" && loaded === state.collection) colour();
  if (names.includes("open") || names.includes("area")) paint();
});
on("answer", (how) => {
  if (colourBy === SCORE && how !== "more" && loaded === state.collection && document.body.dataset.beside === "map") colour();
  else paint();
});
on("mark", () => paint());
on("theme", () => {
  picture?.readColours();
  colour();
});
for (const news of ["documents changed", "model changed"]) {
  on(news, () => {
    loaded = null;
    load();
  });
}
