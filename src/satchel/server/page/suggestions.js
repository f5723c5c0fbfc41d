// Suggests queries, words and titles while a person types, in the list of the search box.

import {of, read} from "./api.js";
import {byId, el} from "./dom.js";
import {on, state} from "./state.js";

const PAUSE = 120;
const [box, list] = [byId("query"), byId("suggested")];
let timer = null;
let running = null;

box.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(suggest, PAUSE);
});
on("state", (names) => names.includes("collection") && list.replaceChildren());

async function suggest() {
  running?.abort();
  const [mine, text] = [new AbortController(), box.value];
  running = mine;
  if (!state.collection || !text.trim() || text.length > 200) return list.replaceChildren();
  try {
    const {texts} = await read(of(state.collection, "suggestions", {text}), {signal: mine.signal});
    if (running === mine) list.replaceChildren(...texts.map((value) => el("option", {value})));
  } catch {
    list.replaceChildren(); // a search says what is wrong
  }
}
