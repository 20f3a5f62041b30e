/** The whole page as a function of the state. */

import { banner, next, objected } from "./banner.js";
import { board } from "./board.js";
import { camera } from "./camera.js";
import { dialogs } from "./dialogs.js";
import { frame } from "./geometry.js";
import { h } from "./h.js";
import { hand } from "./hand.js";
import { icon } from "./icons.js";
import { log } from "./log.js";
import { beads } from "./marks.js";
import { throwPanel } from "./throw.js";

/** @typedef {import("./types.js").Page} Page */

const BEAD = 12;

/** @param {Page} page */
export function view(page) {
  const { state, own, layout, words } = page;
  const [, , width, height] = frame(layout);
  return [
    head(page),
    h(
      "main",
      { class: `${state.pot === null ? "poor" : "rich"}${own.camera ? " watching" : ""}${own.hand ? " by-hand" : ""}` },
      banner(page),
      h(
        "section",
        { class: "table", "aria-label": words.say("ui.board"), style: `--shape:${width / height}` },
        board(page),
      ),
      h("div", { class: "thrown" }, throwPanel(page), pot(page)),
      h("div", { class: "below" }, own.hand ? hand(page) : null, own.camera ? camera(page) : null, log(page)),
    ),
    h("p", { class: "unseen", role: "status" }, state.objection ? "" : next(page)),
    h("p", { class: "unseen", role: "alert" }, state.objection ? objected(page) : ""),
    own.online ? null : h("p", { class: "notice offline", key: "offline" }, words.say("online.no")),
    own.notice ? h("p", { class: "notice", role: "alert", key: "notice" }, own.notice) : null,
    dialogs(page),
  ].filter((part) => part !== null);
}

/** @param {Page} page */
function head({ state, own, words, acts }) {
  const game = [words.say(`game.${state.game}`), words.say(`preset.${state.preset}`)].filter(Boolean).join(" · ");
  return h(
    "header",
    { class: "head" },
    h("h1", null, icon("flower"), h("span", null, "Macuil"), h("small", null, game)),
    h(
      "div",
      { class: "states" },
      status("link", own.online, words.say(own.online ? "online.yes" : "online.no")),
      status("camera", state.camera?.state === "ok", words.say(`camera.${state.camera?.state ?? "lost"}`)),
      state.strip && state.strip.state !== "off"
        ? status("lamp", state.strip.state === "ok", words.say(`strip.${state.strip.state}`))
        : null,
    ),
    h(
      "nav",
      { "aria-label": words.say("ui.actions") },
      tool("undo", words.say("ui.undo"), false, () => acts.set({ dialog: "undo" })),
      tool("hand", words.say("ui.by_hand"), own.hand, () => acts.set({ hand: !own.hand, tapped: null })),
      tool("camera", words.say("ui.camera"), own.camera, () => acts.set({ camera: !own.camera })),
      tool("menu", words.say("ui.menu"), false, () => acts.set({ dialog: "menu" })),
    ),
  );
}

/** @param {string} name @param {string} label @param {boolean} pressed @param {() => void} act */
const tool = (name, label, pressed, act) =>
  h(
    "button",
    {
      key: name,
      type: "button",
      class: "tool",
      "data-tool": name,
      "aria-label": label,
      "aria-pressed": name === "hand" || name === "camera" ? String(pressed) : null,
      onclick: act,
    },
    icon(name),
    h("span", { "aria-hidden": "true" }, label),
  );

/** A sign with a word: well, or crossed out. @param {string} name @param {boolean} well @param {string} label */
const status = (name, well, label) =>
  h(
    "span",
    {
      key: name,
      class: `status ${well ? "well" : "ill"}`,
      "data-status": name,
      role: "img",
      "aria-label": label,
      title: label,
    },
    icon(name),
    well ? null : icon("cross"),
  );

/** @param {Page} page */
function pot({ state, words }) {
  if (state.pot === null) return null;
  return h(
    "section",
    { class: "pot", "aria-label": words.say("ui.pot") },
    h("h2", null, words.say("ui.pot")),
    h("p", { class: "figure" }, state.pot),
    h(
      "svg",
      {
        class: "mat",
        viewBox: "0 0 140 60",
        role: "img",
        "aria-label": words.say("ui.stakes", { n: state.pot }),
        "data-purse": "pot",
      },
      h("rect", { class: "rim", x: 1, y: 1, width: 138, height: 58, rx: 4 }),
      h("g", null, beads(state.pot, [12, 12], BEAD)),
    ),
  );
}
