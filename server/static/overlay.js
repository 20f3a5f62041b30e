/** The caption for a stream: turn, throw and stakes. */

import { h, render } from "./h.js";
import { Live } from "./live.js";
import { badge } from "./marks.js";
import { reading } from "./throw.js";
import { colourOf, firstLanguage, Words } from "./words.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const words = await Words.load(firstLanguage());
document.documentElement.dataset.theme = "light";

new Live(
  (state) => {
    words.game = state.game;
    render(state.seats.length ? [caption(state)] : [], root);
  },
  () => {},
);

/** @param {Snapshot} state */
function caption(state) {
  const { turn, throw: thrown, pot } = state;
  const name = state.seats.find((player) => player.seat === turn)?.name;
  return h(
    "main",
    { class: "caption" },
    turn
      ? h("p", { class: `whose seat-${colourOf(turn)}`, "data-turn": turn }, badge(turn), name || words.seat(turn))
      : null,
    thrown ? h("p", { class: "throw" }, h("span", { class: "figure" }, thrown.steps), reading(state, words)) : null,
    pot === null ? null : h(
      "p",
      { class: "stakes" },
      state.seats.filter((player) => !player.out).map(({ seat, stakes }) =>
        h(
          "span",
          { key: seat, class: `purse seat-${colourOf(seat)}`, "data-purse": seat },
          badge(seat),
          h("b", null, stakes),
        )
      ),
      h("span", { class: "purse", "data-purse": "pot" }, words.say("ui.pot"), h("b", null, pot)),
    ),
  );
}
