// Marks: shown at once, sent in order, sent again when the server was gone; then everything is ranked anew.

import {Gone, of, send, whenBack} from "./api.js";
import {complain, toast} from "./notices.js";
import {answer, markOwner, search} from "./search.js";
import {on, state, tell} from "./state.js";

export const VERDICTS = {
  relevant: {key: "r", sign: "relevant", said: "Relevant"},
  maybe: {key: "m", sign: "maybe", said: "Maybe"},
  irrelevant: {key: "x", sign: "irrelevant", said: "Irrelevant"},
};

const waiting = [];
const shownAs = new Map();
let sending = false;
const otherTabs = "BroadcastChannel" in window ? new BroadcastChannel("satchel marks") : null;

// The mark that a document has on the page: the one just given, before the server's.
export function markOf(id, known = null) {
  if (shownAs.has(id)) return shownAs.get(id);
  return answer?.marks?.[id] ?? known;
}

// Gives a mark; the same again takes it away.
export function mark(id, verdict, title) {
  const value = markOf(id) === verdict ? "none" : verdict;
  if (!state.interest && !state.query.trim()) {
    toast("A mark belongs to a question. Type what you are looking for, then mark what you find.");
    return;
  }
  shownAs.set(id, value === "none" ? null : value);
  waiting.push({collection: state.collection, body: {id, value, ...markOwner()}});
  tell("mark", id);
  const said = value === "none" ? "Mark taken away" : VERDICTS[verdict].said;
  toast(`${said}: ${title || id}`, {topic: "mark", action: {label: "Undo (u)", run: undo}});
  sendAll();
}

// Takes the last mark back, wherever it was made.
export async function undo() {
  await settled();
  try {
    const taken = await send(of(state.collection, "undo"), {});
    if (!taken?.id) {
      toast("There is no mark left to take back.");
      return;
    }
    const elsewhere = taken.interest ? taken.interest !== state.interest : taken.query !== state.query;
    toast(`Taken back: ${taken.id}${elsewhere ? `, for ${taken.interest || `“${taken.query}”`}` : ""}`, {
      topic: "mark",
    });
    changed(taken.id);
  } catch (error) {
    complain(error);
  }
}

async function sendAll() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const {collection, body} = waiting[0];
    try {
      await send(of(collection, "marks"), body);
      waiting.shift();
    } catch (error) {
      if (error instanceof Gone) {
        await whenBack();
        continue;
      }
      waiting.shift();
      shownAs.delete(body.id);
      tell("mark", body.id);
      complain(error);
    }
  }
  sending = false;
  changed();
}

async function settled() {
  while (sending) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function changed(id = null) {
  otherTabs?.postMessage(state.collection);
  await search("moved");
  tell("marks changed", id);
}

// What the server says counts, once nothing is on its way to it.
on("answer", () => {
  if (!waiting.length && !sending) shownAs.clear();
});

on("question", () => !waiting.length && shownAs.clear());

if (otherTabs) {
  otherTabs.onmessage = async ({data}) => {
    if (data !== state.collection) return;
    await search("moved");
    tell("marks changed");
  };
}

let leftAt = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) leftAt = Date.now();
  else if (leftAt && !sending && answer) search("quiet");
});
