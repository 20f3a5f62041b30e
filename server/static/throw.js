/** The throwing place with the beans or dice as they lie. */

import { h } from "./h.js";
import { badge, face } from "./marks.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Bean} Bean */
/** @typedef {import("./types.js").Die} Die */
/** @typedef {import("./types.js").Doubtful} Doubtful */

const BEAN =
  "M-12.5 1.5C-13-6-6-9.5 1-9C8.5-8.5 13-4.5 12.6 1.2C12.2 6.6 7.6 8.2 3.6 6.4C1.2 5.3-1.4 5.3-3.8 6.6C-8.4 9-12.2 6.4-12.5 1.5Z";
const BEAN_SCALE = 1.3;
const DIE_SCALE = 2;
const SHINE = "M-9.5-1.2C-8-5-3-6.8 2-6.2";
/** @param {Page} page */
export function place({ state, layout, words }) {
  const [, , width, height] = layout.place ?? [0, 0, 152, 276];
  const thrown = state.doubtful ?? state.throw;
  return h(
    "svg",
    {
      class: "place",
      viewBox: `-5 -5 ${width + 10} ${height + 10}`,
      role: "img",
      "aria-label": state.doubtful
        ? words.say("ui.doubtful")
        : thrown
        ? reading(state, words)
        : words.say("ui.place_empty"),
    },
    h("rect", { class: "outer", x: -2.5, y: -2.5, width: width + 5, height: height + 5, rx: 5 }),
    h("rect", { class: "inner", width, height, rx: 3 }),
    corners(width, height),
    (thrown ? beans(thrown, state.needs.beans) : []).map((lies, i) =>
      h(
        "g",
        { key: `bean${thrown?.id}-${i}`, class: `lies bean ${lies.face}`, style: `--turn:${i}` },
        bean(lies, width, height),
      )
    ),
    (thrown ? dice(thrown) : []).map((lies, i) =>
      h("g", { key: `die${thrown?.id}-${i}`, class: "lies die", style: `--turn:${i}` }, die(lies, width, height))
    ),
  );
}

/** Small steps in the four corners, as in the painted books. @param {number} width @param {number} height */
function corners(width, height) {
  const step = "M3 21V12H12V3H21";
  return [[0, 0, 1, 1], [width, 0, -1, 1], [0, height, 1, -1], [width, height, -1, -1]].map(([x, y, sx, sy]) =>
    h("path", { class: "step", d: step, transform: `translate(${x} ${y}) scale(${sx} ${sy})` })
  );
}

/** @param {Bean} lies @param {number} width @param {number} height */
function bean({ x, y, angle, face }, width, height) {
  return h(
    "g",
    { transform: `translate(${x * width} ${y * height}) rotate(${angle}) scale(${BEAN_SCALE})` },
    h("path", { class: "shade", d: BEAN, transform: `rotate(${-angle}) translate(1 2.2) rotate(${angle})` }),
    h("path", { class: "skin", d: BEAN }),
    face === "unsure"
      ? unsure(-angle)
      : face === "marked"
      ? [h("circle", { class: "bone", cy: -1.2, r: 4.9 }), h("circle", { class: "bone-eye", cy: -1.2, r: 1.5 })]
      : h("path", { class: "shine", d: SHINE }),
  );
}

/** @param {Die} lies @param {number} width @param {number} height */
function die({ x, y, value }, width, height) {
  return h(
    "g",
    { transform: `translate(${x * width} ${y * height}) scale(${DIE_SCALE})` },
    h("rect", { class: "shade", x: -12, y: -10, width: 24, height: 24, rx: 4 }),
    value ? face(value) : [h("rect", { class: "side", x: -12, y: -12, width: 24, height: 24, rx: 4 }), unsure(0)],
  );
}

/** What cannot be told, upright. @param {number} turn */
const unsure = (turn) => h("text", { class: "unsure", y: 5, transform: `rotate(${turn})` }, "?");

/** What was read, in words. @param {{throw: import("./types.js").Throw | Doubtful | null}} state @param {import("./types.js").Words} words */
export function reading(state, words) {
  const thrown = state.throw;
  if (!thrown) return "";
  if (thrown.kind === "dice") return values(thrown).join(" + ");
  return words.say(thrown.marked ? "ui.marks_up" : "ui.no_marks", { n: thrown.marked });
}

/** What the throw counts and why, and what followed from it. @param {import("./types.js").Snapshot} state @param {import("./types.js").Words} words */
export function ruling(state, words) {
  const thrown = state.throw;
  if (!thrown) return "";
  const { kind, marked, steps, why, to_begin } = thrown;
  const counted = kind === "dice"
    ? "count.dice"
    : marked === steps
    ? "count.each"
    : marked
    ? "count.all"
    : "count.none";
  const rules = why.map((rule) => words.say(`rule.${rule}`));
  return (to_begin ? rules : [words.say(counted, { marked, steps }), ...rules]).join(" ");
}

/** What the throw is good for. @param {import("./types.js").Throw} thrown @param {import("./types.js").Words} words */
export const worth = ({ steps, to_begin }, words) =>
  words.say(to_begin ? "ui.to_begin" : steps ? "ui.steps" : "ui.no_steps", { n: steps });

/** The panel: the place, the count large, the steps in words. @param {Page} page */
export function throwPanel(page) {
  const { state, words, acts } = page;
  const { throw: thrown, doubtful } = state;
  const count = doubtful ? (made(doubtful) ? total(doubtful) : "?") : thrown ? total(thrown) : null;
  const seen = state.seen?.state ?? "lost";
  return h(
    "section",
    { class: "throw", "aria-label": words.say("ui.throw"), "data-throw": thrown?.id ?? "" },
    place(page),
    h(
      "div",
      { class: state.phase === "move" ? "count" : "count past" },
      h("p", { class: "figure", "data-count": count ?? "" }, count ?? ""),
      h(
        "div",
        { class: "worth" },
        h(
          "p",
          { class: "steps" },
          doubtful ? words.say("ui.doubtful") : thrown ? worth(thrown, words) : "",
        ),
        h(
          "p",
          { class: "reading" },
          doubtful ? badge(state.turn ?? "") : thrown ? badge(thrown.seat) : null,
          doubtful
            ? (made(doubtful) ? reading({ ...state, throw: doubtful }, words) : "")
            : thrown
            ? [reading(state, words), thrown.source === "hand" ? words.say("ui.by_hand_note") : null].filter(Boolean)
              .join(" · ")
            : words.say("ui.no_throw"),
        ),
      ),
      h(
        "p",
        { class: `seen seen-${seen}` },
        h("span", { class: "eye", "aria-hidden": "true" }),
        words.say(`seen.${seen}`),
      ),
      h(
        "div",
        { class: "row" },
        thrown && !doubtful
          ? h(
            "button",
            { type: "button", class: "quiet", onclick: () => acts.set({ dialog: "why" }) },
            words.say("ui.why"),
          )
          : null,
        thrown && state.phase === "move" && !state.paused
          ? h(
            "button",
            { type: "button", class: "quiet", onclick: () => acts.command({ type: "throw_again" }) },
            words.say("ui.throw_again"),
          )
          : null,
      ),
    ),
  );
}

/** Beans as they lie; a throw entered by hand lies nowhere, so they are laid in a row. @param {import("./types.js").Throw | Doubtful} thrown @param {number} of @returns {Bean[]} */
function beans({ kind, beans: lying = [], marked }, of) {
  if (lying.length || kind !== "beans" || marked === null) return lying;
  return Array.from(
    { length: of },
    (_, i) => ({ x: 0.5, y: inRow(i, of), angle: 0, face: i < marked ? "marked" : "plain" }),
  );
}

/** Dice likewise. @param {import("./types.js").Throw | Doubtful} thrown @returns {Die[]} */
function dice(thrown) {
  if (thrown.dice?.length) return thrown.dice;
  return values(thrown).map((value, i, all) => ({ x: 0.5, y: inRow(i, all.length), value }));
}

/** What the dice show; in the order in which they lie, or were entered. @param {import("./types.js").Throw | Doubtful} thrown */
const values = ({ dice: lying = [], dice_values: told = [] }) =>
  lying.length ? lying.map((die) => die.value ?? 0) : told;

/** Whether all of a throw that is not certain was made out. @param {Doubtful} thrown */
export const made = ({ kind, marked, dice_values: told }) => kind === "dice" ? told.length > 0 : marked !== null;

/** @param {import("./types.js").Throw | Doubtful} thrown */
const total = (thrown) =>
  thrown.kind === "dice" ? values(thrown).reduce((sum, value) => sum + value, 0) : thrown.marked;

/** @param {number} i @param {number} count */
const inRow = (i, count) => 0.5 + (i - (count - 1) / 2) * (count > 2 ? 0.16 : 0.22);
