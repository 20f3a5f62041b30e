/** The board as the printed codex has it, with everything that stands, glows and shines on it. */

import { beside } from "./beside.js";
import { centre, frame, hasTrack, isFilled, light, polygon, scale, way } from "./geometry.js";
import { defs, flowers, ground } from "./ground.js";
import { h } from "./h.js";
import { pebble, stick } from "./marks.js";
import { seat } from "./seats.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */

const PIECE_MM = 9;

/** @param {Page} page */
export function board(page) {
  const { state, layout, words } = page;
  return h(
    "svg",
    { class: "board", viewBox: frame(layout).join(" "), role: "group", "aria-label": words.say("ui.board") },
    defs(layout),
    ground(layout),
    h("g", { class: "strip", "aria-hidden": "true" }, strip(page)),
    flowers(page),
    state.seats.map((player) => (isFilled(layout) ? beside(page, player) : seat(page, player))),
    h("g", { class: "traces", "aria-hidden": "true" }, lastMove(page)),
    h("g", { class: "glows" }, glows(page)),
    h("g", { class: "pieces" }, dropped(page), pieces(page)),
    h("g", { class: "doubts" }, doubts(page)),
    h("g", { class: "taps" }, page.own.hand ? taps(page) : null),
  );
}

/** @param {Page} page */
function strip({ state, layout }) {
  const colours = state.strip?.colours ?? [];
  const some = layout.cells.some((cell) => cell.led != null);
  const beside = some ? layout.cells.filter((cell) => cell.led != null) : layout.cells;
  return beside.map((cell, index) => {
    const colour = colours[cell.led ?? index];
    const lit = Boolean(colour) && colour !== "#000000";
    const [cx, cy] = light(layout, cell);
    return h(
      "g",
      { key: cell.name, class: lit ? "led lit" : "led", ...(lit ? { style: `--led:${colour}` } : {}) },
      h("circle", { class: "halo", cx, cy, r: 4.6 }),
      h("circle", { class: "lamp", cx, cy, r: 1.9 }),
    );
  });
}

/** @param {Page} page */
function pieces({ state, layout, words }) {
  const liftable = new Set(state.legal.map((move) => move.from));
  const size = scale(layout);
  return Object.entries(state.pieces).flatMap(([cell, stack]) => {
    const at = centre(layout, cell);
    if (!at) return [];
    const owners = [...new Set(stack.map(String))];
    return owners.map((who, i) => {
      const count = stack.filter((owner) => String(owner) === who).length;
      const called = liftable.has(cell) && who === state.turn;
      const label = words.game === "batok"
        ? words.say("ui.stick_on", { cell })
        : `${words.say("ui.piece_on", { seat: who, cell })}${count > 1 ? ` × ${count}` : ""}`;
      // Only where nobody is hit do colours share a cell: side by side.
      const x = at[0] + (i - (owners.length - 1) / 2) * PIECE_MM * size;
      return h(
        "g",
        {
          key: `${cell}-${who}`,
          role: "img",
          "aria-label": label,
          "data-piece": cell,
          "data-seat": who,
          class: `piece seat-${colourOf(who)}${called ? " liftable" : ""}`,
          style: `transform:translate(${x}px,${at[1]}px)`,
        },
        h("g", { transform: `scale(${size})` }, words.game === "batok" ? stick() : standing(who, count, called)),
      );
    });
  });
}

/** @param {string} who @param {number} count @param {boolean} called */
const standing = (who, count, called) => [
  called ? h("circle", { class: "lift", r: PIECE_MM + 2 }) : null,
  count > 1 ? h("g", { transform: "translate(2.4 -3)" }, pebble(who, PIECE_MM)) : null,
  pebble(who, PIECE_MM),
  count > 1
    ? [
      h("circle", { class: "stack-plate", cx: 8, cy: -8, r: 5.4 }),
      h("text", { class: "stack", x: 8, y: -5.4 }, count),
    ]
    : null,
];

/** How many sticks have dropped into the hole. @param {Page} page */
function dropped({ state: { dropped: n }, layout, words }) {
  const at = centre(layout, "hole");
  if (!at || n === null) return null;
  const label = words.say("ui.dropped", { n });
  return h("text", { class: "dropped", x: at[0], y: at[1] + 8, role: "img", "aria-label": label }, n);
}

/** Where the one who moves may go. @param {Page} page */
function glows({ state, layout }) {
  const targets = [...new Set(state.legal.flatMap((move) => move.cells))];
  const colour = `seat-${colourOf(state.turn ?? "")}`;
  const ways = state.legal.filter(({ from, to }) => centre(layout, from) && centre(layout, to)).map((
    { move, from, to },
  ) =>
    h("polyline", {
      key: `way${move}`,
      class: `way ${colour}`,
      points: polygon(way(layout, state.seats, state.turn ?? "", from, to)),
      "aria-hidden": "true",
    })
  );
  return [
    ...ways,
    ...targets.flatMap((name) => {
      const cell = layout.cells.find((place) => place.name === name);
      return cell
        ? [
          h("polygon", {
            key: `glow${name}`,
            class: `glow ${colour}`,
            "data-glow": name,
            points: polygon(cell.outline),
          }),
        ]
        : [];
    }),
  ];
}

/** The way of the latest move, unless it was taken back. @param {Page} page */
function lastMove({ state, layout }) {
  const told = state.log.findLast((entry) => ["moved", "entered", "left", "undone", "started"].includes(entry.key));
  if (!told || told.key === "undone" || told.key === "started" || !hasTrack(layout)) return null;
  const who = String(told.args.seat);
  const [origin, target] = [String(told.args.origin ?? "reserve"), String(told.args.target ?? "home")];
  const points = way(layout, state.seats, who, origin, target);
  return [
    h("polyline", { key: told.id, class: `trace seat-${colourOf(who)}`, points: polygon(points) }),
    h("circle", {
      key: `from${told.id}`,
      class: `trace-from seat-${colourOf(who)}`,
      cx: points[0][0],
      cy: points[0][1],
      r: 3.2,
    }),
  ];
}

/** Cells that an objection names, or that people are asked to set right. @param {Page} page */
function doubts({ state: { objection, message }, layout }) {
  const named = objection?.cells ?? (message.key === "set_right" ? String(message.args.cells).split(", ") : []);
  return named.flatMap((name) => {
    const cell = layout.cells.find((place) => place.name === name);
    if (!cell) return [];
    const [x, y] = light(layout, cell);
    return [
      h(
        "g",
        { key: `doubt${name}`, class: "doubt", "data-doubt": name },
        h("polygon", { points: polygon(cell.outline) }),
        h("circle", { class: "flag", cx: x, cy: y, r: 8.4 }),
        h("text", { x, y: y + 3.4 }, name),
      ),
    ];
  });
}

/** While a move is entered by hand, targets are buttons. @param {Page} page */
function taps({ state, layout, words, acts }) {
  return state.legal.flatMap((legal) => {
    const others = state.legal.filter((other) => other !== legal);
    // A move is chosen by a cell that no other ends on; where several pieces reach it, or none is left, by its piece.
    const own = legal.cells.filter((name) => !others.some((other) => other.cells.includes(name)));
    const named = own.length ? own : [legal.from, legal.to].filter((name) => centre(layout, name)).slice(0, 1);
    const book = () => acts.command({ type: "move", move: legal.move });
    return layout.cells.filter((cell) => named.includes(cell.name)).map((cell) => h("polygon", {
      key: `tap${legal.move}${cell.name}`,
      class: hasTrack(layout) ? "tap" : "tap roomy",
      points: polygon(cell.outline),
      role: "button",
      tabindex: 0,
      "data-move": legal.move,
      "aria-label": words.move(legal.move),
      onclick: book,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        book();
      },
    }));
  });
}
