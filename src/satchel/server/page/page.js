// Starts the page: reads the address, loads the collections and connects the parts.

import "./theme.js";
import {loadCollections} from "./collections.js";
import {byId} from "./dom.js";
import "./notices.js";
import {search} from "./search.js";
import {change, on, readAddress, state} from "./state.js";
import "./results.js";
import "./lessons.js";
import "./filters.js";
import "./projects.js";
import "./reader.js";
import "./views.js";
import "./screening.js";
import "./collection_view.js";
import "./map.js";
import "./keys.js";
import "./suggestions.js";

const query = byId("query");

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = query.value.trim();
  const other = text !== state.query;
  if (
    !change(
      {query: text, ...(other && {like: [], project: null, onlyNew: false, weights: {}}), view: "results"},
      {push: true},
    )
  )
    search();
  byId("results").focus({preventScroll: true});
});
byId("mode").addEventListener("change", (event) => change({mode: event.target.value}));

on("state", (names) => {
  if (names.includes("query")) query.value = state.query;
  if (names.includes("mode")) byId("mode").value = state.mode;
  if (names.some((name) => ["query", "collection", "project"].includes(name))) {
    document.title = [state.project ?? state.query, state.collection, "Satchel"].filter(Boolean).join(" · ");
  }
});

readAddress();
byId("mode").value = state.mode;
await loadCollections();
