// The progress of a screening: marked documents, finds, and an estimate of what is left.

import {Gone, of, read} from "./api.js";
import {byId, el, number, percent, plural, redraw, svg} from "./dom.js";
import {complain} from "./notices.js";
import {hasQuestion, markOwner} from "./search.js";
import {on, state} from "./state.js";

const VAGUE = 1;
const FEW = 10;
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [480, 220, 36, 28, 10];

async function load() {
  if (document.body.dataset.beside !== "screening" || !state.collection) return;
  if (!hasQuestion()) return drawEmpty("Search for something and mark what you find. Your progress is shown here.");
  const address = of(state.collection, "screening", markOwner());
  try {
    const progress = await read(address);
    if (address === of(state.collection, "screening", markOwner())) draw(progress);
  } catch (error) {
    if (!(error instanceof Gone)) complain(error);
  }
}

function drawEmpty(text) {
  redraw(byId("screening"), el("div.empty", {}, el("h2", {}, "Screening"), el("p", {}, text)));
}

function draw(progress) {
  const {n_documents, n_marked, n_relevant, finds, remaining, chance} = progress;
  if (!n_marked)
    return drawEmpty(
      "Nothing is marked yet. Mark hits relevant or irrelevant, best first. The finds are counted here.",
    );
  return redraw(
    byId("screening"),
    el("h2", {}, "Screening: ", el("q", {}, state.project ?? state.query)),
    el(
      "dl.figures",
      {},
      figure("marked", number(n_marked), `of ${number(n_documents)}`),
      figure("relevant found", number(n_relevant), n_marked ? percent(n_relevant / n_marked) + " of the marked" : ""),
      figure(
        "likely left",
        remaining ? between(remaining) : "?",
        remaining ? `best guess ${number(Math.round(remaining.expected))}` : "too few marks",
      ),
    ),
    curve(finds),
    el("p.honest", {}, sentence(progress, chance)),
  );
}

const between = ({low, high}) => `${number(Math.round(low))} to ${number(Math.round(high))}`;
const figure = (name, value, more) => el("div", {}, el("dt", {}, name), el("dd", {}, value, el("small", {}, more)));

// A sentence on what the numbers show, and what they do not.
function sentence({n_relevant: relevant, remaining, n_marked: marked}, chance) {
  if (!remaining)
    return `After ${plural(marked, "mark")} it is too early to estimate what is left. Mark more hits, irrelevant ones too.`;
  const {expected, low, high} = remaining;
  if (high - low > VAGUE * (relevant + expected) || marked < FEW) {
    return `It is too early to say: after ${plural(marked, "mark")}, ${between(remaining)} more may be left. Each mark narrows this.`;
  }
  const share = relevant / Math.max(relevant + expected, 1e-9);
  const found = `About ${percent(share)} of what is relevant is likely found; ${between(remaining)} more may be left.`;
  const stop = chance === null || chance === undefined ? "" : ` The chance that 95 % are found is ${percent(chance)}.`;
  return `${found}${stop} This is an estimate from the order of your marks. It is wrong if relevant documents are unlike all that you marked.`;
}

function curve(finds) {
  const most = Math.max(...finds, 1);
  const x = (place) => LEFT + (place / Math.max(finds.length, 1)) * (WIDTH - LEFT - 12);
  const y = (count) => HEIGHT - BOTTOM - (count / most) * (HEIGHT - BOTTOM - TOP);
  const steps = finds.map((count, place) => `H${x(place + 1).toFixed(1)}V${y(count).toFixed(1)}`).join("");
  const label = (text, at) => svg("text", at, text);
  return el(
    "figure.curve",
    {},
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": `Finds over marks: ${finds.at(-1) ?? 0} relevant after ${finds.length} marks`,
      },
      svg("path", {class: "axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - 12}`}),
      svg("path", {
        class: "all",
        d: `M${x(0)} ${y(0)}L${x(Math.min(most, finds.length))} ${y(Math.min(most, finds.length))}`,
      }),
      svg("path", {class: "finds", d: `M${x(0)} ${y(0)}${steps}`}),
      label(String(most), {x: LEFT - 6, y: y(most) + 4, "text-anchor": "end"}),
      label("0", {x: LEFT - 6, y: y(0) + 4, "text-anchor": "end"}),
      label(`${finds.length} marks`, {x: WIDTH - 12, y: HEIGHT - 8, "text-anchor": "end"}),
    ),
    el(
      "figcaption",
      {},
      "Relevant finds over marks, in the order they were made; the thin line is a list in which every mark is a find.",
    ),
  );
}

on("state", (names) => ["view", "query", "project", "collection"].some((name) => names.includes(name)) && load());
on("marks changed", load);
