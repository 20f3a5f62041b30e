/** The camera's picture with the overlay of what was read in it. */

import { h } from "./h.js";
import { mark } from "./marks.js";
import { colourOf } from "./words.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Overlay} Overlay */

const AGAIN_MS = 1_000;

/** The one picture stream of this page; open only while somebody looks. */
class Stream {
  constructor() {
    /** @type {HTMLCanvasElement | null} */
    this.canvas = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    setInterval(() => this.tend(), AGAIN_MS);
    document.addEventListener("visibilitychange", () => this.tend());
  }

  /** Draw on this canvas from now on. @param {HTMLCanvasElement} canvas */
  show(canvas) {
    if (canvas === this.canvas) return;
    this.canvas = canvas;
    this.tend();
  }

  /** Open or close the line as is needed now. */
  tend() {
    const wanted = this.canvas?.isConnected && document.visibilityState === "visible";
    if (!wanted) {
      this.socket?.close();
      this.socket = null;
    } else if (!this.socket || this.socket.readyState >= WebSocket.CLOSING) this.open();
  }

  open() {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/camera`);
    this.socket = socket;
    socket.binaryType = "blob";
    socket.onmessage = async ({ data }) => {
      try {
        const picture = await createImageBitmap(data);
        if (this.canvas?.isConnected) draw(this.canvas, picture);
        picture.close();
      } finally {
        // Only a picture that was shown is answered: the next one is then the newest there is.
        if (socket.readyState === WebSocket.OPEN) socket.send("shown");
      }
    };
  }
}

/** @type {Stream | null} */
let stream = null;

/** Show the camera on this canvas and no longer on another. @param {HTMLCanvasElement} canvas */
export const show = (canvas) => (stream ??= new Stream()).show(canvas);

/** @param {HTMLCanvasElement} canvas @param {ImageBitmap} picture */
function draw(canvas, picture) {
  if (canvas.width !== picture.width || canvas.height !== picture.height) {
    canvas.width = picture.width;
    canvas.height = picture.height;
  }
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
}

/** @param {Page} page */
export function camera({ state, words }) {
  const about = state.camera;
  const [width, height] = state.overlay?.size ?? about?.size ?? [1280, 720];
  const facts = [about?.identity, about?.fps ? words.say("ui.fps", { n: Math.round(about.fps) }) : null];
  return h(
    "section",
    { class: "camera", "aria-label": words.say("ui.camera") },
    h(
      "div",
      { class: "picture", style: `aspect-ratio:${width}/${height}` },
      h("canvas", {
        role: "img",
        "aria-label": words.say("ui.camera_picture"),
        ref: show,
      }),
      state.overlay ? overlay(state.overlay, [width, height]) : null,
      h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      about?.state === "ok" ? null : h("p", { class: "veil" }, words.say(`camera.${about?.state ?? "lost"}`)),
    ),
  );
}

/** @param {Overlay} read @param {[number, number]} size */
function overlay({ board, place, pieces, throw: lying }, [width, height]) {
  /** @param {[number, number][]} corners */
  const area = (corners) => corners.map((point) => point.join(",")).join(" ");
  return h(
    "svg",
    { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    board ? h("polygon", { class: "edge", points: area(board) }) : null,
    place ? h("polygon", { class: "edge", points: area(place) }) : null,
    pieces.map(({ cell, seat, x, y }) =>
      h(
        "g",
        { key: `piece${cell}${seat}`, class: `read seat-${colourOf(String(seat))}`, transform: `translate(${x} ${y})` },
        h("circle", { r: width / 48 }),
        mark(String(seat), [0, 0], width / 84),
      )
    ),
    lying.map(({ x, y, face, value }, i) =>
      h(
        "g",
        { key: `lies${i}`, class: `read lies ${face ?? ""}`, transform: `translate(${x} ${y})` },
        h("circle", { r: width / 52 }),
        value ? h("text", { "font-size": width / 40, y: width / 110 }, value) : null,
      )
    ),
  );
}
