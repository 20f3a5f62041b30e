/** The photo with the board's corners, the cross and its handles over it. */

import { h } from "../h.js";
import { handles, lines } from "./cross.js";
import { back, planeOf, through } from "./plane.js";

/** @typedef {import("./plane.js").Point} Point */
/** @typedef {import("./main.js").Page} Page */

const ARROWS = /** @type {Record<string, Point>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
const STRIDE_PX = 10;
/** Sizes of handles, as shares of the longer side of the picture. */
const CORNER = 0.013;
const GRIP = 0.006;
/** On a page narrower than this, handles grow against the picture. */
const WIDE_PX = 900;

/** @param {Page} page */
export function photo({ task, work, words, set }) {
  const [width, height] = task.size;
  const unit = Math.max(width, height) * Math.max(1, WIDE_PX / innerWidth);
  const plane = planeOf(work.corners);
  return h(
    "div",
    { class: "photo" },
    h(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": words.say("calibrate.photo") },
      h("image", { href: "/photo.jpg", width, height, preserveAspectRatio: "none" }),
      h("polygon", { class: "field", points: work.corners.map((at) => at.join(",")).join(" ") }),
      work.nodes ? cross(work.nodes, work.round, plane) : null,
      work.nodes
        ? handles(work.nodes).map((handle) =>
          grip({
            key: handle.key,
            kind: handle.kind,
            at: through(plane, handle.at),
            radius: GRIP * unit,
            name: words.say(handle.name[0], { ...handle.name[1], arm: words.say(`calibrate.arm.${handle.name[1].arm}`) }),
            // Both ends through the same plane: a handle stays under the finger also where the board is seen askew.
            drag: (from, to) => {
              const [a, b] = [through(back(plane), from), through(back(plane), to)];
              set({ nodes: handle.move([b[0] - a[0], b[1] - a[1]]) });
            },
          })
        )
        : null,
      work.corners.map((at, i) =>
        grip({
          key: `corner-${i + 1}`,
          kind: "corner",
          at,
          radius: CORNER * unit,
          name: words.say("calibrate.corner", { n: i + 1 }),
          mark: String(i + 1),
          drag: (from, to) => {
            const moved = [at[0] + to[0] - from[0], at[1] + to[1] - from[1]];
            const inside = /** @type {Point} */ ([clamp(moved[0], width - 1), clamp(moved[1], height - 1)]);
            set({ corners: work.corners.map((other, k) => (k === i ? inside : other)) });
          },
        })
      ),
    ),
  );
}

/** @param {import("./cross.js").Mesh} nodes @param {boolean} round @param {import("./plane.js").Plane} plane */
function cross(nodes, round, plane) {
  const path = lines(nodes, round).map((line) => `M${line.map((at) => through(plane, at).map((v) => v.toFixed(1)).join(" ")).join("L")}`).join("");
  return [h("path", { class: "under", d: path }), h("path", { class: "cross", d: path })];
}

/**
 * Something to drag, by finger or with the arrow keys.
 * @param {{key: string, kind: string, at: Point, radius: number, name: string, mark?: string, drag: (from: Point, to: Point) => void}} what
 */
function grip({ key, kind, at, radius, name, mark, drag }) {
  return h(
    "g",
    {
      key,
      class: `grip ${kind}`,
      "data-grip": key,
      tabindex: 0,
      role: "button",
      "aria-label": name,
      transform: `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`,
      onpointerdown: (/** @type {PointerEvent} */ event) => take(event, at),
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (!held || held.pointer !== event.pointerId) return;
        const to = inPicture(event);
        drag(at, [to[0] - held.off[0], to[1] - held.off[1]]);
      },
      onpointerup: () => held = null,
      onpointercancel: () => held = null,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = ARROWS[event.key];
        if (!step) return;
        event.preventDefault();
        const stride = event.shiftKey ? STRIDE_PX : 1;
        drag(at, [at[0] + step[0] * stride, at[1] + step[1] * stride]);
      },
    },
    h("title", null, name),
    h("circle", { class: "reach", r: radius * 1.9 }),
    h("circle", { class: "knob", r: radius }),
    mark ? h("text", { "font-size": radius * 1.3, dy: radius * 0.45 }, mark) : null,
  );
}

/** @type {{pointer: number, off: Point} | null} How far from a handle's middle it was taken. */
let held = null;

/** @param {PointerEvent} event @param {Point} at */
function take(event, at) {
  const [x, y] = inPicture(event);
  held = { pointer: event.pointerId, off: [x - at[0], y - at[1]] };
  /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
}

/** @param {PointerEvent} event @returns {Point} pixels of the picture as stored */
function inPicture(event) {
  const svg = /** @type {SVGSVGElement} */ (/** @type {SVGElement} */ (event.currentTarget).ownerSVGElement);
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  return [x, y];
}

/** @param {number} value @param {number} most */
const clamp = (value, most) => Math.min(Math.max(value, 0), most);
