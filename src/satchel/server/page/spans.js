// Text with highlighted parts. Spans count characters as the server does, in code points, not in UTF-16 units.

import {el} from "./dom.js";

const SURROGATE = /[\ud800-\udbff]/;

// Turns places counted in code points into places in a JavaScript string.
function placesIn(text) {
  if (!SURROGATE.test(text)) return (place) => place;
  const starts = [];
  let at = 0;
  for (const character of text) {
    starts.push(at);
    at += character.length;
  }
  return (place) => (place < starts.length ? starts[place] : text.length);
}

// Lets long names break between their parts: email.mime.text, read_file, docs/page.
const JOINT = /(?<=\p{L}{2}[./_(\\])(?=\p{L}{2})/u;
export const breakable = (text) => text.split(JOINT).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));

// Text and <mark> elements: one for each of the spans, which do not overlap; `shown` makes elements of the texts.
export function highlighted(text, spans, shown = (part) => part) {
  const place = placesIn(text);
  const parts = [];
  let at = 0;
  for (const [start, stop] of [...spans].sort((one, other) => one[0] - other[0])) {
    const [from, to] = [Math.max(place(start), at), place(stop)];
    if (to <= from) continue;
    parts.push(shown(text.slice(at, from)), el("mark", {}, shown(text.slice(from, to))));
    at = to;
  }
  return [...parts, shown(text.slice(at))];
}

// The text cut at passages: [{text, passage}], passage null between them; `matches` are the spans within each piece.
export function pieces(text, passages, matches) {
  const ordered = [...passages].sort((one, other) => one.start - other.start);
  const found = [];
  const place = placesIn(text);
  const length = SURROGATE.test(text) ? [...text].length : text.length;
  const add = (start, stop, passage) => {
    if (stop <= start) return;
    const inside = matches.filter(([from, to]) => to > start && from < stop);
    const spans = inside.map(([from, to]) => [Math.max(from, start) - start, Math.min(to, stop) - start]);
    found.push({text: text.slice(place(start), place(stop)), passage, spans});
  };
  let at = 0;
  for (const passage of ordered) {
    add(at, Math.max(passage.start, at), null);
    add(Math.max(passage.start, at), passage.stop, passage);
    at = Math.max(at, passage.stop);
  }
  add(at, length, null);
  return found;
}
