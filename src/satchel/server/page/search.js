// Sends searches and keeps the answer that is shown. A new ranking also tells the earlier rank of each hit.

import {Gone, of, send, whenBack} from "./api.js";
import {complain} from "./notices.js";
import {on, state, tell} from "./state.js";

const PAGE = 20;
const MOST_AGAIN = 100;

export let answer = null;
export let busy = false;
let running = null;
let answered = null;

// The body of a request for the present search.
export function question(more = {}) {
  const {query, mode, like, filters, project, area, onlyNew} = state;
  const weights = Object.keys(state.weights).length ? state.weights : null; // null: those of the project
  return {query, mode, like, filters, project, weights, area, only_new: onlyNew, k: PAGE, offset: 0, ...more};
}

export const hasQuestion = () => Boolean(state.query.trim() || state.like.length || state.project);
export const markOwner = () => (state.project ? {project: state.project} : {query: state.query});

// Shows the answer to a new search. how: "new" starts at the top; "moved" stays in place and shows earlier ranks;
// "quiet" stays in place without them.
export async function search(wanted = "new") {
  if (!state.collection) return;
  const [mine, how] = [begin(), comparable(wanted)];
  try {
    take(await send(of(state.collection, "search"), searchBody(how), {signal: mine.signal}), how, mine);
  } catch (error) {
    await failed(error, how, mine);
  } finally {
    end(mine);
  }
}

// Changes something and ranks again in one request: `send` gets the search to send along and gives the hits. Fails if
// the request fails. If newer requests overtook this one, the search is sent again.
export async function rankBy(send) {
  const [mine, how, now] = [begin(), comparable("moved"), sameQuestion()];
  try {
    const found = await send(searchBody(how));
    if (mine === running) take(found, how, mine);
    else await search(now === sameQuestion() ? "moved" : "quiet");
  } finally {
    end(mine);
  }
}

// Two lists can be compared only if they are of the same search; weights and marks may differ.
const comparable = (how) => (answer && answered === sameQuestion() ? how : "new");

function sameQuestion() {
  const {weights: _, ...rest} = question();
  return JSON.stringify([state.collection, rest]);
}

function searchBody(how) {
  if (how === "new") return question();
  const k = Math.min(Math.max(answer.hits.length, PAGE), MOST_AGAIN);
  const earlier = {compare_with: {marks: answer.marks ?? {}, weights: answer.weights ?? {}}};
  return question({k, ...(how === "moved" && earlier)});
}

function begin() {
  running?.abort();
  running = new AbortController();
  setBusy(true);
  return running;
}

function take(found, how, mine) {
  if (mine !== running) return;
  [answer, answered] = [found, sameQuestion()];
  tell("answer", how);
}

function end(mine) {
  if (mine === running) setBusy(false);
}

async function failed(error, how, mine) {
  if (error.name === "AbortError" || mine !== running) return;
  if (error instanceof Gone) {
    await whenBack();
    if (mine === running) search(how);
    return;
  }
  if (how === "new") {
    answer = null;
    tell("refused", error.message);
  } else complain(error);
}

// The next page of the same list.
export async function showMore() {
  if (busy || !answer || answer.hits.length >= answer.total) return;
  const [mine, before] = [running, answer];
  setBusy(true);
  try {
    const found = await send(of(state.collection, "search"), question({offset: before.hits.length}));
    if (mine !== running || before !== answer) return;
    answer = {
      ...before,
      hits: [...before.hits, ...found.hits],
      total: found.hits.length ? found.total : before.hits.length,
    };
    tell("answer", "more");
  } catch (error) {
    complain(error);
  } finally {
    if (mine === running) setBusy(false);
  }
}

function setBusy(now) {
  busy = now;
  tell("busy", now);
}

on("question", (why) => search(why === "weights" ? "moved" : "new"));
