// The empty list: why nothing was found, and what to try.

import {here} from "./collections.js";
import {button, el} from "./dom.js";
import {search} from "./search.js";
import {change, emptyQuestion, state} from "./state.js";
import {chooseFiles} from "./imports.js";

const ABOUT_PYTHON = [
  "compress a folder into an archive",
  "wait for several threads to finish",
  "send an email with an attachment",
];

// The start page: the size of the collection, and queries to begin with.
export function welcome(total) {
  if (!total) {
    return el(
      "div.empty",
      {},
      el("h2", {}, "This collection is empty"),
      el("p", {}, "Drop files or folders anywhere on this page: text, PDF, Word, web pages, mail, tables, references."),
      button("Choose files…", chooseFiles, {class: "main-button"}),
    );
  }
  const tries = here()?.fields?.module && here().name.startsWith("python") ? ABOUT_PYTHON : [];
  return el(
    "div.welcome",
    {},
    el("h2", {}, "What are you looking for?"),
    el(
      "p",
      {},
      "Ask in your own words. Then mark what fits with ",
      el("kbd", {}, "r"),
      " and what does not with ",
      el("kbd", {}, "x"),
      ": the whole collection is ranked again at once.",
    ),
    tries.length
      ? el(
          "ul.tries",
          {},
          tries.map((query) =>
            el(
              "li",
              {},
              button(query, () => change({query}, {push: true}), {class: "plain"}),
            ),
          ),
        )
      : null,
  );
}

export function nothingFound() {
  if (here()?.n_documents === 0) return welcome(0);
  const tries = [];
  if (Object.keys(state.filters).length) tries.push(["Search without the filters", {filters: {}}]);
  if (state.area) tries.push(["Search the whole collection, not only the area of the map", {area: null}]);
  if (state.onlyNew) tries.push(["Search old documents too", {onlyNew: false}]);
  if (state.mode !== "both") tries.push(["Search by words and meaning", {mode: "both"}]);
  return el(
    "div.empty",
    {},
    el("h2", {}, state.onlyNew ? "Nothing new since last time" : "Nothing found"),
    el(
      "p",
      {},
      state.onlyNew
        ? "No document was added since you last looked at this project."
        : "This collection knows no word of the query, or no document meets the filters.",
    ),
    tries.map(([text, patch]) => button(text, () => change(patch, {push: true}), {class: "plain"})),
    button("Start over", () => change({...emptyQuestion(), mode: "both"}, {push: true}), {class: "plain"}),
  );
}

export function refused(sentence) {
  return el(
    "div.empty",
    {role: "alert"},
    el("h2", {}, "The search failed"),
    el("p", {}, sentence),
    button("Try again", () => search(), {class: "main-button"}),
    button("Start over", () => change({...emptyQuestion(), mode: "both"}), {class: "plain"}),
  );
}
