/** Signs for the tools and states, drawn with the same even pen as the board. */

import { h } from "./h.js";

const SIGNS = /** @type {Record<string, string>} */ ({
  undo: "M9 5L4 10L9 15M4 10H14A5.5 5.5 0 0 1 14 21H9",
  hand:
    "M8 12.5V5.5A1.5 1.5 0 0 1 11 5.5V11V4A1.5 1.5 0 0 1 14 4V11V5.5A1.5 1.5 0 0 1 17 5.5V12V8.5A1.5 1.5 0 0 1 20 8.5V15A6.5 6.5 0 0 1 13.5 21.5H12.5C9.5 21.5 8 20 6.5 17.500L4 13.500A1.6 1.6 0 0 1 6.7 11.800L8 13.5",
  camera: "M3 7.500H7.500L9 5H15L16.5 7.500H21V19H3ZM12 9.500A3.6 3.6 0 1 1 12 16.700A3.6 3.6 0 1 1 12 9.500Z",
  menu: "M4 6.500H20M4 12H20M4 17.500H20",
  link: "M3 9.500A13 13 0 0 1 21 9.500M6.5 13.500A8 8 0 0 1 17.5 13.500M10 17.300A3 3 0 0 1 14 17.3",
  lamp:
    "M9 17.500H15M10 20.500H14M9 17.500C9 14.5 6.5 13.5 6.5 9.500A5.5 5.5 0 0 1 17.5 9.500C17.5 13.5 15 14.5 15 17.5",
  cross: "M4 20L20 4",
});

/** @param {string} name */
export const icon = (name) =>
  h(
    "svg",
    { key: name, class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    name === "flower" ? flower() : h("path", { d: SIGNS[name] }),
  );

/** Five petals: macuil is five. */
const flower = () => [
  ...[0, 1, 2, 3, 4].map((i) =>
    h("circle", { class: "petal", cx: 12, cy: 5.6, r: 4.1, transform: `rotate(${i * 72} 12 12.4)` })
  ),
  h("circle", { class: "eye", cx: 12, cy: 12.4, r: 3 }),
];
