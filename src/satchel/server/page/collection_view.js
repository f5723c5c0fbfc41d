// The view of the collection: its contents, adding, training and export.

import {here} from "./collections.js";
import {byId, el, megabytes, number, redraw} from "./dom.js";
import {exportSection} from "./exports.js";
import {importSection} from "./imports.js";
import {on} from "./state.js";
import {trainingSection} from "./training.js";

function draw() {
  const collection = here();
  if (!collection) return redraw(byId("collection"), el("div.empty", {}, el("h2", {}, "No collection is open")));
  const row = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  return redraw(
    byId("collection"),
    el("h2", {}, collection.name),
    el(
      "dl.facts",
      {},
      row("documents", number(collection.n_documents)),
      row("size", megabytes(collection.n_bytes)),
      row(
        "model",
        collection.trainings.length
          ? `learned from ${collection.trainings.at(-1).learned_from}, ${collection.n_features} numbers a document`
          : "none yet",
      ),
      row("fields", Object.keys(collection.fields).join(", ") || "none"),
      row("marks", number(collection.n_marks)),
    ),
    collection.advice ? el("p.advice", {}, collection.advice) : null,
    importSection(collection.read_only),
    trainingSection(collection.read_only),
    exportSection(),
  );
}

on("collections", draw);
on("state", (names) => names.includes("collection") && draw());
