/** The cross as a mesh of corners, and the handles that move them. Numbers of nodes are cells from the middle. */

/** @typedef {import("./plane.js").Point} Point */
/** @typedef {Map<string, Point>} Mesh shares of the board, by "x,y" */
/** @typedef {{key: string, kind: "middle" | "width" | "row" | "lean", at: Point, name: [string, Record<string, any>],
 *   move: (by: Point) => Mesh}} Handle */

const ROWS = 6;
const SIDES = [-1, 0, 1];
const ARMS = /** @type {[string, Point][]} */ ([["north", [0, -1]], ["east", [1, 0]], ["south", [0, 1]], ["west", [-1, 0]]]);
const OUTSIDE = 0.55;

/** @param {number} x @param {number} y */
const key = (x, y) => `${x},${y}`;

/** The node of an arm: row 0 at the centre block, 6 at the tip. @param {Point} way @param {number} row @param {number} side */
const along = ([x, y], row, side) => key(x * (row + 1) + Math.abs(y) * side, y * (row + 1) + Math.abs(x) * side);

/** @param {Point[]} names @param {Point[]} places @returns {Mesh} */
export const mesh = (names, places) => new Map(names.map(([x, y], i) => [key(x, y), places[i]]));

/** A cross to begin with where none was found. @param {Point[]} names */
export const standard = (names) => mesh(names, names.map(([x, y]) => /** @type {Point} */ ([0.5 + x / 16, 0.5 + y / 16])));

/** @param {Mesh} nodes @param {(at: Point, x: number, y: number) => Point} change @returns {Mesh} */
function changed(nodes, change) {
  return new Map([...nodes].map(([name, at]) => {
    const [x, y] = name.split(",").map(Number);
    return [name, change(at, x, y)];
  }));
}

/**
 * The lines to draw, as paths of shares of the board; round tips are arcs.
 * @param {Mesh} nodes @param {boolean} round @returns {Point[][]}
 */
export function lines(nodes, round) {
  const at = (/** @type {string} */ name) => /** @type {Point} */ (nodes.get(name));
  const found = [];
  for (const [, way] of ARMS) {
    const last = round ? ROWS - 1 : ROWS;
    for (const side of SIDES) {
      const end = side === 0 ? ROWS : last;
      found.push(Array.from({ length: end + 1 }, (_, row) => at(along(way, row, side))));
    }
    for (let row = 0; row <= last; row++) found.push(SIDES.map((side) => at(along(way, row, side))));
    if (round) found.push(arc(at, way));
  }
  for (const side of SIDES) found.push(SIDES.map((x) => at(key(x, side))), SIDES.map((y) => at(key(side, y))));
  return found;
}

/** Half an ellipse over the last row. @param {(name: string) => Point} at @param {Point} way @returns {Point[]} */
function arc(at, way) {
  const middle = at(along(way, ROWS - 1, 0));
  const tip = at(along(way, ROWS, 0));
  return Array.from({ length: 17 }, (_, i) => {
    const turn = (i / 16) * Math.PI;
    const end = at(along(way, ROWS - 1, turn < Math.PI / 2 ? -1 : 1));
    const [u, v] = [Math.abs(Math.cos(turn)), Math.sin(turn)];
    return [0, 1].map((k) => middle[k] + u * (end[k] - middle[k]) + v * (tip[k] - middle[k]));
  }).map((point) => /** @type {Point} */ (point));
}

/** Everything that can be taken hold of. @param {Mesh} nodes @returns {Handle[]} */
export function handles(nodes) {
  const at = (/** @type {string} */ name) => /** @type {Point} */ (nodes.get(name));
  /** @type {Handle[]} */
  const found = [{
    key: "middle",
    kind: "middle",
    at: at("0,0"),
    name: ["calibrate.whole", {}],
    move: ([dx, dy]) => changed(nodes, ([x, y]) => [x + dx, y + dy]),
  }];
  for (const [arm, way] of ARMS) {
    found.push(width(nodes, arm, way, at));
    for (let row = 1; row <= ROWS; row++) found.push(rowHandle(nodes, arm, way, row, at));
    for (const side of SIDES) found.push(leanHandle(nodes, arm, way, side, at));
  }
  return found;
}

/** An edge of the centre block: one outer line of the two arms that pass it. */
function width(/** @type {Mesh} */ nodes, /** @type {string} */ arm, /** @type {Point} */ way, /** @type {(name: string) => Point} */ at) {
  const axis = way[0] ? 0 : 1;
  return /** @type {Handle} */ ({
    key: `width-${arm}`,
    kind: "width",
    at: at(along(way, 0, 0)),
    name: ["calibrate.width", { arm }],
    // The cells of this side's arm are shoved along with it.
    move: (by) =>
      changed(nodes, (place, x, y) => {
        const reach = axis === 0 ? x * way[0] : y * way[1];
        return reach >= 1 ? shifted(place, axis, by[axis]) : place;
      }),
  });
}

/** A line across an arm; the last one makes all rows of the arm longer or shorter. */
function rowHandle(/** @type {Mesh} */ nodes, /** @type {string} */ arm, /** @type {Point} */ way, /** @type {number} */ row, /** @type {(name: string) => Point} */ at) {
  const axis = way[0] ? 0 : 1;
  return /** @type {Handle} */ ({
    key: `row-${arm}-${row}`,
    kind: "row",
    at: beyond(at(along(way, row, 0)), at(along(way, row, 1))),
    name: [row === ROWS ? "calibrate.length" : "calibrate.row", { arm, row }],
    move: (by) =>
      changed(nodes, (place, x, y) => {
        const here = (axis === 0 ? x * way[0] : y * way[1]) - 1;
        const share = row === ROWS ? Math.max(here, 0) / ROWS : here === row ? 1 : 0;
        return shifted(place, axis, by[axis] * share);
      }),
  });
}

/** The end of a line along an arm: the arm leans. */
function leanHandle(/** @type {Mesh} */ nodes, /** @type {string} */ arm, /** @type {Point} */ way, /** @type {number} */ side, /** @type {(name: string) => Point} */ at) {
  const axis = way[0] ? 1 : 0;
  return /** @type {Handle} */ ({
    key: `lean-${arm}-${side}`,
    kind: "lean",
    at: beyond(at(along(way, ROWS - 1, side)), at(along(way, ROWS, side))),
    name: ["calibrate.lean", { arm }],
    move: (by) =>
      changed(nodes, (place, x, y) => {
        const row = x * way[0] + y * way[1] - 1;
        const mine = (way[0] ? y : x) === side;
        return row > 0 && mine ? shifted(place, axis, (by[axis] * row) / ROWS) : place;
      }),
  });
}

/** @param {Point} from @param {Point} to @returns {Point} */
const beyond = (from, to) => [to[0] + OUTSIDE * (to[0] - from[0]), to[1] + OUTSIDE * (to[1] - from[1])];

/** @param {Point} at @param {number} axis @param {number} by @returns {Point} */
const shifted = ([x, y], axis, by) => axis === 0 ? [x + by, y] : [x, y + by];
