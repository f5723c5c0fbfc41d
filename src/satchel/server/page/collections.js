// The collections of this server, and the chosen one.

import {Gone, read, whenBack} from "./api.js";
import {byId, el, number} from "./dom.js";
import {complain} from "./notices.js";
import {change, emptyQuestion, on, state, tell} from "./state.js";

let known = [];

export const here = () => known.find((one) => one.name === state.collection) ?? null;

// Reads the list; chooses the first collection if the address names none or an unknown one.
export async function loadCollections() {
  try {
    known = await read("/api/collections");
  } catch (error) {
    if (!(error instanceof Gone)) return complain(error);
    await whenBack();
    return loadCollections();
  }
  const names = known.map((one) => one.name);
  byId("collections").replaceChildren(
    ...known.map((one) => el("option", {value: one.name}, `${one.name} (${number(one.n_documents)})`)),
  );
  if (!names.includes(state.collection) && names.length) change({collection: names[0]});
  byId("collections").value = state.collection;
  tell("collections");
  return undefined;
}

byId("collections").addEventListener("change", (event) =>
  change({...emptyQuestion(), collection: event.target.value, open: null}, {push: true}),
);
on("state", (names) => {
  if (names.includes("collection")) byId("collections").value = state.collection;
  if (names.includes("view") && state.view === "collection" && known.length) loadCollections();
});
// Only the view of the collection shows the number of marks.
on("marks changed", () => document.body.dataset.beside === "collection" && loadCollections());
on("back", loadCollections);
