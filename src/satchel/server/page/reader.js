// The reader: a document beside the list, with the passages that matter.

import {Gone, of, read, whenBack} from "./api.js";
import {button, byId, el, percent, plural, redraw} from "./dom.js";
import {addFilter} from "./filters.js";
import {fieldChips, markButtons} from "./hit.js";
import {icon} from "./icons.js";
import {markOf} from "./marks.js";
import {moreLike, step as stepList, currentHit} from "./results.js";
import {answer} from "./search.js";
import {breakable, highlighted, pieces} from "./spans.js";
import {change, on, state} from "./state.js";

const LEAST_SHARE = 0.35;
const view = byId("reader");
let shown = null;
let at = -1;

async function load() {
  const id = state.open;
  if (!id) return drawEmpty();
  if (shown?.id !== id) redraw(view, el("p.quiet.loading", {role: "status"}, "Opening…"));
  const wanted = {id, query: state.query || null, project: state.project};
  try {
    const found = await read(of(state.collection, "documents", wanted));
    if (id !== state.open) return undefined;
    const same = shown?.id === id;
    shown = found;
    return draw(same);
  } catch (error) {
    if (error instanceof Gone) {
      await whenBack();
      return load();
    }
    shown = null;
    return redraw(
      view,
      el("div.empty", {role: "alert"}, el("h2", {}, "This document cannot be opened"), el("p", {}, error.message)),
    );
  }
}

function drawEmpty() {
  shown = null;
  redraw(
    view,
    el(
      "div.empty",
      {},
      el("h2", {}, "No document is open"),
      el(
        "p",
        {},
        "Choose a title, or press ",
        el("kbd", {}, "Enter"),
        " on a hit. Its text opens here, with the passages that matter.",
      ),
    ),
  );
}

function draw(same) {
  const title = shown.title || shown.id;
  const top = same ? view.querySelector(".text")?.scrollTop : 0;
  const passages = telling(shown.passages);
  redraw(
    view,
    el(
      "header.document-head",
      {},
      el(
        "div.document-title",
        {},
        el("h2", {tabindex: "-1", id: "document-title"}, breakable(title)),
        button(icon("close"), close, {class: "icon-button", "aria-label": "Close this document", title: "Close (Esc)"}),
      ),
      el("div.origin", {}, origin(title), fieldChips(shown.fields, addFilter)),
      el(
        "div.document-actions",
        {},
        markButtons(shown.id, title, markOf(shown.id, shown.mark)),
        button([icon("like"), "More like this"], () => moreLike(shown.id, title), {
          class: "plain",
          title: "More like this (l)",
        }),
        passageButtons(passages),
      ),
    ),
    el("div.text", {tabindex: "0", role: "region", "aria-label": `Text of ${title}`}, textOf(passages)),
  );
  if (same) view.querySelector(".text").scrollTop = top;
  else {
    at = -1;
    if (passages.length && passages[0].start > 0) nextPassage(1, false);
  }
}

function origin(title) {
  const said = [shown.source, shown.id].find((one) => one && one !== title);
  return said ? el("span", {}, said) : null;
}

// The passages that matter most for this query, in the order of the text.
function telling(passages) {
  const most = Math.max(...passages.map((passage) => passage.share), 0);
  const found = passages.filter((passage) => passage.share > 0 && passage.share >= LEAST_SHARE * most);
  return found
    .map((passage) => ({...passage, strength: passage.share / most}))
    .sort((one, other) => one.start - other.start);
}

function passageButtons(passages) {
  if (!passages.length) return null;
  return el(
    "div.passages",
    {role: "group", "aria-label": "Passages that matter"},
    button(icon("up"), () => nextPassage(-1), {
      class: "icon-button",
      "aria-label": "Previous passage",
      title: "Previous passage (p)",
      "data-key": "previous",
    }),
    el("span.passage-place", {"aria-live": "polite"}, plural(passages.length, "passage")),
    button(icon("down"), () => nextPassage(1), {
      class: "icon-button",
      "aria-label": "Next passage",
      title: "Next passage (n)",
      "data-key": "next",
    }),
  );
}

function textOf(passages) {
  return pieces(shown.text, passages, shown.matches).map(({text, passage, spans}) => {
    const parts = highlighted(text, spans);
    if (!passage) return el("span", {}, parts);
    return el(
      "span.passage",
      {
        title: `${percent(passage.share)} of the best passage's weight`,
        "data-share": passage.strength > 0.7 ? "much" : "some",
      },
      parts,
    );
  });
}

export function nextPassage(by, smooth = true) {
  const found = [...view.querySelectorAll(".passage")];
  if (!found.length) return;
  at = at < 0 ? best(found) : (at + by + found.length) % found.length;
  found.forEach((one, place) => one.classList.toggle("current", place === at));
  const calm = !smooth || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const text = view.querySelector(".text");
  const way = found[at].getBoundingClientRect().top - text.getBoundingClientRect().top - 60;
  text.scrollBy({top: way, behavior: calm ? "auto" : "smooth"});
  view.querySelector(".passage-place").textContent = `${at + 1} of ${found.length}`;
}

// Starts reading at the passage that matters most.
function best(found) {
  const shares = telling(shown.passages)
    .slice(0, found.length)
    .map((passage) => passage.share);
  return shares.indexOf(Math.max(...shares));
}

export function close() {
  change({open: null, view: "results"}, {push: true});
}

// Opens the next or previous document of the list in the reader.
export function stepOpen(by) {
  stepList(by);
  if (state.open && currentHit()) change({open: currentHit().id});
}

on("state", (names) => {
  if (["open", "query", "project", "collection"].some((name) => names.includes(name))) load();
});
on("mark", (id) => {
  if (shown?.id !== id) return;
  const marked = markOf(id);
  for (const one of view.querySelectorAll(".mark-button"))
    one.setAttribute("aria-pressed", String(one.classList.contains(marked)));
});
on("answer", (how) => {
  if (!shown || how === "more") return;
  const marked = answer.marks?.[shown.id] ?? null;
  for (const one of view.querySelectorAll(".mark-button"))
    one.setAttribute("aria-pressed", String(one.classList.contains(marked)));
});

drawEmpty();
