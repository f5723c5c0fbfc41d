// Progress of a job: a bar with a sentence, and the seconds so far for steps of unknown length.

import {el, redraw} from "./dom.js";
import {announce} from "./notices.js";
import {stepOf} from "./jobs.js";
import {on, state} from "./state.js";

const LONG = 3;

// {element, step(job), share(text, share)}
export function progressBar(label) {
  const text = el("p", {}, label);
  const bar = el("progress", {"aria-label": label, max: 1});
  const element = el("div.progress", {role: "status"}, text, bar);
  const share = (said, part) => {
    text.textContent = said;
    if (part === null) bar.removeAttribute("value");
    else bar.value = part;
  };
  let [spoken, since, last] = ["", Date.now(), null];
  const draw = () => {
    const seconds = Math.round((Date.now() - since) / 1000);
    share(last.total || seconds < LONG ? stepOf(last) : `${stepOf(last)}: ${seconds} s`, last.total ? last.done / last.total : null);
  };
  const step = (job) => {
    if (job.step !== last?.step) since = Date.now();
    last = job;
    draw();
    if (job.step && job.step !== spoken) announce((spoken = job.step));
  };
  const clock = setInterval(() => {
    if (!element.isConnected) clearInterval(clock);
    else if (last) draw();
  }, 1000);
  return {element, step, share};
}

// The place for reports on a collection: {place, show(name, element)}. It is visible while that collection is chosen.
export function reportPlace(id) {
  const place = el("div.report-place", {id});
  const last = new Map();
  const draw = () => redraw(place, last.get(state.collection));
  on("state", (names) => names.includes("collection") && draw());
  const show = (name, element) => {
    last.set(name, element);
    draw();
    if (name === state.collection) place.scrollIntoView({block: "nearest"});
  };
  return {place, show};
}
