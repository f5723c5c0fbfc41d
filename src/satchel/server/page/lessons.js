// What the marks taught: themes that moved up and down, as words, each with a slider to set its weight by hand.

import {button, byId, el, plural, redraw} from "./dom.js";
import {answer} from "./search.js";
import {change, on, state} from "./state.js";

const MOST_WORDS = 5;
const SHOWN = 3;
const PAUSE = 90;
const wordsOf = new Map();
const opened = new Set();
let atHand = [];
let sliding = null;

// A slider for a theme that no mark taught.
export function adjust(theme, words) {
  wordsOf.set(Number(theme), words);
  if (!atHand.includes(Number(theme))) atHand = [...atHand, Number(theme)];
  if (matchMedia("(max-width: 1179px)").matches) change({view: "learned"});
  draw();
  byId("lessons").querySelector(`[data-key="weight ${theme}"]`)?.focus();
}

function weigh(theme, weight) {
  clearTimeout(sliding);
  sliding = setTimeout(() => {
    const {[theme]: _, ...others} = state.weights;
    const neutral = weight === 1 && !state.project;
    change({weights: neutral ? others : {...others, [theme]: weight}}, {why: "weights"});
  }, PAUSE);
}

function resetAll() {
  atHand = [];
  const neutral = state.project ? Object.fromEntries(Object.keys(state.weights).map((theme) => [theme, 1])) : {};
  change({weights: neutral}, {why: "weights"});
  draw();
}

const times = (weight) => `× ${weight.toFixed(1)}`;
const weightOf = (theme) => Number(state.weights[theme] ?? answer?.weights?.[theme] ?? 1);
const isSet = () => Object.values(state.weights).some((weight) => weight !== 1);

function draw() {
  const {up = [], down = []} = answer?.lessons ?? {};
  for (const lesson of [...up, ...down]) wordsOf.set(lesson.theme, lesson.words);
  for (const hit of answer?.hits ?? [])
    for (const theme of hit.reasons.themes) if (!wordsOf.has(theme.codeword)) wordsOf.set(theme.codeword, theme.words);
  const taught = new Set([...up, ...down].map((lesson) => lesson.theme));
  const byHand = [...new Set([...Object.keys(state.weights).map(Number), ...atHand])].filter(
    (theme) => !taught.has(theme),
  );
  const title = el("h2", {id: "lessons-title"}, "What the marks taught");
  const said = {"aria-label": "Reset sliders", title: "Use the learned weights of all themes"};
  const reset = isSet() ? button("Reset", resetAll, {class: "plain small", "data-key": "reset", ...said}) : null;
  redraw(
    byId("lessons"),
    el("div.panel-head", {}, title, reset),
    taught.size || byHand.length ? null : el("p.quiet", {}, hint()),
    side("More of", "+", up, "up"),
    side("Less of", "−", down, "down"),
    side(
      "Set by hand",
      "=",
      byHand.map((theme) => ({theme, words: wordsOf.get(theme) ?? []})),
      "hand",
    ),
  );
}

function hint() {
  const marked = Object.keys(answer?.marks ?? {}).length;
  if (marked)
    return "These marks moved no theme by much. Mark more hits; relevant and irrelevant marks together teach most.";
  return "Mark a hit relevant or irrelevant. The themes that move are listed here, and you can correct each by hand.";
}

// The biggest changes; a button shows the others.
function side(title, sign, lessons, kind) {
  if (!lessons.length) return null;
  const rows = lessons.map((lesson) => row(lesson, sign));
  const others = rows.slice(SHOWN);
  const rest = el(
    "details",
    {
      open: opened.has(kind),
      ontoggle: (event) => (event.target.open ? opened.add(kind) : opened.delete(kind)),
    },
    el("summary", {"data-key": `others ${kind}`}, `${plural(others.length, "smaller change")}`),
    el("ul", {}, others),
  );
  return el(
    `div.side.${kind}`,
    {},
    el("h3", {}, title),
    el("ul", {}, rows.slice(0, SHOWN)),
    others.length ? rest : null,
  );
}

function row({theme, words, change: moved}, sign) {
  const name = words.slice(0, MOST_WORDS).join(", ") || `theme ${theme}`;
  const output = el("output", {}, times(weightOf(theme)));
  const slider = el("input", {
    type: "range",
    min: 0,
    max: 2,
    step: 0.1,
    "data-key": `weight ${theme}`,
    "data-theme": theme,
    "aria-label": `Weight of the theme ${name}`,
    title: "0 ignores it, 1 is neutral, 2 counts it twice",
    oninput: (event) => {
      output.textContent = times(Number(event.target.value));
      weigh(theme, Number(event.target.value));
    },
    ondblclick: () => weigh(theme, 1),
  });
  slider.value = String(weightOf(theme));
  const amount =
    moved === undefined
      ? null
      : el(
          "span.change",
          {title: "How much more or less of this theme the best documents have than before, in standard deviations"},
          `${moved > 0 ? "+" : "−"}${Math.abs(moved).toFixed(1)}`,
        );
  return el(
    "li.lesson",
    {},
    el("div.theme", {}, el("span.sign", {"aria-hidden": "true"}, sign), el("span.words", {}, name), amount),
    el("div.slider", {}, slider, output),
  );
}

on("answer", (how) => how !== "more" && draw());
on("question", (why) => {
  if (why === "new") atHand = [];
});
// Themes have numbers: the same ones mean something else in another model.
on("state", (names) => names.includes("collection") && wordsOf.clear());
on("model changed", () => wordsOf.clear());
