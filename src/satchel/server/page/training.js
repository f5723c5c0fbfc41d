// Trains the model again from texts, labels or marks, and shows how the list in view changed.

import {of, send} from "./api.js";
import {here, loadCollections} from "./collections.js";
import {button, el, number} from "./dom.js";
import {follow} from "./jobs.js";
import {badge} from "./movement.js";
import {announce, complain} from "./notices.js";
import {progressBar, reportPlace} from "./progress.js";
import {answer, hasQuestion, question, search} from "./search.js";
import {change, state, tell} from "./state.js";

const COMPARED = 200;
const SHOWN = 10;
const reports = reportPlace("training-place");
let chosen = "texts";
let field = null;

async function ranks() {
  if (!hasQuestion()) return null;
  const {hits} = await send(of(state.collection, "search"), question({k: COMPARED}));
  return new Map(hits.map((hit) => [hit.id, hit.rank]));
}

// The present search without the parts that belong to one model.
const inWords = () => JSON.stringify([state.collection, question({weights: {}, area: null})]);

// Weights and areas belong to the themes and the map of the old model.
function forgetOldModel() {
  tell("model changed");
  change({weights: {}, area: null});
}

async function train() {
  const body = {texts: {}, labels: {labels: field}, marks: {marks: true}}[chosen];
  const [name, bar] = [state.collection, progressBar("Learning")];
  reports.show(name, bar.element);
  try {
    const [searched, before] = [inWords(), await ranks()];
    const {job} = await send(of(name, "train"), body);
    const done = await follow(job, bar.step);
    if (name === state.collection) forgetOldModel();
    await loadCollections();
    await search("quiet");
    reports.show(name, report(done.report, searched === inWords() ? before : null));
    announce(`The model of ${name} was trained again.`);
  } catch (error) {
    reports.show(name, el("p.wrong", {role: "alert"}, error.message));
    complain(error);
  }
}

function report(learned, before) {
  const labelled =
    learned.learned_from === "texts" ? "" : `, ${number(learned.n_told ?? 0)} of them with ${learned.learned_from}`;
  const said = `Learned from ${number(learned.n_documents ?? 0)} documents${labelled}${learned.seconds === undefined ? "" : ` in ${learned.seconds.toFixed(1)} s`}.`;
  return el("div.report", {}, el("p", {}, said), before && answer ? comparison(before) : null);
}

function comparison(before) {
  const rows = answer.hits.slice(0, SHOWN).map((hit) => {
    const was = {...hit, earlier_rank: before.get(hit.id) ?? null};
    return el(
      "tr",
      {},
      el("td", {}, String(hit.rank)),
      el("td", {}, was.earlier_rank === null ? `beyond ${COMPARED}` : String(was.earlier_rank)),
      el("td", {}, hit.title || hit.id),
      el("td", {}, badge(was, true)),
    );
  });
  return el(
    "div.scroller",
    {tabindex: "0", role: "region", "aria-label": "The list before and after training"},
    el(
      "table",
      {},
      el("caption", {}, "The list in view, before and after"),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["now", "before", "document", "moved"].map((name) => el("th", {scope: "col"}, name)),
        ),
      ),
      el("tbody", {}, rows),
    ),
  );
}

export function trainingSection(locked) {
  const collection = here();
  const fields = Object.keys(collection?.fields ?? {});
  if (!fields.includes(field)) field = fields[0] ?? null;
  const choice = (value, text, disabled, more = null) =>
    el(
      "div.choice",
      {},
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: "learn-from",
          value,
          checked: chosen === value,
          disabled,
          "data-key": `learn ${value}`,
          onchange: () => {
            chosen = value;
          },
        }),
        text,
      ),
      more,
    );
  const select = el(
    "select",
    {
      "aria-label": "Field that holds the labels",
      onchange: (event) => {
        field = event.target.value;
      },
    },
    fields.map((name) => el("option", {value: name, selected: name === field}, name)),
  );
  return el(
    "section.card",
    {},
    el("h3", {}, "Train the model again"),
    el("p.quiet", {}, "The old model is used until the new one is ready."),
    el(
      "fieldset",
      {},
      el("legend", {}, "Learn from"),
      choice("texts", "the texts alone"),
      fields.length
        ? choice("labels", "the labels in", false, select)
        : choice("labels", "labels (no document has a field with labels)", true),
      choice("marks", `the marks kept so far (${number(collection?.n_marks ?? 0)})`, !collection?.n_marks),
    ),
    button("Train", train, {class: "main-button", disabled: locked || !collection?.n_documents, "data-key": "train"}),
    reports.place,
  );
}
