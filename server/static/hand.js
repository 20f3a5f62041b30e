/** Entering a throw or a move by hand. The board stays in sight: a glowing cell can be tapped. */

import { place } from "./board.js";
import { h } from "./h.js";

/** @typedef {import("./types.js").Page} Page */

/** @param {Page} page */
export function hand(page) {
  const { state, words, acts } = page;
  return h(
    "section",
    { class: "hand", "aria-labelledby": "hand-title" },
    h(
      "header",
      null,
      h("h2", { id: "hand-title" }, words.say("ui.by_hand")),
      h("button", { type: "button", class: "quiet", onclick: () => acts.set({ hand: false }) }, words.say("ui.close")),
    ),
    state.phase === "move" ? moves(page) : null,
    state.phase === "over" || state.phase === "setup"
      ? h("p", null, words.say("ui.nothing_to_enter"))
      : state.phase === "move"
      ? null
      : marks(page, "throw"),
    state.throw ? marks(page, "recast") : null,
  );
}

/** @param {Page} page */
function moves({ state, words, acts }) {
  return [
    h("p", null, words.say("ui.tap_cell")),
    h(
      "div",
      { class: "row moves" },
      state.legal.map(({ move, from, to }) =>
        h("button", {
          key: move,
          type: "button",
          "data-book": move,
          onclick: () => acts.command({ type: "move", move }),
        }, `${place(words, from)} → ${place(words, to)}`)
      ),
    ),
  ];
}

/** The next throw, or what the latest one should have been. @param {Page} page @param {"throw" | "recast"} type */
function marks({ state, words, acts }, type) {
  const asked = words.say(type === "throw" ? "ui.how_many" : "ui.throw_was");
  return [
    h("p", null, asked),
    h(
      "div",
      { class: "row marks", role: "group", "aria-label": asked, "data-type": type },
      [0, 1, 2, 3, 4, 5].map((count) =>
        h(
          "button",
          {
            key: count,
            type: "button",
            "data-marks": count,
            "aria-label": words.say("ui.marks_up", { n: count }),
            onclick: () => acts.command(type === "throw" ? { type, marks: count } : { type, throw: state.throw?.id, marks: count }),
          },
          h("span", { class: "figure" }, count),
          h(
            "span",
            { class: "dots", "aria-hidden": "true" },
            Array.from({ length: 5 }, (_, i) => h("i", i < count ? { class: "up" } : null)),
          ),
        )
      ),
    ),
  ];
}
