/** A board of one's own: drag its corners, find its lines, set them right, save the layout. */

import { h, render } from "../h.js";
import { applyTheme, firstTheme } from "../theme.js";
import { firstLanguage, Words } from "../words.js";
import { mesh, standard } from "./cross.js";
import { panel } from "./panel.js";
import { photo } from "./photo.js";

/** @typedef {import("./plane.js").Point} Point */
/** @typedef {{arm: string, seen: number, lines: number, faint: boolean, mm: number, px: number}} Arm */
/**
 * @typedef {{corners: Point[], nodes: import("./cross.js").Mesh | null, round: boolean, rows: number[], size: Point, arms: Arm[],
 *   busy: boolean, refused: {key: string, args: Record<string, any>} | null, saved: {file: string, command: string} | null}} Work
 * @typedef {{name: string, size: Point, nodes: Point[], out: string, rows: number[]}} Task
 * @typedef {{task: Task, work: Work, words: Words, set: (change: Partial<Work>) => void, find: () => void, lay: () => void,
 *   save: () => void}} Page
 */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const INSET = 0.08;
const USUAL_MM = /** @type {Point} */ ([420, 420]);

applyTheme(firstTheme());
const words = await Words.load(firstLanguage());
document.documentElement.lang = words.language;
/** @type {Task} */
const task = await (await fetch("/api/photo")).json();
const [width, height] = task.size;
document.title = `${words.say("calibrate.title")} · Macuil`;

/** @type {Work} */
let work = {
  corners: [[INSET, INSET], [1 - INSET, INSET], [1 - INSET, 1 - INSET], [INSET, 1 - INSET]].map(([x, y]) => [x * width, y * height]),
  nodes: null,
  round: false,
  rows: task.rows,
  size: USUAL_MM,
  arms: [],
  busy: false,
  refused: null,
  saved: null,
};

/** @param {Partial<Work>} change */
function set(change) {
  work = { ...work, refused: null, saved: null, ...change };
  draw();
}

/** At once: the next arrow key, or one held down, must find what the last one did. */
function draw() {
  const page = { task, work, words, set, find, lay, save };
  render([h("main", { class: "calibrate" }, photo(page), panel(page))], root);
}

/** @param {string} path @param {Record<string, any>} body @returns {Promise<Record<string, any> | null>} null: refused, and said */
async function ask(path, body) {
  set({ busy: true });
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    set({ busy: false, refused: answer.ok ? null : said.key ? said : { key: "numbers", args: {} } });
    return answer.ok ? said : null;
  } catch {
    set({ busy: false, refused: { key: "gone", args: {} } });
    return null;
  }
}

async function find() {
  const found = await ask("/api/fit", { corners: work.corners });
  if (found) set({ ...found, nodes: mesh(task.nodes, found.nodes) });
}

async function lay() {
  if (await ask("/api/check", { corners: work.corners })) set({ nodes: standard(task.nodes), arms: [] });
}

async function save() {
  const { corners, round, rows, size, nodes } = work;
  const saved = await ask("/api/save", { corners, round, rows, size, nodes: [.../** @type {import("./cross.js").Mesh} */ (nodes).values()] });
  if (saved) set({ saved: /** @type {Work["saved"]} */ (saved) });
}

draw();
