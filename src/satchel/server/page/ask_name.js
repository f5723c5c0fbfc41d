// A small dialog that asks for a name.

import {button, byId, el} from "./dom.js";

// The name given, or null.
export function askName(title, proposed, label = "Save") {
  const dialog = byId("ask-name");
  const input = el("input", {id: "given-name", type: "text", required: true, maxlength: 200, autocomplete: "off"});
  input.value = proposed;
  return new Promise((resolve) => {
    const done = (name) => {
      dialog.close();
      resolve(name);
    };
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) done(input.value.trim());
    };
    dialog.replaceChildren(
      el(
        "form",
        {onsubmit: submit},
        el("h2", {id: "ask-name-title"}, title),
        el("label", {for: "given-name"}, "Name"),
        input,
        el(
          "div.dialog-buttons",
          {},
          button("Cancel", () => done(null), {class: "plain"}),
          el("button.main-button", {type: "submit"}, label),
        ),
      ),
    );
    dialog.addEventListener("cancel", () => resolve(null), {once: true});
    dialog.showModal();
    input.select();
  });
}
