// The list of hits: redrawn in place, with a cursor that keys move.

import {button, byId, el, number, plural, redraw} from "./dom.js";
import {addFilter} from "./filters.js";
import {hitItem, nameOf} from "./hit.js";
import {adjust} from "./lessons.js";
import {mark, markOf} from "./marks.js";
import {places, play, sentenceOf} from "./movement.js";
import {announce} from "./notices.js";
import {answer, busy, hasQuestion, showMore} from "./search.js";
import {change, on, state} from "./state.js";
import {nothingFound, refused, welcome} from "./empty_list.js";

const list = byId("list");
const explained = new Set();
let cursor = null;
let goOnFrom = null;

const actions = {
  open: (id) => openDocument(id),
  like: (hit) => moreLike(hit.id, nameOf(hit)),
  filter: addFilter,
  adjust,
  explain: (id, open) => (open ? explained.add(id) : explained.delete(id)),
};

export function openDocument(id) {
  setCursor(id, {focus: false});
  change({open: id, view: "reader"}, {push: true});
}

// Marks belong to a query, so "More like this" without a query uses the title as the query.
export function moreLike(id, title) {
  const query = state.query.trim() || state.project ? state.query : title;
  change({query, like: [id], onlyNew: false, view: "results"}, {push: true});
}

function draw(how) {
  const inPlace = how !== "new";
  const before = how === "moved" ? places(list) : new Map();
  const focused = list.contains(document.activeElement);
  const shown = (hit) => hitItem(hit, actions, {explained: explained.has(hit.id), compared: how === "moved"});
  redraw(list, answer.hits.map(shown));
  if (!inPlace) {
    cursor = null;
    byId("results").scrollTo({top: 0});
    scrollTo({top: 0}); // where the page scrolls as a whole
  }
  play(list, before, answer.hits);
  if (how === "moved" && goOnFrom !== null) cursor = nextUnmarked(goOnFrom)?.id ?? cursor;
  showCursor(focused);
  if (focused && !list.contains(document.activeElement)) byId("results").focus({preventScroll: true});
  goOnFrom = null;
  sayMoves(how);
  drawNotes(answer.notes, answer.did_you_mean);
  drawHead();
  drawEnd();
}

function sayMoves(how) {
  if (how === "more") return;
  const moves = byId("moves");
  moves.hidden = how !== "moved";
  if (how === "quiet") return;
  if (how === "moved") moves.textContent = sentenceOf(answer.hits);
  announce(how === "moved" ? moves.textContent : `${plural(answer.total, "document")} found.`);
}

// What was not understood in the query, one sentence each, and what it may have meant.
function drawNotes(sentences = [], meant = "") {
  const notes = byId("notes");
  const lines = sentences.map((sentence) => el("li", {}, sentence));
  if (meant) lines.push(el("li", {}, button(`Search for “${meant}”`, () => change({query: meant}, {push: true}))));
  redraw(notes, lines);
  notes.hidden = !lines.length;
}

function drawHead() {
  const summary = byId("summary");
  if (!answer?.hits.length) summary.textContent = "";
  else if (!hasQuestion()) summary.textContent = `${plural(answer.total, "document")}, in the order of their ids`;
  else {
    const marked = Object.keys(answer.marks ?? {}).length;
    const took = answer.seconds === undefined ? "" : ` in ${Math.max(1, Math.round(answer.seconds * 1000))} ms`;
    summary.textContent = `${plural(answer.total, "document")} ranked${took}${marked ? `, by ${plural(marked, "mark")}` : ""}`;
  }
}

// Above the list: how to begin. Below it: a button for more hits, or what to try if nothing was found.
function drawEnd() {
  const open = !hasQuestion() && !Object.keys(state.filters).length && !state.area;
  const left = answer.total - answer.hits.length;
  redraw(byId("start"), open ? welcome(answer.total) : null);
  if (!answer.hits.length) redraw(byId("more"), open ? null : nothingFound());
  else if (left > 0)
    redraw(byId("more"), button(`Show more (${number(left)} left)`, showMore, {class: "plain", "data-key": "more"}));
  else redraw(byId("more"), el("p.end", {}, "End of the list."));
}

export function currentHit() {
  return answer?.hits.find((hit) => hit.id === cursor) ?? null;
}

// Moves the cursor by one hit, or to the first.
export function step(by) {
  const hits = answer?.hits ?? [];
  const at = hits.findIndex((hit) => hit.id === cursor);
  goOnFrom = null;
  const next = hits[at < 0 ? 0 : Math.max(0, Math.min(hits.length - 1, at + by))];
  if (next) setCursor(next.id);
  if (at >= hits.length - 3) showMore();
}

function setCursor(id, {focus = true} = {}) {
  cursor = id;
  showCursor(focus);
}

function showCursor(focus) {
  for (const item of list.children) {
    const here = item.dataset.id === cursor;
    item.classList.toggle("here", here);
    item.firstChild.tabIndex = here ? 0 : -1;
    if (here && focus) {
      item.firstChild.focus({preventScroll: true});
      item.scrollIntoView({block: "nearest"});
    }
  }
  if (!cursor && list.firstChild) list.firstChild.firstChild.tabIndex = 0;
}

// Marks the hit under the cursor, then moves the cursor to the next unmarked hit, at the same place of the new list.
// An open document stays open, and the next key continues from it.
export function markHere(kind) {
  const hits = answer?.hits ?? [];
  const at = hits.findIndex((hit) => hit.id === cursor);
  if (at < 0) return step(1);
  const [here, taken] = [hits[at], markOf(hits[at].id, hits[at].mark) === kind];
  mark(here.id, kind, nameOf(here));
  const stays = taken || state.open === here.id;
  const next = nextUnmarked(at + 1);
  if (!stays && next) setCursor(next.id);
  goOnFrom = stays ? null : at;
  return undefined;
}

const nextUnmarked = (place) => answer.hits.slice(place).find((hit) => !markOf(hit.id, hit.mark));

on("answer", draw);
on("collections", () => answer && drawEnd());
on("refused", (sentence) => {
  redraw(list);
  redraw(byId("start"));
  byId("moves").hidden = true;
  drawNotes();
  drawHead();
  redraw(byId("more"), refused(sentence));
});
on("busy", (now) => {
  byId("results").setAttribute("aria-busy", String(now));
  if (now && !answer)
    redraw(
      byId("more"),
      el(
        "div.ghosts",
        {"aria-hidden": "true"},
        Array.from({length: 5}, () => el("div.ghost")),
      ),
    );
});
on("mark", (id) => {
  for (const item of list.children) {
    if (item.dataset.id !== id) continue;
    const marked = markOf(id);
    item.dataset.mark = marked ?? "";
    for (const one of item.querySelectorAll(".mark-button"))
      one.setAttribute("aria-pressed", String(one.classList.contains(marked)));
  }
});
// The cursor goes to the document whose mark was undone.
on("marks changed", (id) => {
  if (id && answer?.hits.some((hit) => hit.id === id))
    setCursor(id, {focus: byId("results").contains(document.activeElement)});
});

list.addEventListener("focusin", (event) => {
  const item = event.target.closest(".hit");
  if (item && item.dataset.id !== cursor) setCursor(item.dataset.id, {focus: false});
});

new IntersectionObserver(
  (seen) => seen.some((one) => one.isIntersecting) && answer?.hits.length && !busy && showMore(),
  {
    root: null,
    rootMargin: "300px",
  },
).observe(byId("more"));
