/** What has happened, in short sentences, newest first. */

import { h } from "./h.js";
import { badge } from "./marks.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Words} Words */

/** @param {Page} page */
export function log({ state, words }) {
  const time = new Intl.DateTimeFormat(words.language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const entries = [...state.log].reverse();
  return h(
    "section",
    { class: "log", "aria-labelledby": "log-title" },
    h("h2", { id: "log-title" }, words.say("ui.log")),
    h(
      "ol",
      { tabindex: 0, "aria-labelledby": "log-title" },
      entries.map((entry) => {
        const who = entry.args.seat ?? entry.args.owner ?? entry.args.payer;
        return h(
          "li",
          { key: entry.id, class: `entry told-${entry.key}` },
          who && who !== "pot" ? badge(String(who)) : h("span", { class: "badge" }),
          h("span", { class: "what" }, told(entry, words)),
          h("time", { datetime: entry.at }, time.format(new Date(entry.at))),
        );
      }),
    ),
  );
}

/** One line of the log as a sentence, with the reason if one was given. @param {Entry} entry @param {Words} words */
export function told(entry, words) {
  const why = ["undone", "corrected"].includes(entry.key) && entry.args.why;
  return why ? `${sentence(entry, words)} (${why})` : sentence(entry, words);
}

/** @param {Entry} entry @param {Words} words */
function sentence({ key, args }, words) {
  if (key === "paid") {
    return words.say(args.payee === "pot" ? "log.paid_pot" : args.payer === "pot" ? "log.pot_paid" : "log.paid", args);
  }
  if (key === "thrown" && args.dice) {
    return words.say("log.thrown_dice", { ...args, dice: [args.dice].flat().join(" + ") });
  }
  if (key === "thrown" && !args.steps) return words.say("log.thrown_nothing", args);
  if (key === "started") {
    const [game, preset] = [words.say(`game.${args.game}`), words.say(`preset.${args.preset}`)];
    return words.say("log.started", { game, preset });
  }
  if (key === "undone" && args.took) return undone(args, words);
  if (key === "corrected" && args.took) return words.say("log.corrected_throw", { ...args, took: thrown(args.took) });
  // Batok's sticks go into the hole for good, and from the posts back to the hand.
  if (key === "entered" && args.target === "hole") return words.say("log.entered_hole", args);
  if (key === "moved" && args.target === "reserve") return words.say("log.moved_back", args);
  return words.say(`log.${key}`, args) || key;
}

/** What was taken back: a pass, a move, sticks or a throw. @param {Record<string, any>} args @param {Words} words */
function undone(args, words) {
  const took = String(args.took);
  if (took === "pass") return words.say("log.undone_pass", args);
  const [origin, target] = took.split(">").map((cell) => words.place(cell));
  if (target) return words.say("log.undone_move", { ...args, origin, target });
  // Of two dice a throw is written 5-3, and of one stick its post alone.
  if (words.game === "batok" && !took.includes("-")) {
    return words.say("log.undone_sticks", { ...args, cells: words.sticks(took) });
  }
  return words.say("log.undone_throw", { ...args, took: thrown(took) });
}

/** Dice as everywhere on the page. @param {string} took */
const thrown = (took) => took.replace("-", " + ");
