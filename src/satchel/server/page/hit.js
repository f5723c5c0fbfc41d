// One hit: rank and movement, title, source, snippet, reasons and buttons to mark it.

import {button, el, percent} from "./dom.js";
import {icon} from "./icons.js";
import {MARKS, mark, markOf} from "./marks.js";
import {badge} from "./movement.js";
import {breakable, highlighted} from "./spans.js";

const MOST_FIELDS = 4;
const MOST_REASONS = 6;

export const nameOf = (hit) => hit.title || hit.id;

// actions: {open, like, filter, adjust, explain}; explained: whether the reasons are open.
export function hitItem(hit, actions, {explained, compared}) {
  const marked = markOf(hit.id, hit.mark);
  const title = `hit-${hit.rank}`;
  return el(
    "li.hit",
    {"data-id": hit.id, "data-mark": marked},
    el(
      "article",
      {tabindex: "-1", "aria-labelledby": title},
      el(
        "div.rank",
        {},
        el("span", {"aria-label": `rank ${hit.rank}`, role: "img"}, String(hit.rank)),
        badge(hit, compared),
      ),
      el(
        "div.body",
        {},
        el(
          "h3",
          {},
          button(breakable(nameOf(hit)), () => actions.open(hit.id), {
            id: title,
            class: "title",
            "data-key": `open ${hit.id}`,
          }),
        ),
        origin(hit, actions),
        el("p.snippet", {}, highlighted(hit.snippet.text, hit.snippet.matches, breakable)),
        reasons(hit, actions, explained),
      ),
      markButtons(hit.id, nameOf(hit), marked),
    ),
  );
}

export function markButtons(id, title, marked) {
  const buttons = Object.entries(MARKS).map(([name, {key, said}]) => {
    const attributes = {
      class: `mark-button ${name}`,
      "aria-pressed": marked === name,
      "aria-label": `${said}: ${title}`,
      title: `${said} (${key})`,
      "aria-keyshortcuts": key,
      "data-key": `${name} ${id}`,
    };
    return button(icon(name), () => mark(id, name, title), attributes);
  });
  return el("div.mark-buttons", {role: "group", "aria-label": "Mark"}, buttons);
}

function origin(hit, actions) {
  const named = hit.title && hit.title !== hit.id ? [el("span", {}, hit.source || hit.id)] : [];
  if (hit.place) named.push(el("span", {}, hit.place));
  return el("div.origin", {}, named, fieldChips(hit.fields, actions.filter));
}

// The fields as buttons, each of which filters the list by its value.
export function fieldChips(fields, onFilter) {
  const pairs = Object.entries(fields ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 3) : [value]).map((one) => [name, one]),
  );
  return pairs
    .filter(([, value]) => String(value).length <= 60 && String(value))
    .slice(0, MOST_FIELDS)
    .map(([name, value]) =>
      button([el("span.name", {}, `${name} `), String(value)], () => onFilter(name, value), {
        class: "field",
        title: `Only documents whose ${name} is ${value}`,
        "data-key": `field ${name} ${value}`,
      }),
    );
}

function reasons(hit, actions, explained) {
  const why = hit.reasons;
  if (why.lexical === null && why.semantic === null) return null;
  const made = el("details.why", {open: explained}, el("summary", {"data-key": `why ${hit.id}`}, gist(why)));
  const show = () => made.childElementCount === 1 && made.append(explanation(hit, actions));
  if (explained) show();
  made.addEventListener("toggle", () => {
    if (made.open) show();
    actions.explain(hit.id, made.open);
  });
  return made;
}

// 'Contains "wait"; near in meaning: futures, as_completed': the same sentence as the library's `Reasons`.
function gist(why) {
  const near = nearWords(why).join(", ");
  if (!why.matches.length && !near)
    return why.semantic === null ? "Contains a word with a similar spelling" : "Near in meaning";
  if (!why.matches.length) return `Near in meaning: ${near}`;
  const contained = `Contains ${why.matches.map((word) => `"${word}"`).join(", ")}`;
  return near ? `${contained}; near in meaning: ${near}` : contained;
}

// At most three words that bring the document near, best first: its own, else those of its themes.
function nearWords({matches, words, themes}) {
  const known = new Set(matches.map((word) => word.toLowerCase()));
  const every = words.length ? words.map(({word}) => word) : themes.flatMap((theme) => theme.words.slice(0, 2));
  return [...new Set(every)].filter((word) => !known.has(word.toLowerCase())).slice(0, 3);
}

function explanation(hit, actions) {
  const {words, themes, lexical, semantic} = hit.reasons;
  const score = (value, digits) => (value === null || value === undefined ? "not found" : value.toFixed(digits));
  return el(
    "div.reasons",
    {},
    el(
      "dl.scores",
      {},
      el("div", {}, el("dt", {}, "By words (BM25)"), el("dd", {}, score(lexical, 2))),
      el("div", {}, el("dt", {}, "By meaning (cosine)"), el("dd", {}, score(semantic, 3))),
      el("div", {}, el("dt", {}, "Both"), el("dd", {}, score(hit.score, 3))),
    ),
    bars(
      "What each word adds to the meaning",
      words.map((one) => ({name: one.word, value: one.contribution})),
    ),
    bars(
      "What each theme adds to the meaning",
      themes.map((one) => ({
        name: one.words.slice(0, 4).join(", ") || `theme ${one.codeword}`,
        value: one.contribution,
        action: () => actions.adjust(one.codeword, one.words),
      })),
    ),
    button([icon("like"), "More like this"], () => actions.like(hit), {class: "plain", "data-key": `like ${hit.id}`}),
  );
}

function bars(title, rows) {
  const shown = rows.slice(0, MOST_REASONS);
  if (!shown.length) return null;
  const most = Math.max(...shown.map((row) => Math.abs(row.value)), 1e-9);
  return el(
    "div.bars",
    {},
    el("h4", {}, title),
    shown.map((row) => bar(row, most)),
  );
}

function bar({name, value, action}, most) {
  const fill = el("span.fill", {class: value < 0 ? "fill less" : "fill"});
  fill.style.width = percent(Math.abs(value) / most).replace(" ", "");
  const label = action
    ? button(name, action, {class: "link", title: "Set the weight of this theme"})
    : el("span", {}, name);
  return el(
    "div.bar",
    {},
    label,
    el("span.track", {"aria-hidden": "true"}, fill),
    el("span.amount", {}, value.toFixed(3)),
  );
}
