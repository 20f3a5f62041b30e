/** What is printed on the board, under everything that stands and glows on it. */

import { distance, hasTrack, isChessboard, isFilled, polygon, quarter, scale, track } from "./geometry.js";
import { h } from "./h.js";
import { mark } from "./marks.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").CellPlace} CellPlace */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Point} Point */

const PETAL = "M0-8C-9-17-19-28-15-37C-12-43-4-43 0-39C4-43 12-43 15-37C19-28 9-17 0-8Z";
const SEED = "M0-15C-7-24-8-32 0-33C8-32 7-24 0-15Z";
const BORDERS = ["outer", "band", "inner"];

/** The light on the paper: even by day, falling off from the middle under the lamp. @param {Layout} layout */
export const defs = ({ field: [x, y, width, height] }) =>
  h(
    "defs",
    null,
    h(
      "radialGradient",
      { id: "leaf", gradientUnits: "userSpaceOnUse", cx: x + width / 2, cy: y + height / 2, r: width * 0.52 },
      h("stop", { class: "leaf-near", offset: "0.2" }),
      h("stop", { class: "leaf-far", offset: "1" }),
    ),
  );

/** @type {{layout: Layout | null, drawn: import("./h.js").Node | null}} The ground never changes: described once. */
const printed = { layout: null, drawn: null };

/** @param {Layout} layout */
export function ground(layout) {
  if (printed.layout !== layout || !printed.drawn) {
    printed.layout = layout;
    printed.drawn = h(
      "g",
      { class: "ground", "aria-hidden": "true" },
      hasTrack(layout) ? null : mat(layout),
      BORDERS.map((name) =>
        h("g", { class: `border ${name}` }, layout.cells.map((cell) => h("polygon", { points: polygon(cell.outline) })))
      ),
      layout.cells.map((cell) =>
        h(
          "g",
          { class: `cell ${cell.kind}${isChessboard(layout) ? ` ${square(cell, layout)}` : ""}` },
          h("polygon", { class: "field", points: polygon(cell.outline) }),
          (isChessboard(layout) ? squareOrnament : hasTrack(layout) ? ornament : postOrnament)(cell, layout),
        )
      ),
      isChessboard(layout) ? ways(layout) : null,
    );
  }
  return printed.drawn;
}

/** What lies under the posts of a board that is more hole than cell. @param {Layout} layout */
const mat = ({ field: [x, y, width, height] }) =>
  h("rect", { class: "mat-ground", x: x - 3, y: y - 3, width: width + 6, height: height + 6, rx: 4 });

/** Dark or light, and whether anybody ever stands there. @param {CellPlace} cell @param {Layout} layout */
function square({ centre: [x, y], led, seat }, layout) {
  const size = scale(layout) * 26;
  const dark = Math.round((x - layout.field[0] - y + layout.field[1]) / size) % 2 !== 0;
  return `${dark ? "dark" : "bright"}${led == null && seat === null ? " idle" : ""}`;
}

/** A chessboard's square: its name, and whose start or home it is. @param {CellPlace} cell @param {Layout} layout */
function squareOrnament({ kind, centre: at, seat: owner, name, led }, layout) {
  if (led == null && owner === null) return null;
  const edge = 13 * scale(layout);
  const own = owner === null ? null : h(
    "g",
    { class: `${kind === "start" ? "start" : "home"} seat-${colourOf(String(owner))}` },
    kind === "start" ? null : h("polygon", { points: polygon(corners(at, edge - 0.4)) }),
    mark(String(owner), at, kind === "start" ? 10 : 7),
  );
  // Where the way home comes in through the upper left corner, the name stands at the right.
  const [left, top, width, height] = layout.field;
  const right = owner !== null && kind !== "start" && (at[0] - left - width / 2) * (at[1] - top - height / 2) > 0;
  return [own, numeral(name, at[0] + (right ? 1 : -1) * (edge - 5.6), at[1] - edge + 6.6)];
}

/** A post's socket with its number towards the middle, or the hole. @param {CellPlace} cell @param {Layout} layout */
function postOrnament({ kind, centre: [x, y], name }, { field: [left, top, width, height] }) {
  if (kind === "centre") return h("circle", { class: "socket", cx: x, cy: y, r: 24 });
  const [dx, dy] = [left + width / 2 - x, top + height / 2 - y];
  const inwards = 29 / Math.hypot(dx, dy);
  return [
    h("circle", { class: "socket", cx: x, cy: y, r: 6 }),
    h("text", { class: "post", x: x + dx * inwards, y: y + dy * inwards + 4.6 }, name),
  ];
}

/** @param {Point} at @param {number} half @returns {Point[]} */
const corners = ([x, y], half) =>
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => /** @type {Point} */ ([x + dx * half, y + dy * half]));

/** The way round, with arrow heads in the middle of each side, and each seat's way home. @param {Layout} layout */
function ways(layout) {
  const round = track(layout, "1").filter((cell) => cell.kind !== "centre").map((cell) => cell.centre);
  const heads = round.flatMap((point, i) => {
    const next = round[(i + 1) % round.length];
    const [dx, dy] = [next[0] - point[0], next[1] - point[1]];
    if (i % 6 !== 2) return [];
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
    const middle = `translate(${point[0] + dx / 2} ${point[1] + dy / 2}) rotate(${turn})`;
    return [h("path", { class: "head", d: "M-3.5-4L3.5 0L-3.5 4Z", transform: middle })];
  });
  const homes = ["1", "2", "3", "4"].map((seat) => {
    const walked = track(layout, seat).map((cell) => cell.centre);
    return h("polyline", { class: `homeward seat-${colourOf(seat)}`, points: polygon(walked.slice(-5)) });
  });
  return h("g", { class: "ways" }, h("polygon", { class: "round", points: polygon(round) }), homes, heads);
}

/** What is painted in a cell, as on the printed board. @param {CellPlace} cell @param {Layout} layout */
function ornament({ kind, centre: at, seat: owner, name, outline }, layout) {
  const [x, y] = at;
  if (kind === "centre") {
    return [
      h("path", { class: "ink-blue", d: diamond(at, 13) }),
      h("path", { class: "hollow", d: diamond(at, 8) }),
      numeral(name, x, y + 2.1),
    ];
  }
  if (kind === "tip") return [...sun(outline, layout), numeral(name, x, y + 2.1)];
  const parts = [];
  if (kind === "triangle") parts.push(h("path", { class: "ink-ochre", d: triangles(at, layout) }));
  if (kind === "start" && owner !== null) {
    parts.push(h("g", { class: `start seat-${colourOf(String(owner))}` }, mark(String(owner), at, 7)));
  }
  return [...parts, numeral(name, x - 8.6, y - 7.2)];
}

/** @param {string} name @param {number} x @param {number} y */
const numeral = (name, x, y) => h("text", { class: "numeral", x, y }, name);

/** @param {Point} at @param {number} reach */
const diamond = ([x, y], reach) => `M${x} ${y - reach}L${x + reach} ${y}L${x} ${y + reach}L${x - reach} ${y}Z`;

/** Two triangles that point at each other along the way. @param {Point} at @param {Layout} layout */
function triangles([x, y], { field: [left, top, width, height] }) {
  const upright = Math.abs(y - top - height / 2) > Math.abs(x - left - width / 2);
  /** @param {number} along @param {number} across */
  const corner = (along, across) => (upright ? `${x + along} ${y + across}` : `${x + across} ${y + along}`);
  return [-1, 1].map((side) => `M${corner(-6.5, 13 * side)}L${corner(6.5, 13 * side)}L${corner(0, 3.2 * side)}Z`).join(
    "",
  );
}

/** A rayed rim; the two tips of an arm make half a sun. @param {Point[]} outline @param {Layout} layout */
function sun(outline, { field: [left, top, width, height] }) {
  const middle = /** @type {Point} */ ([left + width / 2, top + height / 2]);
  const root = outline.reduce((best, point) => (distance(point, middle) < distance(best, middle) ? point : best));
  const inner = outline.map(([x, y]) => [root[0] + (x - root[0]) * 0.82, root[1] + (y - root[1]) * 0.82]);
  const rays = outline.map((point, i) => `M${point}L${inner[i]}`).join("");
  return [
    h("polygon", { class: "pale", points: polygon(/** @type {Point[]} */ (inner)) }),
    h("path", { class: "line", d: rays }),
  ];
}

/** A flower of five petals in each quarter that nobody uses, as on the printed board. @param {Page} page */
export function flowers({ state, layout }) {
  if (isFilled(layout)) return [];
  const free = ["1", "2", "3", "4"].filter((each) => !state.seats.some((player) => player.seat === each));
  return free.map((each) => {
    const [x, y] = quarter(layout, each);
    return h(
      "g",
      { key: `flower${each}`, class: "free", "aria-hidden": "true", transform: `translate(${x + 70} ${y + 70})` },
      h("circle", { class: "ring", r: 49 }),
      h("circle", { class: "ring", r: 47 }),
      [0, 72, 144, 216, 288].map((turn) =>
        h(
          "g",
          { transform: `rotate(${turn})` },
          h("path", { class: "petal", d: PETAL }),
          h("path", { class: "seed", d: SEED }),
        )
      ),
      h("circle", { class: "sepal", r: 11 }),
      h("circle", { class: "eye", r: 6.5 }),
    );
  });
}
