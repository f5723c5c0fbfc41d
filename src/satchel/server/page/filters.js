// Filters by fields: choose values, type values, or give a span of numbers.

import {here} from "./collections.js";
import {button, byId, el, number, redraw} from "./dom.js";
import {valuesOf} from "./field_values.js";
import {icon} from "./icons.js";
import {answer, hasQuestion} from "./search.js";
import {change, on, state} from "./state.js";

const MOST_VALUES = 8;
const LONGEST = 60;
let chosen = null;

// Adds a value to the filter on a field, or removes it if it is there already.
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
  const field = valuesOf(chosen);
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
    el("div.values", {role: "group", "aria-label": `Values of ${chosen}`}, valueButtons(chosen, field)),
    field && field.n_distinct > MOST_VALUES ? el("p.quiet", {}, `${number(field.n_distinct)} values in all`) : null,
    entry(chosen, field),
  );
}

// Values to choose from, with their document counts: first the chosen ones, then those of the hits in view, then the
// frequent ones of the collection.
function valueButtons(name, field) {
  const counts = new Map((field?.values ?? []).map(({value, n_documents}) => [value, n_documents]));
  const wanted = isSpan(state.filters[name] ?? "") ? [] : [state.filters[name] ?? []].flat();
  const offered = [...new Set([...wanted, ...valuesInView(name), ...counts.keys()])];
  const short = offered.filter((value) => wanted.includes(value) || String(value).length <= LONGEST);
  return short.slice(0, Math.max(MOST_VALUES, wanted.length)).map((value) => {
    const count = counts.has(value) ? el("span.count", {}, number(counts.get(value))) : null;
    return button([String(value), count], () => addFilter(name, value), {
      class: "value",
      "aria-pressed": wanted.includes(value),
      "data-key": `value ${value}`,
    });
  });
}

function valuesInView(name) {
  if (!hasQuestion()) return [];
  const counts = new Map();
  for (const hit of answer?.hits ?? []) {
    for (const value of [hit.fields?.[name] ?? []].flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]).map(([value]) => value);
}

// A form for the filter on a field: two ends for numbers, otherwise a value, with the frequent values as suggestions.
function entry(name, field) {
  const numeric = field?.numeric ?? false;
  const input = (label, more) => el("input", {"aria-label": label, "data-key": label, placeholder: label, ...more});
  const end = (which, bound) => {
    const made = input(`${name} ${which}`, {type: "number", step: "any", placeholder: `${which} ${bound}`});
    made.value = state.filters[name]?.[which] ?? "";
    return made;
  };
  const inputs = numeric
    ? [end("from", field.least), end("to", field.most)]
    : [input(`${name} is`, {type: "text", list: "field-values"})];
  const submit = (event) => {
    event.preventDefault();
    const [from, to] = inputs.map((one) => one.value.trim());
    if (!numeric) return from && addFilter(name, from);
    const span = {...(from && {from: Number(from)}), ...(to && {to: Number(to)})};
    return setFilter(name, Object.keys(span).length ? span : undefined);
  };
  const proposed = (field?.values ?? []).filter(({value}) => String(value).length <= LONGEST);
  return el(
    "form.row",
    {onsubmit: submit},
    inputs,
    el("button.plain", {type: "submit"}, "Apply"),
    numeric
      ? null
      : el(
          "datalist",
          {id: "field-values"},
          proposed.map(({value}) => el("option", {value})),
        ),
  );
}

// The limits of the search, above the list, each with a button to remove it.
function drawLimits() {
  const chip = (text, patch) =>
    button(
      [el("span.said", {}, text), icon("close"), el("span.unseen", {}, "remove")],
      () => change(patch, {push: true}),
      {class: "chip", title: `Remove: ${text}`},
    );
  const without = (name) => Object.fromEntries(Object.entries(state.filters).filter(([other]) => other !== name));
  redraw(
    byId("limits"),
    state.project ? chip(`project: ${state.project}`, {project: null, onlyNew: false, weights: {}}) : null,
    state.onlyNew ? chip("only new documents", {onlyNew: false}) : null,
    state.like.map((id) => chip(`like ${id}`, {like: state.like.filter((one) => one !== id)})),
    Object.entries(state.filters).map(([name, wanted]) => chip(said(name, wanted), {filters: without(name)})),
    state.area ? chip("within an area of the map", {area: null}) : null,
  );
}

on("answer", (how) => how !== "more" && draw());
on("collections", draw);
on("field values", draw);
on("state", drawLimits);
on("collections", drawLimits);
