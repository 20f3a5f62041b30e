/** What a player has, drawn in the quarter of the board beside his arm: purse, reserve and pieces at home. */

import { quarter, shelf } from "./geometry.js";
import { h } from "./h.js";
import { beads, mark, nameplate, pebble } from "./marks.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Player} Player */

const LONGEST_NAME = 12;
const PIECE_MM = 6.2;
const SLOT_MM = 14.6;

/** @param {Page} page @param {Player} player */
export function seat(page, player) {
  const { state, layout, words } = page;
  const [x, y] = quarter(layout, player.seat);
  const name = words.who(player.seat);
  const standing = Object.values(state.pieces).flat().filter((owner) => String(owner) === player.seat).length;
  const all = player.reserve + (player.home ?? 0) + standing;
  return h(
    "g",
    group(page, player),
    h("rect", { class: "plate", x, y, width: 140, height: 27, rx: 3 }),
    mark(player.seat, [x + 14, y + 13.6], 7.6),
    nameplate(name, [x + 28, y + 19], LONGEST_NAME, 140 - 28 - 4),
    player.out
      ? h("text", { class: "small", x: x + 4, y: y + 44 }, words.say("ui.out"))
      : player.stakes === null
      ? null
      : [
        h("g", { class: "purse", "data-purse": player.seat }, beads(player.stakes, [x + 7, y + 41], 9.4)),
        h("text", { class: "figure", x: x + 138, y: y + 48, "text-anchor": "end" }, player.stakes),
      ],
    row(page, player, "reserve", player.reserve, all),
    row(page, player, "home", player.home ?? 0, all),
  );
}

/** @param {Page} page @param {Player} player @param {"reserve" | "home"} which @param {number} count @param {number} all */
function row({ state, layout, words }, player, which, count, all) {
  const [middle, y] = shelf(layout, state.seats, player.seat, which);
  const [x] = quarter(layout, player.seat);
  const called = state.turn === player.seat &&
    state.legal.some((legal) => (which === "reserve" ? legal.from : legal.to) === which);
  const glowing = called ? (which === "reserve" ? count - 1 : count) : -1;
  const first = middle - (5 * SLOT_MM) / 2;
  return h(
    "g",
    { class: `shelf ${which}`, "data-shelf": `${which}${player.seat}` },
    h("text", { class: "small", x: x + 3, y: y + 4 }, words.say(`ui.${which}`)),
    Array.from({ length: all }, (_, i) =>
      h(
        "g",
        { key: `slot${i}`, transform: `translate(${first + i * SLOT_MM} ${y})` },
        h("circle", { class: "slot", r: PIECE_MM - 0.8 }),
        i < count ? pebble(player.seat, PIECE_MM) : null,
        i === glowing ? h("circle", { class: "lift", r: PIECE_MM + 1.4 }) : null,
      )),
  );
}

/** What a player's group begins with, wherever it is drawn. @param {Page} page @param {Player} player @param {string} [looks] */
export function group(page, player, looks = "seat") {
  const { turn, phase, winner } = page.state;
  const { seat, out } = player;
  const bright = (turn === seat && phase !== "over") || winner === seat;
  return {
    key: `seat${seat}`,
    role: "group",
    "data-seat": seat,
    "aria-label": spoken(page, player),
    class: `${looks} seat-${colourOf(seat)}${bright ? " turn" : ""}${out ? " out" : ""}`,
  };
}

/** Everything a player has, as a sentence. @param {Page} page @param {Player} player */
function spoken({ words }, player) {
  const parts = [player.name ? `${player.name} (${words.seat(player.seat)})` : words.seat(player.seat)];
  if (player.out) parts.push(words.say("ui.out"));
  if (player.stakes !== null) parts.push(words.say("ui.stakes", { n: player.stakes }));
  parts.push(`${words.say("ui.reserve")}: ${player.reserve}`);
  if (player.home !== null) parts.push(`${words.say("ui.home")}: ${player.home}`);
  return parts.join(", ");
}
