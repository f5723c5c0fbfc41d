// Keyboard shortcuts, and the dialog that lists them.

import {button, byId, el} from "./dom.js";
import {nameOf} from "./hit.js";
import {saveProject} from "./projects.js";
import {undo} from "./marks.js";
import {close, nextPassage, stepOpen} from "./reader.js";
import {currentHit, markHere, moreLike, openDocument, step} from "./results.js";
import {change, state} from "./state.js";
import {show} from "./views.js";

const here = (act) => () => {
  const hit = currentHit();
  if (hit) act(hit);
  else step(1);
};

const KEYS = [
  {keys: ["/"], said: "go to the search box", run: toSearchBox},
  {keys: ["j", "ArrowDown"], said: "next hit", run: () => (reading() ? stepOpen(1) : step(1))},
  {keys: ["k", "ArrowUp"], said: "previous hit", run: () => (reading() ? stepOpen(-1) : step(-1))},
  {keys: ["Enter", "o"], said: "read the hit", run: here((hit) => openDocument(hit.id))},
  {keys: ["r"], said: "mark it relevant", run: () => markHere("relevant")},
  {keys: ["x"], said: "mark it irrelevant", run: () => markHere("irrelevant")},
  {keys: ["m"], said: "mark it maybe", run: () => markHere("maybe")},
  {keys: ["u"], said: "undo the last mark", run: undo},
  {keys: ["l"], said: "more like this", run: here((hit) => moreLike(hit.id, nameOf(hit)))},
  {keys: ["w"], said: "why it was found", run: here(toggleReasons)},
  {keys: ["n"], said: "next passage, in the reader", run: () => nextPassage(1)},
  {keys: ["p"], said: "previous passage", run: () => nextPassage(-1)},
  {keys: ["s"], said: "save as a project", run: saveProject},
  {keys: ["g"], said: "the map", run: () => show("map")},
  {keys: ["Escape"], said: "back to the list", run: () => (state.open ? close() : change({view: "results"}))},
  {keys: ["?"], said: "these keys", run: help},
];
const NAMES = {ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc"};

function toSearchBox() {
  byId("query").focus();
  byId("query").select();
}

// While the reader is open, the keys for the next and previous hit open it at once.
const reading = () => state.open !== null && state.view === "reader";

function toggleReasons(hit) {
  const found = byId("list").querySelector(`[data-id="${CSS.escape(hit.id)}"] details`);
  if (found) found.open = !found.open;
}

function help() {
  const dialog = byId("help");
  const row = ({keys, said}) =>
    el(
      "div",
      {},
      el(
        "dt",
        {},
        keys.map((key) => el("kbd", {}, NAMES[key] ?? key)),
      ),
      el("dd", {}, said),
    );
  dialog.replaceChildren(
    el("h2", {id: "help-title"}, "Keys"),
    el("dl.keys", {}, KEYS.map(row)),
    el(
      "p.quiet",
      {},
      "On the map: drag to move, turn the wheel or press + and − to zoom, arrow keys to move, hold Shift and drag to search in an area.",
    ),
    el(
      "div.dialog-buttons",
      {},
      button("Close", () => dialog.close(), {class: "main-button", autofocus: true}),
    ),
  );
  dialog.showModal();
}

function isTyping(target) {
  return (
    target.closest("input:not([type=range]):not([type=radio]), textarea, select, [contenteditable], dialog") !== null
  );
}

function isTaken(event) {
  const onButton = event.target.closest("button, summary, a, input") !== null;
  const onMap = event.target.closest("canvas") !== null;
  const onText = event.target.closest(".text") !== null;
  if (event.key === "Enter") return onButton || onMap;
  if (event.key.startsWith("Arrow")) return onMap || onText || event.target.closest("input, .scroller") !== null;
  return false;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape" && event.target.id === "query") byId("results").focus();
    return;
  }
  const found = KEYS.find(({keys}) => keys.includes(event.key));
  if (!found || isTaken(event)) return;
  event.preventDefault();
  found.run();
});

byId("help-button").addEventListener("click", help);
