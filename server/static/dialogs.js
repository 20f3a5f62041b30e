/** Small windows over the page: undo, new game, settings, the board's corners, and why a throw was read as it was. */

import { corners } from "./corners.js";
import { h } from "./h.js";
import { told } from "./log.js";
import { badge } from "./marks.js";
import { reading, ruling, worth } from "./throw.js";
import { LANGUAGES } from "./words.js";

/** @typedef {import("./types.js").Page} Page */

/** @type {Record<string, string[]>} */
const PRESETS = {
  patolli: ["classic", "quick", "modern", "all-stakes", "jade-coral"],
  ludo: ["chessboard"],
  batok: ["standard"],
  ur: ["finkel"],
};
/** @type {Record<string, string[]>} */
const SEATS = {
  patolli: ["1", "2", "3", "4"],
  ludo: ["1", "2", "3", "4"],
  batok: ["1", "2", "3", "4", "5", "6"],
  ur: ["1", "3"],
};
const FEWEST = 2;

/** @param {Page} page */
export function dialogs(page) {
  const shown = { undo, new: newGame, menu, why, corners };
  const name = page.own.dialog;
  return name ? frame(page, name, shown[name](page)) : null;
}

/** @param {Page} page @param {string} name @param {any} inside */
function frame({ words, acts }, name, inside) {
  return h(
    "dialog",
    {
      key: name,
      class: name,
      "aria-labelledby": "dialog-title",
      onclose: () => acts.set({ dialog: "" }),
      // A handler that returns false would keep every button inside from working.
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.target === event.currentTarget) acts.set({ dialog: "" });
      },
      ref: (/** @type {HTMLDialogElement} */ dialog) => dialog.open || dialog.showModal(),
    },
    h(
      "div",
      { class: "inside" },
      inside,
      h("button", {
        type: "button",
        class: "close",
        "aria-label": words.say("ui.close"),
        onclick: () => acts.set({ dialog: "" }),
      }, "×"),
    ),
  );
}

/** @param {Page} page */
function undo({ state, words, acts }) {
  const latest = state.undo;
  return [
    h("h2", { id: "dialog-title" }, words.say("ui.undo_title")),
    h("p", { class: "quoted" }, latest ? told(latest, words) : words.say("ui.nothing_to_undo")),
    latest ? h("p", null, words.say("ui.undo_note")) : null,
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", onclick: () => acts.set({ dialog: "" }) }, words.say("ui.keep")),
      latest
        ? h("button", {
          type: "button",
          class: "strong",
          onclick: () => acts.command({ type: "undo" }),
        }, words.say("ui.take_back"))
        : null,
    ),
  ];
}

/** The next game as the one on the table, until somebody changes it. @param {Page} page @returns {import("./types.js").Draft} */
function drafted({ state, own, layout }) {
  const [usual] = PRESETS[layout.game];
  return own.draft ?? {
    preset: state.preset || usual,
    seats: state.seats.length ? state.seats.map(({ seat }) => seat) : ["1", "3"],
    names: Object.fromEntries(state.seats.map(({ seat, name }) => [seat, name])),
  };
}

/** @param {Page} page */
function newGame(page) {
  const { state, layout, words, acts } = page;
  const draft = drafted(page);
  const fixed = draft.preset === "jade-coral" || SEATS[layout.game].length === FEWEST;
  const seats = fixed ? ["1", "3"] : draft.seats;
  /** @param {Partial<typeof draft>} change */
  const change = (change) => acts.set({ draft: { ...draft, ...change } });
  /** @param {string} seat */
  const toggle = (seat) =>
    change({ seats: seats.includes(seat) ? seats.filter((other) => other !== seat) : [...seats, seat].sort() });
  const names = Object.fromEntries(
    seats.map((seat) => [seat, draft.names[seat]?.trim() ?? ""]).filter(([, name]) => name),
  );
  return [
    h("h2", { id: "dialog-title" }, words.say("ui.new_game")),
    h(
      "form",
      {
        method: "dialog",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          acts.command({ type: "new_game", game: layout.game, preset: draft.preset, seats, names });
        },
      },
      h(
        "fieldset",
        null,
        h("legend", null, words.say("ui.rules")),
        PRESETS[layout.game].map((preset) =>
          h(
            "label",
            { key: preset, class: "choice" },
            h("input", {
              type: "radio",
              name: "preset",
              value: preset,
              checked: draft.preset === preset,
              onchange: () => change({ preset }),
            }),
            h(
              "span",
              null,
              h("b", null, words.say(`preset.${preset}`)),
              h("small", null, words.say(`preset.${preset}.about`)),
            ),
          )
        ),
      ),
      h(
        "fieldset",
        null,
        h("legend", null, words.say("ui.players")),
        SEATS[layout.game].map((seat) => {
          const plays = seats.includes(seat);
          return h(
            "div",
            { key: seat, class: "player" },
            h(
              "label",
              { class: "choice" },
              h("input", {
                type: "checkbox",
                checked: plays,
                disabled: fixed || (plays && seats.length <= FEWEST),
                onchange: () => toggle(seat),
              }),
              badge(seat),
              h("span", null, words.seat(seat)),
            ),
            h("input", {
              type: "text",
              maxlength: 24,
              autocomplete: "off",
              disabled: !plays,
              value: draft.names[seat] ?? "",
              placeholder: words.say("ui.name"),
              "aria-label": words.say("ui.name_of", { colour: words.seat(seat) }),
              oninput: (/** @type {any} */ event) => change({ names: { ...draft.names, [seat]: event.target.value } }),
            }),
          );
        }),
      ),
      ["setup", "over"].includes(state.phase) ? null : h("p", { class: "warning" }, words.say("ui.game_ends")),
      h("div", { class: "row end" }, h("button", { class: "strong" }, words.say("ui.start"))),
    ),
  ];
}

/** @param {Page} page */
function menu({ state, own, words, acts }) {
  return [
    h("h2", { id: "dialog-title" }, words.say("ui.menu")),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "strong", onclick: () => acts.set({ dialog: "new", draft: null }) },
        words.say("ui.new_game"),
      ),
      h(
        "button",
        { type: "button", onclick: () => acts.set({ dialog: "corners", corners: null }) },
        words.say("ui.set_corners"),
      ),
      ["setup", "over"].includes(state.phase) || state.paused
        ? null
        : h("button", { type: "button", onclick: () => acts.command({ type: "pause" }) }, words.say("ui.pause")),
    ),
    h(
      "fieldset",
      { class: "switch" },
      h("legend", null, words.say("ui.language")),
      Object.entries(LANGUAGES).map(([tag, name]) =>
        h("button", {
          key: tag,
          type: "button",
          lang: tag,
          "aria-pressed": String(words.language === tag),
          onclick: () => acts.language(tag),
        }, name)
      ),
    ),
    h(
      "fieldset",
      { class: "switch" },
      h("legend", null, words.say("ui.theme")),
      /** @type {const} */ (["auto", "light", "dark"]).map((theme) =>
        h("button", {
          key: theme,
          type: "button",
          "aria-pressed": String(own.theme === theme),
          onclick: () => acts.theme(theme),
        }, words.say(`theme.${theme}`))
      ),
    ),
    h(
      "dl",
      { class: "facts" },
      h(
        "div",
        null,
        h("dt", null, words.say("ui.connection")),
        h("dd", null, words.say(own.online ? "online.yes" : "online.no")),
      ),
      h(
        "div",
        null,
        h("dt", null, words.say("ui.camera")),
        h(
          "dd",
          null,
          [
            words.say(`camera.${state.camera?.state ?? "lost"}`),
            state.camera?.identity,
            state.camera?.size?.join("\u00a0×\u00a0"),
          ].filter(Boolean).join(" · "),
        ),
      ),
      h(
        "div",
        null,
        h("dt", null, words.say("ui.strip")),
        h("dd", null, words.say(`strip.${state.strip?.state ?? "off"}`)),
      ),
    ),
    h("p", null, h("a", { href: "/overlay", target: "_blank" }, words.say("ui.overlay"))),
  ];
}

/** @param {Page} page */
function why({ state, words }) {
  const thrown = state.throw;
  return [
    h("h2", { id: "dialog-title" }, words.say("ui.why")),
    thrown?.crop ? h("img", { src: thrown.crop, alt: words.say("ui.crop") }) : null,
    h(
      "p",
      { class: "quoted" },
      thrown
        ? `${reading(state, words)}. ${worth(thrown, words)}.`
        : words.say("ui.no_throw"),
    ),
    h("p", { class: "ruling" }, ruling(state, words)),
  ];
}
