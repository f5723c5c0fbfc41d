// The box beside the pointer on the map: the document's title, loaded when the pointer rests, and its value.

import {of, read} from "./api.js";
import {byId, el} from "./dom.js";
import {answer} from "./search.js";
import {state} from "./state.js";

const PAUSE = 150;
const titles = new Map();
let asking = null;
let shown = null;

// id: of the document there; more: the line below its title.
export function showTip(id, more, [across, down], frame) {
  const box = byId("tip");
  shown = id;
  box.hidden = false;
  box.replaceChildren(el("b", {}, titleOf(id)), more);
  box.style.left = `${Math.min(across + 14, frame.width - box.offsetWidth - 4)}px`;
  box.style.top = `${Math.min(down + 14, frame.height - box.offsetHeight - 4)}px`;
  if (!titles.has(id)) fetchTitle(id, state.collection);
}

export function hideTip() {
  shown = null;
  byId("tip").hidden = true;
}

const titleOf = (id) => answer?.hits.find((hit) => hit.id === id)?.title || titles.get(id) || id;

function fetchTitle(id, collection) {
  clearTimeout(asking);
  asking = setTimeout(async () => {
    try {
      titles.set(id, (await read(of(collection, "documents", {id}))).title);
      if (shown === id) byId("tip").firstChild.textContent = titleOf(id);
    } catch {
      titles.set(id, "");
    }
  }, PAUSE);
}
