/** The board as the printed codex has it, with everything that stands, glows and shines on it. */

import { centre, distance, frame, light, polygon, quarter, way } from "./geometry.js";
import { h } from "./h.js";
import { mark, pebble } from "./marks.js";
import { seat } from "./seats.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").CellPlace} CellPlace */
/** @typedef {import("./types.js").Layout} Layout */
/** @typedef {import("./types.js").Point} Point */

const PIECE_MM = 9;
const PETAL = "M0-8C-9-17-19-28-15-37C-12-43-4-43 0-39C4-43 12-43 15-37C19-28 9-17 0-8Z";
const SEED = "M0-15C-7-24-8-32 0-33C8-32 7-24 0-15Z";
const BORDERS = ["outer", "band", "inner"];

/** @param {Page} page */
export function board(page) {
  const { state, layout, words } = page;
  return h(
    "svg",
    { class: "board", viewBox: frame(layout), role: "group", "aria-label": words.say("ui.board") },
    defs(layout),
    ground(layout),
    h("g", { class: "strip", "aria-hidden": "true" }, strip(page)),
    flowers(page),
    state.seats.map((player) => seat(page, player)),
    h("g", { class: "traces", "aria-hidden": "true" }, lastMove(page)),
    h("g", { class: "glows" }, glows(page)),
    h("g", { class: "pieces" }, pieces(page)),
    h("g", { class: "doubts" }, doubts(page)),
    h("g", { class: "taps" }, page.own.hand ? taps(page) : null),
  );
}

/** The light on the paper: even by day, falling off from the middle under the lamp. @param {Layout} layout */
const defs = ({ field: [x, y, width, height] }) =>
  h(
    "defs",
    null,
    h(
      "radialGradient",
      { id: "leaf", gradientUnits: "userSpaceOnUse", cx: x + width / 2, cy: y + height / 2, r: width * 0.52 },
      h("stop", { class: "leaf-near", offset: "0.2" }),
      h("stop", { class: "leaf-far", offset: "1" }),
    ),
  );

/** @type {{layout: Layout | null, drawn: import("./h.js").Node | null}} The ground never changes: described once. */
const printed = { layout: null, drawn: null };

/** @param {Layout} layout */
function ground(layout) {
  if (printed.layout !== layout || !printed.drawn) {
    printed.layout = layout;
    printed.drawn = h(
      "g",
      { class: "ground", "aria-hidden": "true" },
      BORDERS.map((name) =>
        h("g", { class: `border ${name}` }, layout.cells.map((cell) => h("polygon", { points: polygon(cell.outline) })))
      ),
      layout.cells.map((cell) =>
        h(
          "g",
          { class: `cell ${cell.kind}` },
          h("polygon", { class: "field", points: polygon(cell.outline) }),
          ornament(cell, layout),
        )
      ),
    );
  }
  return printed.drawn;
}

/** What is painted in a cell, as on the printed board. @param {CellPlace} cell @param {Layout} layout */
function ornament({ kind, centre: at, seat: owner, name, outline }, layout) {
  const [x, y] = at;
  if (kind === "centre") {
    return [
      h("path", { class: "ink-blue", d: diamond(at, 13) }),
      h("path", { class: "hollow", d: diamond(at, 8) }),
      numeral(name, x, y + 2.1),
    ];
  }
  if (kind === "tip") return [...sun(outline, layout), numeral(name, x, y + 2.1)];
  const parts = [];
  if (kind === "triangle") parts.push(h("path", { class: "ink-ochre", d: triangles(at, layout) }));
  if (kind === "start" && owner !== null) {
    parts.push(h("g", { class: `start seat-${colourOf(String(owner))}` }, mark(String(owner), at, 7)));
  }
  return [...parts, numeral(name, x - 8.6, y - 7.2)];
}

/** @param {string} name @param {number} x @param {number} y */
const numeral = (name, x, y) => h("text", { class: "numeral", x, y }, name);

/** @param {Point} at @param {number} reach */
const diamond = ([x, y], reach) => `M${x} ${y - reach}L${x + reach} ${y}L${x} ${y + reach}L${x - reach} ${y}Z`;

/** Two triangles that point at each other along the way. @param {Point} at @param {Layout} layout */
function triangles([x, y], { field: [left, top, width, height] }) {
  const upright = Math.abs(y - top - height / 2) > Math.abs(x - left - width / 2);
  /** @param {number} along @param {number} across */
  const corner = (along, across) => (upright ? `${x + along} ${y + across}` : `${x + across} ${y + along}`);
  return [-1, 1].map((side) => `M${corner(-6.5, 13 * side)}L${corner(6.5, 13 * side)}L${corner(0, 3.2 * side)}Z`).join(
    "",
  );
}

/** A rayed rim; the two tips of an arm make half a sun. @param {Point[]} outline @param {Layout} layout */
function sun(outline, { field: [left, top, width, height] }) {
  const middle = /** @type {Point} */ ([left + width / 2, top + height / 2]);
  const root = outline.reduce((best, point) => (distance(point, middle) < distance(best, middle) ? point : best));
  const inner = outline.map(([x, y]) => [root[0] + (x - root[0]) * 0.82, root[1] + (y - root[1]) * 0.82]);
  const rays = outline.map((point, i) => `M${point}L${inner[i]}`).join("");
  return [
    h("polygon", { class: "pale", points: polygon(/** @type {Point[]} */ (inner)) }),
    h("path", { class: "line", d: rays }),
  ];
}

/** A flower of five petals in each quarter that nobody uses, as on the printed board. @param {Page} page */
function flowers({ state, layout }) {
  const free = ["1", "2", "3", "4"].filter((each) => !state.seats.some((player) => player.seat === each));
  return free.map((each) => {
    const [x, y] = quarter(layout, each);
    return h(
      "g",
      { key: `flower${each}`, class: "free", "aria-hidden": "true", transform: `translate(${x + 70} ${y + 70})` },
      h("circle", { class: "ring", r: 49 }),
      h("circle", { class: "ring", r: 47 }),
      [0, 72, 144, 216, 288].map((turn) =>
        h(
          "g",
          { transform: `rotate(${turn})` },
          h("path", { class: "petal", d: PETAL }),
          h("path", { class: "seed", d: SEED }),
        )
      ),
      h("circle", { class: "sepal", r: 11 }),
      h("circle", { class: "eye", r: 6.5 }),
    );
  });
}

/** @param {Page} page */
function strip({ state, layout }) {
  const colours = state.strip?.colours ?? [];
  return layout.cells.map((cell, index) => {
    const colour = colours[cell.led ?? index];
    const lit = Boolean(colour) && colour !== "#000000";
    const [cx, cy] = light(layout, cell.centre);
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
  return Object.entries(state.pieces).flatMap(([cell, owners]) => {
    const at = centre(layout, cell);
    if (!at) return [];
    const who = String(owners[0]);
    const count = owners.length;
    const label = `${words.say("ui.piece_on", { seat: who, cell })}${count > 1 ? ` × ${count}` : ""}`;
    return [h(
      "g",
      {
        key: `${cell}-${who}`,
        role: "img",
        "aria-label": label,
        "data-piece": cell,
        "data-seat": who,
        class: `piece seat-${colourOf(who)}${liftable.has(cell) ? " liftable" : ""}`,
        style: `transform:translate(${at[0]}px,${at[1]}px)`,
      },
      liftable.has(cell) ? h("circle", { class: "lift", r: PIECE_MM + 2 }) : null,
      count > 1 ? h("g", { transform: "translate(2.4 -3)" }, pebble(who, PIECE_MM)) : null,
      pebble(who, PIECE_MM),
      count > 1
        ? [
          h("circle", { class: "stack-plate", cx: 8, cy: -8, r: 5.4 }),
          h("text", { class: "stack", x: 8, y: -5.4 }, count),
        ]
        : null,
    )];
  });
}

/** Where the one who moves may go. @param {Page} page */
function glows({ state, layout }) {
  const targets = [...new Set(state.legal.map((move) => move.to))];
  const colour = `seat-${colourOf(state.turn ?? "")}`;
  const ways = state.legal.filter(({ from, to }) => centre(layout, from) && centre(layout, to)).map((
    { move, from, to },
  ) =>
    h("polyline", {
      key: `way${move}`,
      class: `way ${colour}`,
      points: polygon(way(layout, state.turn ?? "", from, to)),
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
  if (!told || told.key === "undone" || told.key === "started") return null;
  const who = String(told.args.seat);
  const points = way(layout, who, String(told.args.origin ?? "reserve"), String(told.args.target ?? "home"));
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
    const [x, y] = light(layout, cell.centre);
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
    const shared = state.legal.filter((other) => other.to === legal.to).length > 1;
    // A target that several pieces reach, or one off the board, is chosen by its piece.
    const named = shared ? [legal.from, legal.to] : [legal.to, legal.from];
    const cell = named.map((name) => layout.cells.find((place) => place.name === name)).find(Boolean);
    if (!cell) return [];
    const book = () => acts.command({ type: "move", move: legal.move });
    return [h("polygon", {
      key: `tap${legal.move}`,
      class: "tap",
      points: polygon(cell.outline),
      role: "button",
      tabindex: 0,
      "data-move": legal.move,
      "aria-label": words.say("ui.move_to", { from: place(words, legal.from), to: place(words, legal.to) }),
      onclick: book,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        book();
      },
    })];
  });
}

/** A cell, or the words for reserve and home. @param {import("./types.js").Words} words @param {string} name */
export const place = (words, name) => (words.has(`place.${name}`) ? words.say(`place.${name}`) : name);
