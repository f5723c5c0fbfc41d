// Icons, drawn in the colour of the text around them.

import {svg} from "./dom.js";

const PATHS = {
  relevant: "M4 12.5l5 5L20 6.5",
  maybe: "M8.5 9a3.5 3.5 0 1 1 5 3.1c-1 .6-1.5 1.2-1.5 2.4M12 18.5v.1",
  irrelevant: "M6 6l12 12M18 6L6 18",
  up: "M12 20V5M6 11l6-6 6 6",
  down: "M12 4v15M6 13l6 6 6-6",
  results: "M5 6h14M5 12h14M5 18h9",
  reader: "M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zm0 0v14",
  map: "M9 4L4 6v14l5-2 6 2 5-2V4l-5 2zm0 0v14m6-12v14",
  learned: "M4 8h9m5 0h2M4 16h3m5 0h8M15.500 5.500v5M9.500 13.500v5",
  screening: "M4 20V4m0 16h16M7 16c3-1 3-8 7-9 2-.6 4-.7 6-.7",
  collection: "M5 5h14v4H5zm0 6h14v4H5zm0 6h14v2H5z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  target: "M12 5a7 7 0 1 0 0 14a7 7 0 0 0 0-14zM12 2v5M12 17v5M2 12h5M17 12h5",
  whole: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  area: "M4 4h3m4 0h3m4 0h2v2m0 4v3m0 4v3h-3m-4 0h-3m-4 0H4v-3m0-4v-3m0-4V4",
  light:
    "M12 7.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5",
  dark: "M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500z",
  auto: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zm0 0v18",
  close: "M6 6l12 12M18 6L6 18",
  like: "M8 8h12v12H8zM4 16V4h12",
};

export function icon(name) {
  return svg("svg", {class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true"}, svg("path", {d: PATHS[name]}));
}
