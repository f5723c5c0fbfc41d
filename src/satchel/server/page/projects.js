// Projects: a query kept under a name with its marks, filters and weights, and what is new for it.

import {download, of, read, remove, send} from "./api.js";
import {askName, askSure} from "./ask.js";
import {here} from "./collections.js";
import {button, byId, el, plural, redraw} from "./dom.js";
import {complain, toast} from "./notices.js";
import {hasQuestion} from "./search.js";
import {change, emptyQuestion, on, state} from "./state.js";

let kept = [];

async function loadProjects() {
  if (!state.collection) return;
  try {
    kept = await read(of(state.collection, "projects"));
    draw();
  } catch (error) {
    complain(error);
  }
}

export async function saveProject() {
  if (!hasQuestion()) return toast("Search for something first: a project is a query with its marks.");
  const name = await askName("Save this project", state.project ?? state.query.slice(0, 60));
  if (!name) return undefined;
  const {query, filters, weights} = state;
  try {
    const own = kept.find((one) => one.name === state.project)?.query ?? "";
    await send(of(state.collection, "projects"), {name, query: query || own, filters, weights});
    toast(`Saved: ${name}. Its marks still count, and you will see new documents.`);
    change({project: name}, {push: true});
    return await loadProjects();
  } catch (error) {
    return complain(error);
  }
}

function open(project, onlyNew = false) {
  const {name, query, filters, weights} = project;
  change(
    {
      ...emptyQuestion(),
      project: name,
      query: query ?? "",
      filters: filters ?? {},
      weights: weights ?? {},
      onlyNew,
      view: "results",
    },
    {push: true},
  );
}

async function seen(project) {
  try {
    await send(of(state.collection, "projects/seen"), {name: project.name});
    if (state.onlyNew && state.project === project.name) change({onlyNew: false});
    toast(`${project.name}: all documents are now marked as seen.`);
    await loadProjects();
  } catch (error) {
    complain(error);
  }
}

async function drop(project) {
  const marked = Object.keys(project.marks ?? {}).length;
  const lost = marked ? `Its ${plural(marked, "mark")} will be deleted with it.` : "It has no marks.";
  const said = `${lost} This cannot be undone. The documents stay. Export first to keep a copy.`;
  if (!(await askSure(`Delete “${project.name}”?`, said, "Delete"))) return;
  try {
    await remove(of(state.collection, "projects/one", {name: project.name}));
    if (state.project === project.name) change({project: null, onlyNew: false});
    toast(`Deleted: ${project.name}`);
    await loadProjects();
  } catch (error) {
    complain(error);
  }
}

async function bringIn() {
  const input = el("input", {type: "file", accept: ".json,application/json"});
  input.onchange = async () => {
    try {
      await send(of(state.collection, "projects/import"), JSON.parse(await input.files[0].text()));
      toast("The projects of the file were imported.");
      await loadProjects();
    } catch (error) {
      complain(
        error instanceof SyntaxError
          ? new Error(`${input.files[0].name} holds no JSON; choose a file that was exported here.`)
          : error,
      );
    }
  };
  input.click();
}

const takeOut = () => download(of(state.collection, "projects/export"), null, "projects.json").catch(complain);

function draw() {
  const locked = here()?.read_only;
  redraw(
    byId("projects"),
    el(
      "div.panel-head",
      {},
      el("h2", {id: "projects-title"}, "Projects"),
      button("Save this", saveProject, {
        class: "plain small",
        title: "Save as a project (s)",
        disabled: locked,
        "data-key": "save project",
      }),
    ),
    kept.length
      ? el("ul.projects", {}, kept.map(item))
      : el("p.quiet", {}, "Save a query with its marks under a name. Come back later to see new documents."),
    el(
      "div.row",
      {},
      kept.length ? button("Export", takeOut, {class: "link"}) : null,
      button("Import…", bringIn, {class: "link", disabled: locked}),
    ),
  );
}

function item(project) {
  const marked = Object.keys(project.marks ?? {}).length;
  const fresh = project.new;
  return el(
    "li",
    {class: project.name === state.project ? "here" : null},
    button(project.name, () => open(project), {
      class: "link name",
      "data-key": `project ${project.name}`,
      "aria-current": project.name === state.project ? "true" : null,
    }),
    el("span.quiet", {}, marked ? plural(marked, "mark") : ""),
    el(
      "span.row",
      {},
      button(fresh ? plural(fresh, "new document") : "New since last time", () => open(project, true), {
        class: fresh ? "link fresh" : "link",
      }),
      button("Seen", () => seen(project), {class: "link", title: "Mark all present documents as seen"}),
      button("Delete", () => drop(project), {class: "link", "aria-label": `Delete the project ${project.name}`}),
    ),
  );
}

on("state", (names) => {
  if (names.includes("collection")) loadProjects();
  else if (names.includes("project")) draw();
});
on("documents changed", loadProjects);
on("back", loadProjects);
