/** The marks, the pieces and the beads: a seat is told by colour and by mark, everywhere. */

import { h } from "./h.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Point} Point */

/** Drawn in a box of -1 to 1, equal in area to the eye. */
const MARKS = /** @type {Record<string, string>} */ ({
  jade: "M0-.86A.86.86 0 1 1 0 .86A.86.86 0 1 1 0-.86Z",
  maize: "M-.76-.76H.76V.76H-.76Z",
  coral: "M0-.98L1 .76H-1Z",
  indigo: "M0-1.08L1.08 0L0 1.08L-1.08 0Z",
  obsidian: "M0-1L.87-.5V.5L0 1L-.87 .5V-.5Z",
  bone: "M-.32-.95H.32V-.32H.95V.32H.32V.95H-.32V.32H-.95V-.32H-.32Z",
  ink: "M0-.5A.5.5 0 1 1 0 .5A.5.5 0 1 1 0-.5Z",
});

/** @param {string} seat @param {Point} at @param {number} size @param {string} [className] */
export const mark = (seat, at, size, className = "") =>
  h("path", { class: `mark ${className}`, d: MARKS[colourOf(seat)], transform: `translate(${at}) scale(${size})` });

/**
 * Who sits there, on a plate: cut to so many letters, and drawn closer where these are wide ones.
 * @param {string} name @param {Point} at @param {number} letters @param {number} room
 */
export const nameplate = (name, [x, y], letters, room) =>
  h(
    "text",
    { class: "name", x, y, lengthAdjust: "spacingAndGlyphs", ref: squeezed(room) },
    name.length > letters ? `${name.slice(0, letters - 1).trimEnd()}…` : name,
  );

/** @param {number} room */
const squeezed = (room) => (/** @type {SVGTextElement} */ text) => {
  text.removeAttribute("textLength");
  if (text.getComputedTextLength() > room) text.setAttribute("textLength", String(room));
};

/** A mark as a picture among words. @param {string} seat */
export const badge = (seat) =>
  h(
    "svg",
    { class: `badge seat-${colourOf(seat)}`, viewBox: "-1.2 -1.2 2.4 2.4", "aria-hidden": "true" },
    mark(seat, [0, 0], 1),
  );

/** A playing piece around 0, 0: a pebble with its seat's mark. @param {string} seat @param {number} radius */
export const pebble = (seat, radius) => [
  h("circle", { class: "pebble-shade", r: radius, cy: radius * 0.12 }),
  h("circle", { class: "pebble", r: radius }),
  h("path", {
    class: "pebble-light",
    d: `M${-radius * 0.66} ${-radius * 0.36}A${radius * 0.76} ${radius * 0.76} 0 0 1 ${radius * 0.1} ${-radius * 0.75}`,
  }),
  mark(seat, [0, 0], radius * 0.5, "on"),
];

/** A stick in its post, seen from above and a little from the side. */
export const stick = () => [
  h("ellipse", { class: "pebble-shade", cx: 2.5, cy: 3.5, rx: 9, ry: 5 }),
  h("path", { class: "stick", d: "M-3.6 3.2L3.4-11.8A3 3 0 0 1 8.9-9.3L2 5.6A3 3 0 0 1-3.6 3.2Z" }),
];

const PIPS = /** @type {[number, number][][]} */ ([
  [],
  [[0, 0]],
  [[-1, -1], [1, 1]],
  [[-1, -1], [0, 0], [1, 1]],
  [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
]);

/** The upper face of a die around 0, 0. @param {number} value */
export const face = (value) => [
  h("rect", { class: "side", x: -12, y: -12, width: 24, height: 24, rx: 4 }),
  PIPS[value].map(([px, py]) => h("circle", { class: "pip", cx: px * 6.2, cy: py * 6.2, r: 2.3 })),
];

const FIVE = 5;
const TEN = 10;

/**
 * Stakes one can count: rows of ten, parted in fives.
 * @param {number} count @param {Point} at middle of the first bead @param {number} step distance between two beads
 */
export function beads(count, [x, y], step) {
  return Array.from({ length: count }, (_, i) => {
    const column = i % TEN;
    const cx = x + column * step + (column >= FIVE ? step * 0.55 : 0);
    const cy = y + Math.floor(i / TEN) * step;
    return h(
      "g",
      { class: "bead", key: `bead${i}`, transform: `translate(${cx} ${cy})` },
      h("circle", { r: step * 0.42 }),
      h("circle", { class: "hole", r: step * 0.13 }),
    );
  });
}
