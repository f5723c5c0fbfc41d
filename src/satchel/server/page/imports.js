// Adds documents that were dropped on the page or chosen; shows the progress and a report.

import {of, upload} from "./api.js";
import {loadCollections} from "./collections.js";
import {button, byId, el, number, plural} from "./dom.js";
import {follow} from "./jobs.js";
import {announce, complain} from "./notices.js";
import {progressBar, reportPlace} from "./progress.js";
import {search} from "./search.js";
import {change, state, tell} from "./state.js";

const MOST_REASONS = 50;
const reports = reportPlace("import-place");

export function chooseFiles() {
  const input = el("input", {type: "file", multiple: true});
  input.onchange = () => add([...input.files]);
  input.click();
}

export async function add(files) {
  if (!files.length) return;
  change({view: "collection"});
  const [name, bar] = [state.collection, progressBar(`Sending ${plural(files.length, "file")}`)];
  reports.show(name, bar.element);
  try {
    const {job} = await upload(of(name, "upload"), files, (share) =>
      bar.share(`Sending ${plural(files.length, "file")}`, share),
    );
    const done = await follow(job, bar.step);
    reports.show(name, report(done.report));
    announce(`${plural(done.report.added, "document")} added to ${name}.`);
    await loadCollections();
    await search("quiet");
    tell("documents changed");
  } catch (error) {
    reports.show(name, el("p.wrong", {role: "alert"}, error.message));
    complain(error);
  }
}

function report({added = 0, replaced = 0, unchanged = 0, skipped = [], advice = ""}) {
  const count = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, number(value)));
  return el(
    "div.report",
    {},
    el(
      "dl.figures",
      {},
      count("added", added),
      count("replaced", replaced),
      count("unchanged", unchanged),
      count("skipped", skipped.length),
    ),
    skipped.length
      ? el(
          "details",
          {open: true},
          el("summary", {}, "Skipped files, and why"),
          el("ul", {}, skipped.slice(0, MOST_REASONS).map(reason)),
        )
      : null,
    advice ? el("p.advice", {}, advice) : null,
  );
}

function reason(skipped) {
  return el("li", {}, el("b", {}, skipped.source), ": ", skipped.reason);
}

export function importSection(locked) {
  return el(
    "section.card",
    {},
    el("h3", {}, "Add documents"),
    el(
      "p.quiet",
      {},
      locked
        ? "This collection is read-only."
        : "Drop files anywhere on this page, or choose them: text, Markdown, PDF, Word, web pages, mail, CSV, JSON lines, RIS, BibTeX.",
    ),
    button("Choose files…", chooseFiles, {class: "main-button", disabled: locked, "data-key": "choose files"}),
    reports.place,
  );
}

// The dropped files, and all files in dropped folders.
async function filesOf(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  const walk = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      return found.push(new File([file], entry.fullPath.slice(1), {type: file.type, lastModified: file.lastModified}));
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return undefined;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return found;
}

let depth = 0;
const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
const show = (by) => {
  depth = Math.max(0, depth + by);
  byId("drop").hidden = depth === 0;
};

addEventListener("dragenter", (event) => carriesFiles(event) && show(1));
addEventListener("dragleave", (event) => carriesFiles(event) && show(-1));
addEventListener("dragover", (event) => carriesFiles(event) && event.preventDefault());
addEventListener("drop", async (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  show(-depth);
  const plain = [...event.dataTransfer.files];
  const found = await filesOf(event.dataTransfer.items).catch(() => []);
  add(found.length ? found : plain);
});
