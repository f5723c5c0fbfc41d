// The map: the whole collection as a picture, coloured by score or by a field, with hits and marks on it.

import {Gone, of, read, send, whenBack} from "./api.js";
import {here} from "./collections.js";
import {fieldScale, plainScale, scoreScale} from "./colours.js";
import {button, byId, el, redraw} from "./dom.js";
import {LOST, follow} from "./jobs.js";
import {legendOf} from "./map_legend.js";
import {listen} from "./map_moves.js";
import {Picture} from "./map_picture.js";
import {Places, Window} from "./map_places.js";
import {hideTip, showTip} from "./map_tip.js";
import {SCORE, canvasOf, frameOf, toolbar} from "./map_tools.js";
import {markOf} from "./marks.js";
import {complain} from "./notices.js";
import {progressBar} from "./progress.js";
import {openDocument} from "./results.js";
import {answer, hasQuestion, question} from "./search.js";
import {change, on, state} from "./state.js";

const REACH = 14;
const MOST_HITS = 60;
const MANY = 10_000;
const REST = 140;
const TEN = 10;

const view = byId("map");
const frame = new Window();
let [places, regions, scale, picture, canvas] = [null, [], null, null, null];
let [loaded, reading, stale, colourBy, values] = [null, null, false, SCORE, null];
let [hover, drawn, drawsArea, waiting] = [null, null, false, false];

async function load() {
  if (state.view !== "map" && document.body.dataset.beside !== "map") return;
  if (!state.collection || reading !== null || loaded === state.collection) return;
  if (here()?.n_documents === 0) return empty("An empty collection has no map. Add documents first.");
  [reading, stale] = [state.collection, false];
  try {
    const found = await made(reading);
    if (found.collection === state.collection) await take(found);
  } catch (error) {
    if (error instanceof Gone) whenBack().then(load);
    else empty(error.message, button("Try again", load, {class: "main-button"}));
  } finally {
    const other = reading !== state.collection;
    reading = null;
    if (stale || other) renew();
  }
}

// Loads the map of a collection; waits while the server makes it.
async function made(collection) {
  redraw(view, el("p.quiet.loading", {role: "status"}, "Reading the map…"));
  for (;;) {
    const found = await read(of(collection, "map"));
    if (!found.job) return {collection, ...found};
    await follow(found.job, showMaking()).catch((error) => {
      if (error.status !== LOST) throw error;
    });
  }
}

function showMaking() {
  const bar = progressBar("starting");
  const said = "This happens once; the map is then kept with the collection. You can search, mark and read meanwhile.";
  redraw(view, el("div.empty", {}, el("h2", {}, "The map is being drawn"), el("p", {}, said), bar.element));
  return bar.step;
}

// Loads the map again: the present one is of another collection or of other documents.
function renew() {
  [loaded, stale] = [null, true];
  load();
}

function empty(text, more = null) {
  redraw(view, el("div.empty", {}, el("h2", {}, "No map"), el("p", {}, text), more));
}

async function take(found) {
  places = new Places(found.ids, found.x, found.y);
  [regions, loaded, values] = [found.regions, found.collection, null];
  const names = Object.keys(found.fields);
  if (!hasQuestion() && names.length && colourBy === SCORE) colourBy = names[0];
  if (colourBy !== SCORE && !names.includes(colourBy)) colourBy = SCORE;
  scale = plainScale(found.ids.length);
  frame.whole();
  build(names);
  await colour();
}

function build(names) {
  canvas = canvasOf(places.ids.length);
  const does = {
    colourBy,
    setColour: (name) => {
      colourBy = name;
      colour();
    },
    setDrawing,
    searchInView: () => searchIn(frame.area),
    zoom: (factor) => moved(() => frame.zoomBy(factor)),
    showHits,
    showAll: () => moved(() => frame.whole()),
  };
  redraw(view, toolbar(names, does), frameOf(canvas, does));
  picture = new Picture(canvas);
  const hands = {changed: move, hover: point, leave: unpoint, click: open, areaDrawn, areaDone: searchIn};
  listen(canvas, frame, hands, () => drawsArea);
  new ResizeObserver(size).observe(canvas.parentElement);
}

// Whether a plain drag draws an area; false again after one is drawn.
function setDrawing(now) {
  drawsArea = now;
  canvas.classList.toggle("drawing", now);
  byId("draw-area").setAttribute("aria-pressed", String(now));
}

function size([{contentRect}]) {
  [frame.width, frame.height] = [Math.max(1, contentRect.width), Math.max(1, contentRect.height)];
  paint();
}

function showHits() {
  const best = hasQuestion()
    ? (answer?.hits ?? [])
        .slice(0, TEN)
        .map((hit) => places.numbers.get(hit.id))
        .filter((one) => one !== undefined)
    : [];
  if (!best.length) return;
  frame.show(places, best);
  paint();
}

function moved(act) {
  act();
  move();
}

let resting = null;
// Draws a quick picture while the map moves, and a finer one when it stops.
function move() {
  paint(places.ids.length > MANY);
  clearTimeout(resting);
  resting = setTimeout(() => paint(), REST);
}

// Draws once per frame of the screen, however many changes there were.
function paint(haste = false) {
  if (waiting || !picture) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const at = (id) => places.numbers.get(id);
    const known = (ids) => ids.map(at).filter((one) => one !== undefined);
    const marks = Object.keys(answer?.marks ?? {})
      .map((id) => [at(id), markOf(id)])
      .filter(([one, kind]) => one !== undefined && kind);
    const hits = hasQuestion() ? known((answer?.hits ?? []).slice(0, MOST_HITS).map((hit) => hit.id)) : [];
    picture.draw(
      frame,
      {
        places,
        scale,
        regions,
        hits,
        marks: new Map(marks),
        open: at(state.open) ?? null,
        hover,
        area: state.area,
        drawn,
      },
      haste,
    );
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
    } else if (hasQuestion()) {
      values = {by, all: (await send(of(collection, "map/scores"), question({k: 1}))).scores};
      found = scoreScale(values.all);
    }
    if (by !== colourBy || collection !== loaded) return;
    scale = found;
  } catch (error) {
    complain(error);
  }
  redraw(byId("legend"), legendOf(scale.legend, colourBy));
  paint();
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
  if (found === null) return hideTip();
  const value = values?.all?.[found];
  const more =
    value === undefined || value === null
      ? ""
      : colourBy === SCORE
        ? `score ${value.toFixed(2).replace("-0.00", "0.00").replace("-", "−")}`
        : `${colourBy} ${value}`;
  return showTip(places.ids[found], more, [across, down], frame);
}

function unpoint() {
  hover = null;
  hideTip();
  paint();
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
  setDrawing(false);
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
  if (colourBy === SCORE && how !== "more" && loaded === state.collection && document.body.dataset.beside === "map")
    colour();
  else paint();
});
on("mark", () => paint());
on("theme", () => {
  picture?.readColours();
  colour();
});
for (const news of ["documents changed", "model changed"]) {
  on(news, renew);
}
