// What the colours of the map mean; a value in the legend is also a filter.

import {css} from "./colours.js";
import {button, el, number} from "./dom.js";
import {addFilter} from "./filters.js";

// The parts of a legend: of colours with values, or of a ramp from one amount to another.
export function legendOf(legend, colourBy) {
  if (!Array.isArray(legend)) return [ramp(legend, colourBy)];
  if (!legend.length) return [el("span.key", {}, "Search for something to see where the best hits are.")];
  return legend.map(({value, said, colour, count}) => {
    if (value === null) return el("span.key", {}, swatch(colour), said);
    const parts = [swatch(colour), String(value), el("span.count", {}, number(count))];
    return button(parts, () => addFilter(colourBy, value), {
      class: "key",
      title: `Only documents whose ${colourBy} is ${value}`,
    });
  });
}

function swatch(colour) {
  const made = el("span.swatch", {"aria-hidden": "true"});
  made.style.background = css(colour);
  return made;
}

function ramp({ramp: ends, from, to}, colourBy) {
  const made = el("span.ramp", {"aria-hidden": "true"});
  made.style.background = `linear-gradient(to right, ${ends.map(css).join(", ")})`;
  return el("span.key", {}, `${colourBy || "score"} ${from}`, made, to);
}
