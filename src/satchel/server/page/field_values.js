// The values of fields in the whole collection, loaded once.

import {of, read} from "./api.js";
import {complain} from "./notices.js";
import {on, state, tell} from "./state.js";

const known = new Map();

// {values: [{value, n_documents}], n_distinct, numeric, least, most}, or null while it is loading; then listeners
// of "field values" are called.
export function valuesOf(name) {
  if (!known.has(name)) {
    known.set(name, null);
    load(state.collection, name);
  }
  return known.get(name);
}

async function load(collection, name) {
  try {
    const found = await read(of(collection, "fields", {name}));
    if (collection !== state.collection) return;
    known.set(name, found);
    tell("field values");
  } catch (error) {
    complain(error);
  }
}

on("state", (names) => names.includes("collection") && known.clear());
for (const news of ["documents changed", "back"]) on(news, () => known.clear());
