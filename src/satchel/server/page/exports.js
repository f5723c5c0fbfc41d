// Export: hits, marks, documents, vectors and the model as files.

import {download, of} from "./api.js";
import {button, el} from "./dom.js";
import {complain, toast} from "./notices.js";
import {hasQuestion, question} from "./search.js";
import {state} from "./state.js";

const FORMS = {
  hits: ["csv", "jsonl", "ris", "trec"],
  marks: ["csv", "jsonl", "ris", "qrels"],
  documents: ["csv", "jsonl", "ris"],
  vectors: ["npy", "parquet"],
  model: ["zip"],
};
const WRITTEN = {
  csv: "CSV",
  jsonl: "JSON lines",
  ris: "RIS",
  trec: "TREC run",
  qrels: "TREC judgments",
  npy: "NumPy",
  parquet: "Parquet",
  zip: "folder, zipped",
};
const MOST_HITS = 1000;
// What each export request sends besides its format.
const OWN = {
  hits: () => ({search: question({k: MOST_HITS})}),
  marks: () => ({project: state.project}),
};

async function take(what, form) {
  if (what === "hits" && !hasQuestion()) return toast("Search for something first: there are no hits to export.");
  const body = {what, ...OWN[what]?.()};
  if (form !== "zip") body.form = form;
  try {
    return toast(`Exported: ${await download(of(state.collection, "export"), body, `${what}.${form}`)}`);
  } catch (error) {
    return complain(error);
  }
}

export function exportSection() {
  const rows = Object.entries(FORMS).map(([what, forms]) =>
    el(
      "li",
      {},
      el("span", {}, what),
      forms.map((form) =>
        button(WRITTEN[form], () => take(what, form), {
          class: "plain small",
          "aria-label": `Export ${what} as ${WRITTEN[form]}`,
        }),
      ),
    ),
  );
  return el("section.card", {}, el("h3", {}, "Export"), el("ul.exports", {}, rows));
}
