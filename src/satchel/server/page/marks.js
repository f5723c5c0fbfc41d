// Marks: shown at once, sent in order, and sent again after the server was lost; then the list is ranked again.

import {Gone, of, send, whenBack} from "./api.js";
import {complain, dismiss, toast} from "./notices.js";
import {answer, markOwner, rankBy, search} from "./search.js";
import {on, state, tell} from "./state.js";

export const MARKS = {
  relevant: {key: "r", sign: "relevant", said: "Relevant"},
  maybe: {key: "m", sign: "maybe", said: "Maybe"},
  irrelevant: {key: "x", sign: "irrelevant", said: "Irrelevant"},
};

const waiting = [];
const shownAs = new Map();
let sending = false;
const otherTabs = "BroadcastChannel" in window ? new BroadcastChannel("satchel marks") : null;

// The mark that the page shows for a document: a mark just given, else the server's.
export function markOf(id, known = null) {
  if (shownAs.has(id)) return shownAs.get(id);
  return answer?.marks?.[id] ?? known;
}

// Marks a document; the same mark again removes it.
export function mark(id, kind, title) {
  const value = markOf(id) === kind ? "none" : kind;
  if (!state.project && !state.query.trim()) {
    toast("A mark belongs to a query. Type what you are looking for, then mark what you find.");
    return;
  }
  shownAs.set(id, value === "none" ? null : value);
  waiting.push({collection: state.collection, body: {id, value, ...markOwner()}});
  tell("mark", id);
  const said = value === "none" ? "Mark removed" : MARKS[kind].said;
  toast(`${said}: ${title || id}`, {topic: "mark", action: {label: "Undo (u)", run: undo}});
  sendAll();
}

// Undoes the last mark of the present query or project.
export async function undo() {
  await settled();
  let taken = null;
  try {
    await rankBy(async (search) => {
      taken = await send(of(state.collection, "undo"), {...markOwner(), search});
      return taken.found;
    });
  } catch (error) {
    complain(error);
    return;
  }
  toast(taken.marks.length ? `Undone: ${taken.marks.map((one) => one.id).join(", ")}` : "There is no mark of this query left to undo.", {
    topic: "mark",
  });
  if (taken.marks.length) changed(taken.marks.at(-1).id);
}

async function sendAll() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const {collection, body} = waiting[0];
    try {
      if (waiting.length === 1 && collection === state.collection) await rankBy((search) => sendFirst({search}));
      else await sendFirst();
    } catch (error) {
      if (error instanceof Gone) {
        await whenBack();
        continue;
      }
      if (waiting[0]?.body === body) waiting.shift();
      shownAs.delete(body.id);
      tell("mark", body.id);
      complain(error);
      if (!waiting.length) await search("moved");
    }
  }
  sending = false;
  changed();
}

// Sends the oldest waiting mark; gives the new hits if a search goes with it.
async function sendFirst(more = {}) {
  const {collection, body} = waiting[0];
  const {found} = await send(of(collection, "marks"), {...body, ...more});
  waiting.shift();
  return found;
}

async function settled() {
  while (sending) await new Promise((resolve) => setTimeout(resolve, 20));
}

function changed(id = null) {
  otherTabs?.postMessage(whose());
  tell("marks changed", id);
}

// The collection and the query or project of the marks, as one text.
const whose = () => JSON.stringify([state.collection, markOwner()]);

// The server's marks count once no mark is waiting to be sent.
on("answer", () => {
  if (!waiting.length) shownAs.clear();
});

// The undo button of a message works only for the query that the message was about.
let madeFor = whose();
on("question", () => {
  if (!waiting.length) shownAs.clear();
  if (madeFor !== whose()) dismiss("mark");
  madeFor = whose();
});

if (otherTabs) {
  otherTabs.onmessage = async ({data}) => {
    if (data === whose()) await search("moved");
    tell("marks changed");
  };
}

let leftAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leftAt = Date.now();
  else if (leftAt && !sending && answer) search("quiet");
});
