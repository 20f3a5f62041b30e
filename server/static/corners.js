/** A small window in which people drag four handles to the corners of the playing field in the camera's picture. */

import { show } from "./camera.js";
import { polygon } from "./geometry.js";
import { h } from "./h.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Point} Point */

/** As in calibration/corners.py, which has the last word. */
const SMALLEST_SIDE_PX = 100;
const STRAIGHT_DEG = 15;
const FAR = 10;
/** Pixels that an arrow key moves a handle with the shift key. */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Page} page */
export function corners(page) {
  const { state, own, layout, words, acts } = page;
  const size = state.overlay?.size ?? state.camera?.size ?? [1280, 720];
  const shown = own.corners ?? state.overlay?.field ?? inside(size);
  const wrong = fault(shown, size);
  /** @param {number} which @param {Point} to */
  const drag = (which, to) =>
    acts.set({ corners: shown.map((corner, k) => k === which ? within(to, size) : corner) });
  return [
    h("h2", { id: "dialog-title" }, words.say("ui.set_corners")),
    h("p", null, words.say("corners.how")),
    h(
      "div",
      { class: "picture", style: `aspect-ratio:${size[0]}/${size[1]}` },
      h("canvas", { role: "img", "aria-label": words.say("ui.camera_picture"), ref: show }),
      h(
        "svg",
        { class: "overlay", viewBox: `0 0 ${size[0]} ${size[1]}`, "aria-hidden": "true" },
        wrong ? null : drawn(layout, shown),
        h("polygon", { class: wrong ? "field wrong" : "field", points: polygon(shown) }),
        h("path", { class: "top", d: `M${shown[0]}L${shown[1]}` }),
      ),
      shown.map((corner, which) => handle(page, which, corner, size, (to) => drag(which, to))),
    ),
    h(
      "p",
      { class: "warning", role: "status", "data-fault": wrong?.fault ?? "" },
      wrong ? words.say(`corners.${wrong.fault}`, wrong) : "",
    ),
    h(
      "div",
      { class: "row end" },
      state.sight === "corners"
        ? h(
          "button",
          { type: "button", onclick: () => acts.command({ type: "forget_corners" }) },
          words.say("corners.forget"),
        )
        : null,
      h("button", {
        type: "button",
        onclick: () => acts.set({ corners: [shown[3], shown[0], shown[1], shown[2]] }),
      }, words.say("corners.turn")),
      h("button", {
        type: "button",
        class: "strong",
        disabled: wrong !== null,
        onclick: () => acts.command({ type: "show_corners", corners: shown }),
      }, words.say("corners.save")),
    ),
  ];
}

/**
 * Why these cannot be the corners of a field, and the numbers of those to drag; null if they can.
 * @param {Point[]} corners @param {Point} size
 * @returns {{fault: string, a?: number, b?: number} | null}
 */
export function fault(corners, [width, height]) {
  const outside = corners.findIndex(([x, y]) => !(x >= -0.5 && y >= -0.5 && x <= width - 0.5 && y <= height - 0.5));
  if (outside >= 0) return { fault: "outside", a: outside + 1 };
  const short = corners.findIndex((corner, k) => Math.hypot(...minus(corners[(k + 1) % 4], corner)) < SMALLEST_SIDE_PX);
  if (short >= 0) return { fault: "small", a: short + 1, b: (short + 1) % 4 + 1 };
  const [one, two, three, four] = corners;
  if (cross(one, two, three, four) || cross(two, three, four, one)) {
    for (const [a, b] of [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]) {
      const swapped = corners.map((corner, k) => k === a ? corners[b] : k === b ? corners[a] : corner);
      if (turns(swapped).every((turn) => turn > 0)) return { fault: "crossed", a: a + 1, b: b + 1 };
    }
  }
  const found = turns(corners);
  const sizes = found.map(Math.abs);
  const clockwise = found.filter((turn) => turn > 0).length;
  if (Math.min(...sizes) < STRAIGHT_DEG || Math.max(...sizes) > 180 - STRAIGHT_DEG || clockwise % 4 !== 0) {
    const odd = [0, 1, 2, 3].filter((k) => (found[k] > 0) !== (clockwise >= 2));
    return { fault: "dented", a: (odd.length === 1 ? odd[0] : sizes.indexOf(Math.min(...sizes))) + 1 };
  }
  return clockwise ? null : { fault: "mirrored" };
}

/** @param {Page} page @param {number} which @param {Point} at @param {Point} size @param {(to: Point) => void} drag */
function handle({ words }, which, [x, y], [width, height], drag) {
  return h("button", {
    key: `corner${which}`,
    type: "button",
    class: "corner",
    "data-corner": which + 1,
    style: `left:${100 * (x + 0.5) / width}%;top:${100 * (y + 0.5) / height}%`,
    "aria-label": words.say("corners.handle", { n: which + 1 }),
    onpointerdown: (/** @type {PointerEvent} */ event) => {
      const handle = /** @type {HTMLElement} */ (event.currentTarget);
      handle.setPointerCapture(event.pointerId);
      handle.focus();
    },
    onpointermove: (/** @type {PointerEvent} */ event) => {
      const handle = /** @type {HTMLElement} */ (event.currentTarget);
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = /** @type {HTMLElement} */ (handle.parentElement).getBoundingClientRect();
      drag([(event.clientX - box.left) / box.width * width - 0.5, (event.clientY - box.top) / box.height * height - 0.5]);
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const way = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
      if (!way) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : 1;
      drag([x + step * way[0], y + step * way[1]]);
    },
  }, which + 1);
}

/**
 * The cells as they lie if these are the corners, so that everyone sees whether they fit and how the board is turned.
 * @param {import("./types.js").Layout} layout @param {Point[]} corners
 */
function drawn({ field: [left, top, width, height], cells }, corners) {
  const place = spread(corners);
  return cells.map(({ name, outline }) =>
    h("polygon", {
      key: name,
      class: "edge",
      points: polygon(outline.map(([x, y]) => place((x - left) / width, (y - top) / height))),
    })
  );
}

/**
 * From the unit square to four corners. Source: Heckbert, Fundamentals of Texture Mapping, 1989, section 2.2.3.
 * @param {Point[]} corners
 */
function spread([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = ax * by - bx * ay;
  const [g, k] = [(sx * by - bx * sy) / area, (ax * sy - sx * ay) / area];
  /** @returns {Point} */
  return (/** @type {number} */ u, /** @type {number} */ v) => {
    const depth = g * u + k * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / depth,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / depth,
    ];
  };
}

/** Where the handles wait when nothing is known. @param {Point} size @returns {Point[]} */
const inside = ([width, height]) => [
  [0.25 * width, 0.15 * height],
  [0.75 * width, 0.15 * height],
  [0.75 * width, 0.85 * height],
  [0.25 * width, 0.85 * height],
];

/** @param {Point} point @param {Point} size @returns {Point} */
const within = ([x, y], [width, height]) => [
  Math.round(10 * Math.min(Math.max(x, 0), width - 1)) / 10,
  Math.round(10 * Math.min(Math.max(y, 0), height - 1)) / 10,
];

/** @param {Point} to @param {Point} from @returns {Point} */
const minus = (to, from) => [to[0] - from[0], to[1] - from[1]];

/** By how many degrees the walk around turns at each corner; with the clock is positive. @param {Point[]} corners */
const turns = (corners) =>
  corners.map((corner, k) => {
    const [ax, ay] = minus(corner, corners[(k + 3) % 4]);
    const [bx, by] = minus(corners[(k + 1) % 4], corner);
    return Math.atan2(ax * by - ay * bx, ax * bx + ay * by) * 180 / Math.PI;
  });

/** Whether the segments ab and cd cross. @param {Point} a @param {Point} b @param {Point} c @param {Point} d */
function cross(a, b, c, d) {
  /** @param {Point} p @param {Point} q @param {Point} r */
  const side = (p, q, r) => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
