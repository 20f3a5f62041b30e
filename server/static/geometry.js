/** Where things are on the board, millimetres from the top left of the sheet. */

/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Point} Point */

const QUARTER_MM = 140;
const INSET_MM = 3;

/** Around the cross, so that its painted border and the lights fit. */
export const MARGIN_MM = 9;

/** @param {Layout} layout */
export const frame = ({ field: [x, y, width, height] }) =>
  [x - MARGIN_MM, y - MARGIN_MM, width + 2 * MARGIN_MM, height + 2 * MARGIN_MM].join(" ");

/** @param {Point[]} outline */
export const polygon = (outline) => outline.map((point) => point.join(",")).join(" ");

/** @param {Layout} layout @param {string} name @returns {Point | null} */
export const centre = (layout, name) => layout.cells.find((cell) => cell.name === name)?.centre ?? null;

/**
 * The top left corner of the quarter beside a seat's start cell, where that player keeps what is his.
 * @param {Layout} layout
 * @param {string} seat
 * @returns {Point}
 */
export function quarter({ field: [x, y, width, height], cells }, seat) {
  const start = cells.find((cell) => cell.kind === "start" && String(cell.seat) === seat)?.centre ??
    [x + width, y + height];
  const right = x + width - QUARTER_MM - INSET_MM;
  const bottom = y + height - QUARTER_MM - INSET_MM;
  return [start[0] < x + width / 2 ? x + INSET_MM : right, start[1] < y + height / 2 ? y + INSET_MM : bottom];
}

/**
 * Where a seat's pieces wait or rest: the middle of the row in its quarter.
 * @param {Layout} layout @param {string} seat @param {"reserve" | "home"} which @returns {Point}
 */
export function shelf(layout, seat, which) {
  const [x, y] = quarter(layout, seat);
  return [x + 97.5, y + (which === "reserve" ? 102 : 126)];
}

/**
 * The way of a piece along the track, both ends included; straight where the board has no such track.
 * @param {Layout} layout @param {string} seat @param {string} from @param {string} to
 * @returns {Point[]}
 */
export function way(layout, seat, from, to) {
  const start = centre(layout, from) ?? shelf(layout, seat, "reserve");
  const end = centre(layout, to) ?? shelf(layout, seat, "home");
  const names = layout.cells.map((cell) => cell.name);
  const [first, last] = [names.indexOf(from), names.indexOf(to)];
  if (first < 0) return last < 0 ? [start, end] : [start, ...entry(layout, seat, last), end];
  if (last < 0) return [start, end];
  const steps = (last - first + names.length) % names.length;
  const cells = Array.from({ length: steps + 1 }, (_, step) => layout.cells[(first + step) % names.length].centre);
  const joined = cells.every((point, i) => i === 0 || distance(point, cells[i - 1]) < 40);
  return joined && steps <= 12 ? cells : [start, end];
}

/** The cells walked through when a piece enters beyond its start. @param {Layout} layout @param {string} seat @param {number} last @returns {Point[]} */
function entry(layout, seat, last) {
  const first = layout.cells.findIndex((cell) => cell.kind === "start" && String(cell.seat) === seat);
  return first < 0 || last < first ? [] : layout.cells.slice(first, last).map((cell) => cell.centre);
}

/**
 * Where the light beside a cell sits: on that side of it that is farthest from every other cell.
 * @param {Layout} layout @param {Point} at @returns {Point}
 */
export function light(layout, at) {
  const others = layout.cells.map((cell) => cell.centre).filter((other) => distance(other, at) > 0.1);
  const around = Array.from({ length: 8 }, (_, i) => {
    const angle = (i * Math.PI) / 4;
    const reach = i % 2 ? 24 : 19;
    return /** @type {Point} */ ([at[0] + reach * Math.cos(angle), at[1] + reach * Math.sin(angle)]);
  });
  const room = around.map((point) => Math.min(...others.map((other) => distance(other, point))));
  return around[room.indexOf(Math.max(...room))];
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
