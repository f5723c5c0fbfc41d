// Messages: short ones with an undo button, text for screen readers, and a banner when the server is lost.

import {Gone, Refusal, tryNow} from "./api.js";
import {button, byId, el} from "./dom.js";
import {on} from "./state.js";

const SHOWN_FOR = 6000;
const MOST = 3;

export function announce(text) {
  byId("live").textContent = text;
}

// Removes the message of a topic.
export function dismiss(topic) {
  byId("toasts").querySelector(`[data-topic="${topic}"]`)?.remove();
}

// Shows a short message; action: {label, run} is a button in it. Errors are read out at once and stay longer. A message
// replaces an older one of the same topic.
export function toast(text, {action = null, kind = "done", topic = null} = {}) {
  if (topic) dismiss(topic);
  const parts = [el("span", {}, text)];
  const shown = el(`div.toast.${kind}`, {role: kind === "error" ? "alert" : "status", "data-topic": topic});
  const close = () => shown.remove();
  if (action) {
    parts.push(
      button(action.label, () => {
        close();
        action.run();
      }),
    );
  }
  shown.append(...parts, button("×", close, {class: "close", "aria-label": "Close this message"}));
  byId("toasts").append(shown);
  while (byId("toasts").children.length > MOST) byId("toasts").firstChild.remove();
  setTimeout(close, kind === "error" ? 2 * SHOWN_FOR : SHOWN_FOR);
}

// Shows an error's sentence. A lost server has the banner instead, and aborted requests show nothing.
export function complain(error) {
  if (error instanceof Gone || error.name === "AbortError") return;
  if (!(error instanceof Refusal)) console.error(error);
  toast(error.message, {kind: "error"});
}

on("gone", () => {
  const banner = byId("banner");
  banner.replaceChildren(
    el("span", {}, "The server does not answer. The page stays as it is; your marks are sent when it is back."),
    button("Try again now", tryNow),
  );
  banner.hidden = false;
});

on("back", () => {
  byId("banner").hidden = true;
  toast("The server is back.");
});
