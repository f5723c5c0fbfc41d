// Light, dark, or as the system says.

import {byId} from "./dom.js";
import {icon} from "./icons.js";
import {tell} from "./state.js";

const CHOICES = ["auto", "light", "dark"];
const SAID = {auto: "as the system says", light: "light", dark: "dark"};
const KEPT = "satchel theme";

function stored() {
  try {
    return localStorage.getItem(KEPT) ?? "auto";
  } catch {
    return "auto";
  }
}

function take(choice) {
  if (choice === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  const next = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
  const said = `Colours: ${SAID[choice]}. Change to ${SAID[next]}`;
  const button = byId("theme");
  button.replaceChildren(icon(choice));
  button.setAttribute("aria-label", said);
  button.title = said;
  button.onclick = () => {
    try {
      localStorage.setItem(KEPT, next);
    } catch {
      // without storage the choice lasts until the page is closed
    }
    take(next);
  };
  tell("theme");
}

take(CHOICES.includes(stored()) ? stored() : "auto");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => tell("theme"));
