// The state of the page. All of it is in the address, so a reload or a bookmark restores it.

const EMPTY = Object.freeze({
  collection: "",
  query: "",
  mode: "both",
  like: [],
  project: null,
  onlyNew: false,
  weights: {},
  filters: {},
  area: null,
  open: null,
  view: "results",
});
const SHORT = {
  collection: "c",
  query: "q",
  mode: "by",
  like: "like",
  project: "project",
  onlyNew: "new",
  weights: "w",
  filters: "where",
  area: "area",
  open: "doc",
  view: "view",
};
// A change of one of these starts a new search.
const QUESTION = ["collection", "query", "mode", "like", "project", "onlyNew", "weights", "filters", "area"];

export let state = EMPTY;
const listeners = new Map();

export function on(event, listener) {
  listeners.set(event, [...(listeners.get(event) ?? []), listener]);
}

export function tell(event, ...news) {
  for (const listener of listeners.get(event) ?? []) listener(...news);
}

export const emptyQuestion = () => ({
  query: "",
  like: [],
  project: null,
  onlyNew: false,
  weights: {},
  filters: {},
  area: null,
});

// Writes the change into the address. push: the browser's back button undoes it.
// Listeners of "state" get the names that changed; listeners of "question" are called when a new search is needed.
export function change(patch, {push = false, why = "new"} = {}) {
  const changed = Object.keys(patch).filter((name) => !same(patch[name], state[name]));
  if (!changed.length) return false;
  const before = state;
  state = Object.freeze({...state, ...patch});
  history[push ? "pushState" : "replaceState"](null, "", address(state));
  announce(changed, why, before);
  return true;
}

function announce(changed, why, before) {
  tell("state", changed);
  if (changed.some((name) => QUESTION.includes(name))) tell("question", why, before);
}

export function readAddress() {
  const before = state;
  state = Object.freeze(parsed(location.hash));
  const changed = Object.keys(EMPTY).filter((name) => !same(before[name], state[name]));
  if (changed.length) announce(changed, "new", before);
}

function address(place) {
  const written = new URLSearchParams();
  for (const [name, short] of Object.entries(SHORT)) {
    if (same(place[name], EMPTY[name])) continue;
    written.set(short, typeof place[name] === "string" ? place[name] : JSON.stringify(place[name]));
  }
  return `#${written}`;
}

// Reads the state from an address; parts that cannot be read are left out.
function parsed(hash) {
  const written = new URLSearchParams(hash.replace(/^#/, ""));
  const found = {...EMPTY};
  for (const [name, short] of Object.entries(SHORT)) {
    const value = written.get(short);
    if (value === null) continue;
    if (typeof EMPTY[name] === "string" || name === "project" || name === "open") found[name] = value;
    else found[name] = json(value, EMPTY[name]);
  }
  return found;
}

function json(value, otherwise) {
  try {
    const read = JSON.parse(value);
    const alike =
      otherwise === null || (typeof read === typeof otherwise && Array.isArray(read) === Array.isArray(otherwise));
    return alike && (read !== null || otherwise === null) ? read : otherwise;
  } catch {
    return otherwise;
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

addEventListener("popstate", readAddress);
