// Interests: a query kept under a name with its marks, filters and weights, and what is new for it.

import {download, of, read, remove, send} from "./api.js";
import {askName, askSure} from "./ask.js";
import {here} from "./collections.js";
import {button, byId, el, plural, redraw} from "./dom.js";
import {complain, toast} from "./notices.js";
import {isAsked} from "./search.js";
import {change, emptyQuestion, on, state} from "./state.js";

let kept = [];

async function loadInterests() {
  if (!state.collection) return;
  try {
    kept = await read(of(state.collection, "interests"));
    draw();
  } catch (error) {
    complain(error);
  }
}

export async function saveInterest() {
  if (!isAsked()) return toast("Search for something first: an interest is a query with its marks.");
  const name = await askName("Save this interest", state.interest ?? state.query.slice(0, 60));
  if (!name) return undefined;
  const {query, filters, weights} = state;
  try {
    const own = kept.find((one) => one.name === state.interest)?.query ?? "";
    await send(of(state.collection, "interests"), {name, query: query || own, filters, weights});
    toast(`Saved: ${name}. Its marks go on counting, and you will see what is new.`);
    change({interest: name}, {push: true});
    return await loadInterests();
  } catch (error) {
    return complain(error);
  }
}

function open(interest, onlyNew = false) {
  const {name, query, filters, weights} = interest;
  change(
    {
      ...emptyQuestion(),
      interest: name,
      query: query ?? "",
      filters: filters ?? {},
      weights: weights ?? {},
      onlyNew,
      view: "results",
    },
    {push: true},
  );
}

async function seen(interest) {
  try {
    await send(of(state.collection, "interests/seen"), {name: interest.name});
    if (state.onlyNew && state.interest === interest.name) change({onlyNew: false});
    toast(`${interest.name}: what is here now is no longer new.`);
    await loadInterests();
  } catch (error) {
    complain(error);
  }
}

async function drop(interest) {
  const marked = Object.keys(interest.marks ?? {}).length;
  const lost = marked ? `Its ${plural(marked, "mark")} will be deleted with it.` : "It has no marks.";
  const said = `${lost} This cannot be taken back; the documents stay. Export keeps a copy.`;
  if (!(await askSure(`Delete “${interest.name}”?`, said, "Delete"))) return;
  try {
    await remove(of(state.collection, "interests/one", {name: interest.name}));
    if (state.interest === interest.name) change({interest: null, onlyNew: false});
    toast(`Deleted: ${interest.name}`);
    await loadInterests();
  } catch (error) {
    complain(error);
  }
}

async function bringIn() {
  const input = el("input", {type: "file", accept: ".json,application/json"});
  input.onchange = async () => {
    try {
      await send(of(state.collection, "interests/import"), JSON.parse(await input.files[0].text()));
      toast("The interests of the file were taken in.");
      await loadInterests();
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

const takeOut = () => download(of(state.collection, "interests/export"), null, "interests.json").catch(complain);

function draw() {
  const locked = here()?.read_only;
  redraw(
    byId("interests"),
    el(
      "div.panel-head",
      {},
      el("h2", {id: "interests-title"}, "Interests"),
      button("Save this", saveInterest, {
        class: "plain small",
        title: "Save as an interest (s)",
        disabled: locked,
        "data-key": "save interest",
      }),
    ),
    kept.length
      ? el("ul.interests", {}, kept.map(item))
      : el("p.quiet", {}, "Save a query with its marks under a name, come back later, and see what is new."),
    el(
      "div.row",
      {},
      kept.length ? button("Export", takeOut, {class: "link"}) : null,
      button("Import…", bringIn, {class: "link", disabled: locked}),
    ),
  );
}

function item(interest) {
  const marked = Object.keys(interest.marks ?? {}).length;
  const fresh = interest.new;
  return el(
    "li",
    {class: interest.name === state.interest ? "here" : null},
    button(interest.name, () => open(interest), {
      class: "link name",
      "data-key": `interest ${interest.name}`,
      "aria-current": interest.name === state.interest ? "true" : null,
    }),
    el("span.quiet", {}, marked ? plural(marked, "mark") : ""),
    el(
      "span.row",
      {},
      button(fresh ? plural(fresh, "new document") : "New since last time", () => open(interest, true), {
        class: fresh ? "link fresh" : "link",
      }),
      button("Seen", () => seen(interest), {class: "link", title: "What is here now is no longer new"}),
      button("Delete", () => drop(interest), {class: "link", "aria-label": `Delete the interest ${interest.name}`}),
    ),
  );
}

on("state", (names) => {
  if (names.includes("collection")) loadInterests();
  else if (names.includes("interest")) draw();
});
on("documents changed", loadInterests);
on("back", loadInterests);
