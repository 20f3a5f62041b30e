/** Where things are on the board, millimetres from the top left of the sheet. */

/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Player} Player */
/** @typedef {{x: number, y: number, width: number}} Plate */

const QUARTER_MM = 140;
const INSET_MM = 3;
const SQUARES = 64;
/** A cell of the printed cross, for which pieces, flags and lights are drawn. */
const USUAL_MM = 26;

/** Around the cross, so that its painted border and the lights fit. */
export const MARGIN_MM = 9;
/** How high a plate beside the board is, and how far from the next thing. */
export const PLATE_MM = 27;
const GAP_MM = 5;

/** Whether the board is a chessboard, with squares that nobody walks on. @param {Layout} layout */
export const isChessboard = (layout) => layout.cells.length === SQUARES;

/** Whether pieces walk from cell to cell, rather than sticks stand in posts. @param {Layout} layout */
export const hasTrack = (layout) => layout.cells.some((cell) => cell.kind === "start");

/** Whether cells lie where a cross has its empty quarters: then what players have is drawn beside the board. @param {Layout} layout */
export const isFilled = ({ field: [x, y, width, height], cells }) =>
  cells.some(({ centre: [cx, cy] }) =>
    Math.min(cx - x, x + width - cx) < QUARTER_MM && Math.min(cy - y, y + height - cy) < QUARTER_MM
  );

/** What of the sheet is drawn: the board, its lights and, where there is no room on it, the plates beside it. @param {Layout} layout @returns {[number, number, number, number]} */
export function frame(layout) {
  const [x, y, width, height] = layout.field;
  const beside = MARGIN_MM + (isFilled(layout) ? PLATE_MM + GAP_MM : 0);
  return [x - MARGIN_MM, y - beside, width + 2 * MARGIN_MM, height + 2 * beside];
}

/** How much larger than on the printed cross a cell is, and what stands on it. @param {Layout} layout */
export const scale = ({ cells: [{ outline }] }) => breadth(outline) / USUAL_MM;

/** @param {Point[]} outline */
function breadth(outline) {
  const xs = outline.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs);
}

/** @param {Point[]} outline */
export const polygon = (outline) => outline.map((point) => point.join(",")).join(" ");

/** @param {Layout} layout @param {string} name @returns {Point | null} */
export const centre = (layout, name) => layout.cells.find((cell) => cell.name === name)?.centre ?? null;

/** @param {Layout} layout @param {string} seat @returns {Point | undefined} */
const start = ({ cells }, seat) => cells.find((cell) => cell.kind === "start" && String(cell.seat) === seat)?.centre;

/**
 * The top left corner of the quarter beside a seat's start cell, where that player keeps what is his.
 * @param {Layout} layout
 * @param {string} seat
 * @returns {Point}
 */
export function quarter(layout, seat) {
  const [x, y, width, height] = layout.field;
  const from = start(layout, seat) ?? [x + width, y + height];
  const right = x + width - QUARTER_MM - INSET_MM;
  const bottom = y + height - QUARTER_MM - INSET_MM;
  return [from[0] < x + width / 2 ? x + INSET_MM : right, from[1] < y + height / 2 ? y + INSET_MM : bottom];
}

/**
 * Where a player's plate lies above or below a filled board: beside his start cell, or else the players follow each
 * other with the clock.
 * @param {Layout} layout @param {Player[]} seats @param {string} seat @returns {Plate}
 */
export function plate(layout, seats, seat) {
  const [left, top, whole, height] = frame(layout);
  const from = start(layout, seat);
  const above = Math.ceil(seats.length / 2);
  const index = seats.findIndex((player) => player.seat === seat);
  const columns = from ? 2 : Math.max(2, above);
  const [, fieldTop, , fieldHeight] = layout.field;
  const upper = from ? from[1] < fieldTop + fieldHeight / 2 : index < above;
  const column = from ? Number(from[0] > left + whole / 2) : upper ? index : columns - 1 - (index - above);
  const width = (whole - GAP_MM * (columns - 1)) / columns;
  return { x: left + column * (width + GAP_MM), y: upper ? top + 1 : top + height - PLATE_MM - 1, width };
}

/**
 * Where a seat's pieces wait or rest.
 * @param {Layout} layout @param {Player[]} seats @param {string} seat @param {"reserve" | "home"} which @returns {Point}
 */
export function shelf(layout, seats, seat, which) {
  if (isFilled(layout)) {
    const { x, y, width } = plate(layout, seats, seat);
    return [x + width - 30, y + PLATE_MM / 2];
  }
  const [x, y] = quarter(layout, seat);
  return [x + 97.5, y + (which === "reserve" ? 102 : 126)];
}

/**
 * The way of a piece along the track, both ends included; straight where the board has no such track.
 * @param {Layout} layout @param {Player[]} seats @param {string} seat @param {string} from @param {string} to
 * @returns {Point[]}
 */
export function way(layout, seats, seat, from, to) {
  const begins = centre(layout, from) ?? shelf(layout, seats, seat, "reserve");
  const ends = centre(layout, to) ?? shelf(layout, seats, seat, "home");
  const cells = hasTrack(layout) ? track(layout, seat) : [];
  const names = cells.map((cell) => cell.name);
  const [first, last] = [names.indexOf(from), names.indexOf(to)];
  if (first < 0) return last < 0 ? [begins, ends] : [begins, ...cells.slice(0, last).map((cell) => cell.centre), ends];
  if (last < first) return [begins, ends];
  const walked = cells.slice(first, last + 1).map((cell) => cell.centre);
  const step = 1.54 * USUAL_MM * scale(layout);
  const joined = walked.every((point, i) => i === 0 || distance(point, walked[i - 1]) < step);
  return joined && walked.length <= 13 ? walked : [begins, ends];
}

/**
 * The cells as a seat walks them. On the chessboard: the edge without its corners, then the seat's own four to the
 * middle; elsewhere the tour of the board from the seat's start cell.
 * @param {Layout} layout @param {string} seat
 */
export function track(layout, seat) {
  const owned = (/** @type {import("./types.js").CellPlace} */ cell) => String(cell.seat) === seat;
  const chess = isChessboard(layout);
  const round = chess ? layout.cells.filter(({ led, kind }) => led != null && kind !== "centre") : layout.cells;
  const first = Math.max(0, round.findIndex((cell) => cell.kind === "start" && owned(cell)));
  const tour = [...round.slice(first), ...round.slice(0, first)];
  return chess ? [...tour, ...layout.cells.filter((cell) => cell.kind === "centre" && owned(cell))] : tour;
}

/**
 * Where the light beside a cell sits: on that side of it that is farthest from every other cell.
 * @param {Layout} layout @param {import("./types.js").CellPlace} cell @returns {Point}
 */
export function light(layout, { centre: at, outline }) {
  const others = layout.cells.map((cell) => cell.centre).filter((other) => distance(other, at) > 0.1);
  const half = breadth(outline) / 2;
  const around = Array.from({ length: 8 }, (_, i) => {
    const angle = (i * Math.PI) / 4;
    const reach = half + (i % 2 ? 11 : 6);
    return /** @type {Point} */ ([at[0] + reach * Math.cos(angle), at[1] + reach * Math.sin(angle)]);
  });
  const room = around.map((point) => Math.min(...others.map((other) => distance(other, point))));
  return around[room.indexOf(Math.max(...room))];
}

/** @param {Point} a @param {Point} b */
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
