// Makes page elements. Text is always inserted as text, so no document can add markup.

const SVG = "http://www.w3.org/2000/svg";

// `el("button.plain", {type: "button", onclick: f, "aria-pressed": true}, "text", child)`.
// Names that begin with "on" add listeners; true writes an empty attribute; false, null and undefined write none.
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  return fill(made, attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-") && typeof value === "boolean") made.setAttribute(name, String(value));
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const byId = (id) => document.getElementById(id);

export function button(text, onclick, attributes = {}) {
  return el("button", {type: "button", onclick, ...attributes}, text);
}

// Redraws a part of the page; the focus stays on the control with the same `data-key`.
export function redraw(parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({preventScroll: true});
}

const NUMBER = new Intl.NumberFormat("en");
export const number = (value) => NUMBER.format(value);
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
export const percent = (share) => `${Math.round(100 * share)} %`;

export function megabytes(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
