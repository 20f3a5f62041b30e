/** The one idea of the screen: whose turn it is and what to do next; or what the referee does not accept. */

import { h } from "./h.js";
import { thrown } from "./hand.js";
import { icon } from "./icons.js";
import { badge } from "./marks.js";
import { made } from "./throw.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */

/** So many moves are told in a sentence. */
const FEW = 3;

/** @param {Page} page */
export function banner(page) {
  const { state, words, acts } = page;
  if (state.objection) return objection(page);
  const who = state.turn ?? (state.winner && state.winner !== "draw" ? state.winner : null);
  return h(
    "section",
    { class: `banner seat-${who ? colourOf(who) : "ink"}`, "aria-label": words.say("ui.turn"), "data-turn": who ?? "" },
    who ? badge(who) : null,
    h(
      "div",
      { class: "said" },
      h("p", { class: "who" }, title(page, who)),
      h("p", { class: "next" }, next(page)),
      ["setup", "over"].includes(state.phase)
        ? h(
          "div",
          { class: "row" },
          h(
            "button",
            { type: "button", class: "strong", onclick: () => acts.set({ dialog: "new", draft: null }) },
            words.say("ui.new_game"),
          ),
        )
        : null,
    ),
    state.paused ? aside(words.say("ui.resume"), () => acts.command({ type: "resume" })) : null,
    // No camera sees that somebody passes.
    state.legal.some(({ move }) => move === "pass")
      ? aside(words.say("ui.pass"), () => acts.command({ type: "move", move: "pass" }))
      : null,
    state.unwatched ? unwatched(page) : null,
    state.doubtful?.counts && !page.own.hand ? doubtful(page, state.doubtful) : null,
  );
}

/** Why the camera does not see what people enter by hand, as long as that is so. @param {Page} page */
const unwatched = ({ state, words }) =>
  h(
    "p",
    { class: "unwatched" },
    h("span", { class: "status" }, icon("camera"), icon("cross")),
    words.say(`message.${state.unwatched}`),
  );

/** What was thrown is entered with one tap, and looked at before. @param {Page} page @param {import("./types.js").Doubtful} taken */
function doubtful(page, taken) {
  const { state, words } = page;
  const asked = words.say("ui.tap_throw");
  const n = taken.kind === "dice" ? taken.dice_values.join(" + ") : taken.marked;
  const said = made(taken) ? `${asked} ${words.say("ui.taken_for", { n })}` : asked;
  return h("div", { class: "doubtful", key: `doubtful${state.turn}` }, thrown(page, "throw", said));
}

/** @param {string} label @param {() => void} act */
const aside = (label, act) => h("button", { type: "button", class: "aside", onclick: act }, label);

/** @param {Page} page @param {string | null} who */
function title({ state, words }, who) {
  if (state.paused) return words.say("ui.pause");
  const name = who ? words.who(who) : "";
  if (state.winner === "draw") return words.say("ui.draw");
  if (state.winner) return words.say("ui.wins", { name });
  return name || words.say(`game.${state.game}`) || words.say("ui.title");
}

/** What to do next, in one sentence. @param {Pick<Page, "state" | "words">} page */
export function next({ state, words }) {
  const { key, args } = state.message;
  return words.say(`message.${key}`, { ...args, ways: words.either(state.legal.map(({ move }) => words.move(move))) });
}

/** @param {Page} page */
function objection({ state, words, acts }) {
  const { args, ways } = /** @type {import("./types.js").Objection} */ (state.objection);
  const offered = /** @type {[string, () => void][]} */ ([
    ["accept", () => acts.command({ type: "accept" })],
    ["enter", () => acts.set({ hand: true })],
  ]).filter(([name]) => ways.includes(name));
  return h(
    "section",
    { class: "banner objection", "aria-label": words.say("ui.objection"), "data-turn": state.turn ?? "" },
    args.seat || state.turn ? badge(String(args.seat ?? state.turn)) : null,
    h(
      "div",
      { class: "said" },
      h("p", { class: "next" }, objected({ state, words })),
      h(
        "div",
        { class: "row" },
        offered.map(([name, act]) => h("button", { key: name, type: "button", onclick: act }, words.say(`ui.${name}`))),
      ),
    ),
  );
}

/** The objection in short sentences: what to do, why, what may be played. @param {Pick<Page, "state" | "words">} page */
export function objected({ state, words }) {
  const { key, args, cells } = /** @type {import("./types.js").Objection} */ (state.objection);
  const [from, to] = String(args.seen ?? "").split(">");
  const named = { seat: state.turn, ...args, cells: list(cells, words), origin: from };
  const exact = key === "illegal" && !(from && to)
    ? "illegal_cells"
    : key === "illegal" && from === "reserve"
    ? "illegal_reserve"
    : key;
  const known = cells.length || !["unclear", "position"].includes(key) ? exact : `${key}_somewhere`;
  return [
    words.say(`objection.${known}`, named),
    ruled([args.rule ?? []].flat(), named, words),
    instead(args.legal ?? [], words),
  ].filter(Boolean).join(" ");
}

/**
 * Why not: the first rule that can name who stands where, else the most telling one in general.
 * @param {string[]} rules @param {import("./words.js").Args} named @param {import("./types.js").Words} words
 */
function ruled(rules, named, words) {
  const seen = rules.map((rule) => `rule.${rule}.seen`).find((key) => words.fits(key, named));
  return words.say(seen ?? `rule.${rules[0]}`, named);
}

/**
 * What may be played, where that is soon said; the board shows it anyway.
 * @param {string[]} moves @param {import("./types.js").Words} words
 */
function instead(moves, words) {
  if (!moves.length || moves.length > FEW) return "";
  return words.say("objection.legal", { legal: words.either(moves.map((move) => words.move(move))) });
}

/** @param {string[]} cells @param {import("./types.js").Words} words */
const list = (cells, words) => new Intl.ListFormat(words.language).format(cells.map(String));
