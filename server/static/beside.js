/** What a player has, on a plate above or below a board that fills its field. */

import { plate, PLATE_MM } from "./geometry.js";
import { h } from "./h.js";
import { beads, mark, nameplate, pebble } from "./marks.js";
import { group } from "./seats.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Player} Player */

const LETTER_MM = 7.9;
const NARROW_LETTER_MM = 6.6;
const PIECE_MM = 5.6;
const SLOT_MM = 13;
const FEW = 4;
const COUNT_MM = 32;
const TALLY_MM = 48;
/** From this width on a plate has room for more than a few letters and a number. */
const WIDE_MM = 140;

/** @param {Page} page @param {Player} player */
export function beside(page, player) {
  const { state, layout, words } = page;
  const { x, y, width } = plate(layout, state.seats, player.seat);
  const parts = player.out ? [] : belongings(page, player, width);
  const room = width - parts.reduce((sum, part) => sum + part.width, 0);
  const narrow = width < WIDE_MM;
  const [marked, named] = narrow ? [10, 20] : [13, 25];
  const lettered = room - named - 4;
  const letters = Math.floor(lettered / (narrow ? NARROW_LETTER_MM : LETTER_MM));
  const name = player.out ? `${words.who(player.seat)} · ${words.say("ui.out")}` : words.who(player.seat);
  let left = x + room;
  return h(
    "g",
    group(page, player, narrow ? "seat beside narrow" : "seat beside"),
    h("rect", { class: "plate", x, y, width: room, height: PLATE_MM, rx: 3 }),
    mark(player.seat, [x + marked, y + PLATE_MM / 2], 7.4),
    nameplate(name, [x + named, y + PLATE_MM / 2 + 4.8], letters, lettered),
    parts.map(({ width, drawn }) => {
      const at = left;
      left += width;
      return h("g", { transform: `translate(${at} ${y + PLATE_MM / 2})` }, drawn);
    }),
  );
}

/** @typedef {{width: number, drawn: any}} Part */

/** From left to right, each with its width. @param {Page} page @param {Player} player @param {number} width @returns {Part[]} */
function belongings({ state, words }, player, width) {
  if (words.game === "batok") return sticks(player, width);
  const standing = Object.values(state.pieces).flat().filter((owner) => String(owner) === player.seat).length;
  const all = player.reserve + (player.home ?? 0) + standing;
  const called = state.turn === player.seat && state.legal.some(({ from }) => from === "reserve");
  const purse = player.stakes === null ? [] : [counted(
    h("g", { "data-purse": player.seat }, beads(1, [9, 0], 13)),
    player.stakes,
  )];
  const home = player.home === null ? [] : [counted(house(), player.home, "home", player.seat)];
  const { seat, reserve } = player;
  const waiting = all <= FEW
    ? row(player, all, called)
    : counted(pebble(seat, PIECE_MM), reserve, "reserve", seat, called);
  return [...purse, waiting, ...home];
}

/** The pieces in the reserve, in as many slots as there are pieces. @param {Player} player @param {number} all @param {boolean} called @returns {Part} */
const row = ({ seat, reserve }, all, called) => ({
  width: all * SLOT_MM + 4,
  drawn: h(
    "g",
    { class: "shelf reserve", "data-shelf": `reserve${seat}` },
    Array.from({ length: all }, (_, i) =>
      h(
        "g",
        { key: `slot${i}`, transform: `translate(${4 + (i + 0.5) * SLOT_MM} 0)` },
        h("circle", { class: "slot", r: PIECE_MM - 0.8 }),
        i < reserve ? pebble(seat, PIECE_MM) : null,
        called && i === reserve - 1 ? h("circle", { class: "lift", r: PIECE_MM + 1 }) : null,
      )),
  ),
});

/**
 * A sign and how many there are.
 * @param {any} sign @param {number} count @param {string} [shelf] @param {string} [seat] @param {boolean} [called] @returns {Part}
 */
const counted = (sign, count, shelf, seat, called = false) => ({
  width: COUNT_MM,
  drawn: h(
    "g",
    { class: shelf ? `shelf ${shelf}` : "purse", ...(shelf ? { "data-shelf": `${shelf}${seat}` } : {}) },
    h(
      "g",
      { transform: shelf ? "translate(10 0)" : null },
      sign,
      called ? h("circle", { class: "lift", r: PIECE_MM + 1 }) : null,
    ),
    h("text", { class: "count-of", x: 18, y: 5.2 }, count),
  ),
});

const house = () => h("path", { class: "house", d: "M-6 0L0-6L6 0V6H-6Z" });

/** Batok's hand: its number, and the sticks themselves where there is room, in fives. @param {Player} player @param {number} width @returns {Part[]} */
function sticks({ seat, reserve }, width) {
  const tally = Array.from({ length: reserve }, (_, i) => {
    const x = 4 + i * 1.95 + Math.floor(i / 5) * 1.7;
    return h("path", { key: `stick${i}`, class: "tally", d: `M${x} -6.5V6.5` });
  });
  const number = { width: 25, drawn: h("text", { class: "figure", x: 24, y: 7.6, "text-anchor": "end" }, reserve) };
  const shown = { width: TALLY_MM, drawn: h("g", { "data-shelf": `reserve${seat}` }, tally) };
  return width < WIDE_MM ? [number] : [shown, number];
}
