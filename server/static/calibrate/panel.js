/** What to do next, what was found, and what to save. */

import { h } from "../h.js";

/** @typedef {import("./main.js").Page} Page */

const ROWS = [1, 2, 3, 4, 5, 6];

/** @param {Page} page */
export function panel(page) {
  const { task, work, words } = page;
  return h(
    "section",
    { class: "panel" },
    h("h1", null, words.say("calibrate.title")),
    h("p", null, words.say(work.nodes ? "calibrate.adjust" : "calibrate.corners")),
    h(
      "div",
      { class: "row" },
      button(page, "find", work.nodes ? "" : "strong", page.find),
      button(page, "lay", "quiet", page.lay),
    ),
    h("div", { class: "said", role: "status" }, said(page)),
    work.nodes ? settings(page) : null,
    work.nodes ? h("div", { class: "row" }, button(page, "save", "strong", page.save)) : null,
    work.nodes ? h("p", { class: "soft" }, words.say("calibrate.goes_to", { file: task.out })) : null,
  );
}

/** @param {Page} page @param {string} name @param {string} look @param {() => void} act */
const button = ({ work, words }, name, look, act) =>
  h("button", { type: "button", class: look, "data-do": name, disabled: work.busy, onclick: act }, words.say(`calibrate.${name}`));

/** @param {Page} page */
function said({ work, words }) {
  if (work.busy) return h("p", null, words.say("calibrate.busy"));
  if (work.refused) return h("p", { class: "warning", "data-refused": work.refused.key }, words.say(`calibrate.error.${work.refused.key}`, work.refused.args));
  if (work.saved) {
    return [
      h("p", { class: "saved" }, words.say("calibrate.saved", { file: work.saved.file })),
      h("code", null, work.saved.command),
    ];
  }
  return h(
    "ul",
    null,
    work.arms.map(({ arm, faint, ...numbers }) =>
      h(
        "li",
        { key: arm, class: faint ? "warning" : null },
        words.say(faint ? "calibrate.faint" : "calibrate.seen", { arm: words.say(`calibrate.arm.${arm}`), ...numbers }),
      )
    ),
  );
}

/** @param {Page} page */
function settings({ work, words, set }) {
  return h(
    "form",
    { onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h(
      "fieldset",
      null,
      h("legend", null, words.say("calibrate.triangles")),
      h(
        "div",
        { class: "rows" },
        ROWS.map((row) =>
          h("button", {
            key: row,
            type: "button",
            "aria-pressed": String(work.rows.includes(row)),
            onclick: () => set({ rows: work.rows.includes(row) ? work.rows.filter((other) => other !== row) : [...work.rows, row].sort() }),
          }, String(row))
        ),
      ),
    ),
    h(
      "label",
      { class: "choice" },
      h("input", {
        type: "checkbox",
        checked: work.round,
        onchange: (/** @type {Event} */ event) => set({ round: /** @type {HTMLInputElement} */ (event.target).checked }),
      }),
      words.say("calibrate.round"),
    ),
    h(
      "div",
      { class: "sizes" },
      ["calibrate.width_mm", "calibrate.height_mm"].map((name, i) =>
        h(
          "label",
          { key: name },
          words.say(name),
          h("input", {
            type: "text",
            inputmode: "decimal",
            value: String(work.size[i]),
            onchange: (/** @type {Event} */ event) => {
              const typed = Number(/** @type {HTMLInputElement} */ (event.target).value.replace(",", "."));
              set({ size: /** @type {[number, number]} */ (work.size.map((old, k) => (k === i ? typed : old))) });
            },
          }),
        )
      ),
    ),
  );
}
