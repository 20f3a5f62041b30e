/** Motion that explains: a piece walks its way, a stake flies. Short, and none where less motion is wanted. */

import { way } from "./geometry.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Entry} Entry */

const STEP_MS = 110;
const FLIGHT_MS = 650;
const MOST = 8;
/** More news than this at once is a page that slept: it shows the result and no film. */

let told = -1;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Where the purses were before the new state was drawn. @param {Element} root @returns {Map<string, DOMRect>} */
export function remember(root) {
  return new Map(
    [...root.querySelectorAll("[data-purse]")].map((
      purse,
    ) => [purse.getAttribute("data-purse") ?? "", purse.getBoundingClientRect()]),
  );
}

/** @param {Map<string, DOMRect>} before @param {Snapshot} state @param {Layout} layout */
export function explain(before, state, layout) {
  const last = state.log.at(-1)?.id ?? 0;
  const news = state.log.filter((entry) => entry.id > told);
  const first = told < 0;
  told = last;
  if (first || still.matches || document.hidden || news.length > MOST) return;
  for (const entry of news) {
    if (entry.key === "moved" || entry.key === "entered") walk(entry, state, layout);
    if (entry.key === "paid") fly(before, String(entry.args.payer), String(entry.args.payee));
  }
}

/** @param {Entry} entry @param {Snapshot} state @param {Layout} layout */
function walk({ args }, state, layout) {
  const target = String(args.target ?? "");
  const piece = [...document.querySelectorAll("[data-piece]")].find((each) =>
    each.getAttribute("data-piece") === target
  );
  const points = way(layout, state.seats, String(args.seat), String(args.origin ?? "reserve"), target);
  const duration = STEP_MS * Math.max(3, points.length);
  piece?.animate(points.map(([x, y]) => ({ transform: `translate(${x}px,${y}px)` })), {
    duration,
    easing: "ease-in-out",
  });
}

/** @param {Map<string, DOMRect>} before @param {string} payer @param {string} payee */
function fly(before, payer, payee) {
  const from = before.get(payer);
  const to = document.querySelector(`[data-purse="${payee}"]`)?.getBoundingClientRect();
  if (!from || !to) return;
  const bead = document.createElement("i");
  bead.className = "flying";
  document.body.append(bead);
  const [x, y] = [from.left + from.width / 2, from.top + from.height / 2];
  const [dx, dy] = [to.left + to.width / 2 - x, to.top + to.height / 2 - y];
  const at = (/** @type {number} */ part, /** @type {number} */ lift) => ({
    transform: `translate(${x + dx * part}px,${y + dy * part - lift}px)`,
  });
  bead.animate([at(0, 0), at(0.5, 60), at(1, 0)], { duration: FLIGHT_MS, easing: "ease-in-out" }).onfinish = () =>
    bead.remove();
}
