// Work that goes on: a bar with a sentence.

import {el} from "./dom.js";
import {announce} from "./notices.js";
import {stepOf} from "./jobs.js";

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
  let spoken = "";
  const step = (job) => {
    share(stepOf(job), job.total ? job.done / job.total : null);
    if (job.step && job.step !== spoken) announce((spoken = job.step));
  };
  return {element, step, share};
}
