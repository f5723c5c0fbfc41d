// Small dialogs: one asks for a name, one asks for confirmation.

import {button, byId, el} from "./dom.js";

// The name given, or null.
export function askName(title, proposed) {
  const input = el("input", {id: "given-name", type: "text", required: true, maxlength: 200, autocomplete: "off"});
  input.value = proposed;
  const name = ask(title, [el("label", {for: "given-name"}, "Name"), input], "Save", () => input.value.trim() || null);
  input.select();
  return name;
}

// True if the person confirms; the focus is on "Cancel" at first.
export async function askSure(title, text, label) {
  return (await ask(title, [el("p", {}, text)], label, () => true)) === true;
}

// The value of `given` when the person agrees, else null; the dialog stays open while that value is null.
function ask(title, parts, label, given) {
  const dialog = byId("ask-dialog");
  return new Promise((resolve) => {
    const done = (value) => {
      resolve(value);
      dialog.close();
    };
    const submit = (event) => {
      event.preventDefault();
      const value = given();
      if (value !== null) done(value);
    };
    dialog.replaceChildren(
      el(
        "form",
        {onsubmit: submit},
        el("h2", {id: "ask-title"}, title),
        parts,
        el(
          "div.dialog-buttons",
          {},
          button("Cancel", () => done(null), {class: "plain"}),
          el("button.main-button", {type: "submit"}, label),
        ),
      ),
    );
    dialog.addEventListener("close", () => resolve(null), {once: true});
    dialog.showModal();
  });
}
