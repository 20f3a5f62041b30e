/** Entering a throw or a move by hand. The board stays in sight: a glowing cell can be tapped. */

import { h } from "./h.js";
import { face } from "./marks.js";
import { made, reading } from "./throw.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {"throw" | "recast"} Type the next throw, or what the latest one should have been */

const FACES = [1, 2, 3, 4, 5, 6];

/** @param {Page} page */
export function hand(page) {
  const { state, words, acts } = page;
  const over = state.phase === "over" || state.phase === "setup";
  return h(
    "section",
    { class: "hand", "aria-labelledby": "hand-title" },
    h(
      "header",
      null,
      h("h2", { id: "hand-title" }, words.say("ui.by_hand")),
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => acts.set({ hand: false, tapped: null }) },
        words.say("ui.close"),
      ),
    ),
    over
      ? h("p", null, words.say("ui.nothing_to_enter"))
      : state.paused
      ? h("p", null, words.say("rule.paused"))
      : state.phase === "move"
      ? moves(page)
      : thrown(page, "throw", words.say(question(page), { n: state.needs.dice })),
    state.throw && !state.paused ? correction(page, state.throw) : null,
  );
}

/**
 * What takes back a throw, and all that followed from it, is folded away and named as that.
 * @param {Page} page @param {import("./types.js").Throw} latest
 */
const correction = (page, latest) =>
  h(
    "details",
    { key: latest.id },
    h("summary", null, page.words.say("ui.correct")),
    thrown(page, "recast", page.words.say("ui.correct_how", { was: reading(page.state, page.words) })),
  );

/** @param {Page} page */
function moves({ state, words, acts }) {
  return [
    h("p", null, words.say("ui.tap_cell")),
    h(
      "div",
      { class: "row moves" },
      state.legal.map((legal) =>
        h("button", {
          key: legal.move,
          type: "button",
          "data-book": legal.move,
          onclick: () => acts.command({ type: "move", move: legal.move }),
        }, words.move(legal.move))
      ),
    ),
  ];
}

/** What the game throws with decides what can be tapped. @param {Page} page @param {Type} type @param {string} asked */
export function thrown(page, type, asked) {
  const { state, acts } = page;
  /** @param {Record<string, unknown>} value */
  const book = (value) =>
    acts.command(type === "throw" ? { type, ...value } : { type, throw: state.throw?.id, ...value });
  return [
    h("p", null, asked),
    state.needs.dice ? dice(page, type, asked, book) : marks(page, type, asked, book),
  ];
}

/** @param {Page} page */
const question = ({ state: { needs } }) =>
  !needs.dice ? "ui.how_many" : needs.dice > 1 ? "ui.dice_show" : "ui.die_shows";

/** One tap tells how many marks are up. @param {Page} page @param {Type} type @param {string} asked @param {(value: Record<string, unknown>) => void} book */
const marks = ({ state: { needs: { beans }, doubtful }, words }, type, asked, book) =>
  h(
    "div",
    { class: "row marks", role: "group", "aria-label": asked, "data-type": type, style: `--choices:${beans + 1}` },
    Array.from({ length: beans + 1 }, (_, count) =>
      h(
        "button",
        {
          key: count,
          type: "button",
          "data-marks": count,
          "aria-current": type === "throw" && doubtful?.marked === count ? "true" : null,
          "aria-label": words.say(type === "recast" ? "ui.correct_to" : "ui.marks_up", { n: count }),
          onclick: () => book({ marks: count }),
        },
        h("span", { class: "figure" }, count),
        h(
          "span",
          { class: "dots", "aria-hidden": "true" },
          Array.from({ length: beans }, (_, i) => h("i", i < count ? { class: "up" } : null)),
        ),
      )),
  );

/** One tap a die, the last one books; one tap alone where what was made out is right. @param {Page} page @param {Type} type @param {string} asked @param {(value: Record<string, unknown>) => void} book */
function dice({ state: { needs, doubtful }, own, words, acts }, type, asked, book) {
  const tapped = own.tapped?.type === type ? own.tapped.dice : [];
  const taken = type === "throw" && doubtful && made(doubtful) ? doubtful.dice_values : [];
  /** @param {number} value */
  const tap = (value) => {
    const all = [...tapped, value];
    if (all.length === needs.dice) book({ dice: all });
    else acts.set({ tapped: { type, dice: all } });
  };
  return h(
    "div",
    { "data-type": type },
    h(
      "div",
      { class: "row marks faces", role: "group", "aria-label": asked },
      FACES.map((value) =>
        h(
          "button",
          {
            key: value,
            type: "button",
            "data-die": value,
            "aria-current": needs.dice === 1 && taken[0] === value ? "true" : null,
            "aria-label": type === "recast" ? words.say("ui.correct_to", { n: value }) : String(value),
            onclick: () => tap(value),
          },
          drawn(value),
        )
      ),
    ),
    needs.dice > 1 && (tapped.length || type === "throw") ? h(
      "div",
      { class: "row tapped", role: "group", "aria-label": words.say("ui.dice_tapped") },
      taken.length && !tapped.length
        ? h(
          "button",
          {
            key: "taken",
            type: "button",
            "data-taken": taken.join(","),
            "aria-current": "true",
            "aria-label": taken.join(" + "),
            onclick: () => book({ dice: taken }),
          },
          taken.map(drawn),
        )
        : Array.from({ length: needs.dice }, (_, i) =>
          i < tapped.length
            ? h(
              "button",
              {
                key: `tapped${i}`,
                type: "button",
                "data-tapped": tapped[i],
                "aria-label": words.say("ui.take_off", { n: tapped[i] }),
                onclick: () => acts.set({ tapped: { type, dice: tapped.filter((_, other) => other !== i) } }),
              },
              drawn(tapped[i]),
            )
            : h("span", { key: `slot${i}`, class: "slot-die" })),
    ) : null,
  );
}

/** @param {number} value */
const drawn = (value) => h("svg", { class: "die face", viewBox: "-14 -14 28 28", "aria-hidden": "true" }, face(value));
