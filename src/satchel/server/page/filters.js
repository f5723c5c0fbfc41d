// Filters by fields: values to choose from the hits in view, values to type, spans of numbers.

import {here} from "./collections.js";
import {button, byId, el, redraw} from "./dom.js";
import {icon} from "./icons.js";
import {answer} from "./search.js";
import {change, on, state} from "./state.js";

const MOST_VALUES = 6;
let chosen = null;

// A value more for a field; one that is there already is taken away.
export function addFilter(name, value) {
  const before = state.filters[name];
  const values = before === undefined || isSpan(before) ? [] : [before].flat();
  const after = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  setFilter(name, after.length > 1 ? after : after[0]);
}

function setFilter(name, wanted) {
  const {[name]: _, ...others} = state.filters;
  change({filters: wanted === undefined ? others : {...others, [name]: wanted}}, {push: true});
}

const isSpan = (wanted) => typeof wanted === "object" && !Array.isArray(wanted);

// "year 2019 to 2021"
export function said(name, wanted) {
  if (!isSpan(wanted)) return `${name}: ${[wanted].flat().join(" or ")}`;
  const {from, to} = wanted;
  return from === undefined
    ? `${name} up to ${to}`
    : to === undefined
      ? `${name} from ${from}`
      : `${name} ${from} to ${to}`;
}

function draw() {
  const names = Object.keys(here()?.fields ?? {});
  const title = el("h2", {id: "filters-title"}, "Filters");
  if (!names.length)
    return redraw(byId("filters"), title, el("p.quiet", {}, "These documents have no fields to filter by."));
  if (!names.includes(chosen)) chosen = names[0];
  const select = el(
    "select",
    {
      id: "filter-field",
      "data-key": "filter field",
      onchange: (event) => {
        chosen = event.target.value;
        draw();
      },
    },
    names.map((name) => el("option", {value: name, selected: name === chosen}, name)),
  );
  return redraw(
    byId("filters"),
    title,
    el("label.row", {for: "filter-field"}, el("span", {}, "Field"), select),
    el("div.values", {role: "group", "aria-label": `Values of ${chosen} among these hits`}, valueButtons(chosen)),
    entry(chosen),
  );
}

function valueButtons(name) {
  const counts = new Map();
  for (const hit of answer?.hits ?? []) {
    for (const value of [hit.fields?.[name] ?? []].flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const wanted = isSpan(state.filters[name] ?? "") ? [] : [state.filters[name] ?? []].flat();
  for (const value of wanted) if (!counts.has(value)) counts.set(value, 0);
  const ordered = [...counts].sort((one, other) => other[1] - one[1]).slice(0, MOST_VALUES);
  return ordered.map(([value, count]) =>
    button([String(value), el("span.count", {}, String(count))], () => addFilter(name, value), {
      class: "value",
      "aria-pressed": wanted.includes(value),
      "data-key": `value ${value}`,
    }),
  );
}

function entry(name) {
  const numeric = (answer?.hits ?? []).some((hit) => typeof hit.fields?.[name] === "number");
  const input = (label) =>
    el("input", {type: numeric ? "number" : "text", "aria-label": label, placeholder: label, "data-key": label});
  const inputs = numeric ? [input(`${name} from`), input(`${name} to`)] : [input(`${name} is`)];
  const submit = (event) => {
    event.preventDefault();
    const [from, to] = inputs.map((one) => one.value.trim());
    if (!numeric) return from && addFilter(name, from);
    const span = {...(from && {from: Number(from)}), ...(to && {to: Number(to)})};
    return setFilter(name, Object.keys(span).length ? span : undefined);
  };
  return el("form.row", {onsubmit: submit}, inputs, el("button.plain", {type: "submit"}, "Apply"));
}

// What limits the search, above the list; each can be taken away.
function drawLimits() {
  const chip = (text, patch) =>
    button([text, icon("close"), el("span.unseen", {}, "take away")], () => change(patch, {push: true}), {
      class: "chip",
    });
  const without = (name) => Object.fromEntries(Object.entries(state.filters).filter(([other]) => other !== name));
  redraw(
    byId("limits"),
    state.interest ? chip(`interest: ${state.interest}`, {interest: null, onlyNew: false, weights: {}}) : null,
    state.onlyNew ? chip("only what is new", {onlyNew: false}) : null,
    state.like.map((id) => chip(`like ${id}`, {like: state.like.filter((one) => one !== id)})),
    Object.entries(state.filters).map(([name, wanted]) => chip(said(name, wanted), {filters: without(name)})),
    state.area ? chip("within an area of the map", {area: null}) : null,
  );
}

on("answer", (how) => how !== "more" && draw());
on("collections", draw);
on("state", drawLimits);
on("collections", drawLimits);
