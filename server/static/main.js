/** The dashboard: the table's state on a tablet. */

import { h, render } from "./h.js";
import { Live } from "./live.js";
import { explain, remember } from "./motion.js";
import { applyTheme, firstTheme } from "./theme.js";
import { view } from "./view.js";
import { firstLanguage, Words } from "./words.js";

/** @typedef {import("./types.js").Snapshot} Snapshot */
/** @typedef {import("./types.js").Layout} Layout */

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const NOTICE_MS = 6_000;
const NEEDS = { beans: 0, dice: 0 };
const NOTHING = { game: "", preset: "", needs: NEEDS, pot: null, dropped: null, throw: null, doubtful: null, winner: null, paused: false };
const WIDE = "(min-width: 700px)";

/** @type {import("./types.js").Own} */
let own = {
  online: false,
  hand: false,
  tapped: null,
  camera: false,
  dialog: "",
  corners: null,
  notice: "",
  theme: firstTheme(),
  draft: null,
};
/** @type {Snapshot | null} */
let state = null;
/** @type {Layout | null} */
let layout = null;
/** @type {string | null} The layout asked for, so that each is fetched once. */
let asked = null;
let words = await Words.load(firstLanguage());
let noticed = 0;

/** @type {import("./types.js").Acts} */
const acts = {
  set(change) {
    own = { ...own, ...change };
    draw();
  },
  async command(command) {
    own = { ...own, dialog: "", notice: "", tapped: null };
    draw();
    const answer = await live.send(command);
    if (answer.ok) {
      // One move by hand is an exception; whoever throws by hand goes on like that.
      if (command.type === "move" && state?.throw?.source !== "hand") acts.set({ hand: false });
    } else notice(words.say(`error.${answer.why}`, { text: answer.text }));
  },
  async language(language) {
    localStorage.setItem("language", language);
    words = await Words.load(language);
    draw();
  },
  theme(theme) {
    localStorage.setItem("theme", theme);
    applyTheme(theme);
    acts.set({ theme });
  },
};

/** @param {string} text */
function notice(text) {
  clearTimeout(noticed);
  noticed = setTimeout(() => acts.set({ notice: "" }), NOTICE_MS);
  acts.set({ notice: text });
}

/** At once: what is done next, by a key held down, must find what was done before. */
function draw() {
  document.documentElement.lang = words.language;
  if (!state || !layout) return render([h("p", { class: "waiting", role: "status" }, words.say("ui.waiting"))], root);
  words.names = Object.fromEntries(state.seats.map(({ seat, name }) => [seat, name]));
  words.game = layout.game;
  document.title = state.turn ? `${words.who(state.turn)} · Macuil` : "Macuil";
  const before = remember(root);
  render(view({ state, own, layout, words, acts }), root);
  explain(before, state, layout);
}

/** @param {string} name */
async function fetchLayout(name) {
  asked = name;
  try {
    layout = await (await fetch("/api/layout")).json();
  } catch {
    asked = null;
  }
  draw();
}

/** @param {Snapshot} snapshot */
function adopt(snapshot) {
  if (state === null) own = { ...own, camera: snapshot.demo && matchMedia(WIDE).matches };
  // Dice tapped so far are of one throw: once it is thrown or taken back, they are not of the next.
  else if (
    state.turn !== snapshot.turn || state.throw?.id !== snapshot.throw?.id || !state.doubtful !== !snapshot.doubtful
  ) own = { ...own, tapped: null };
  // Before the first game there is no pot, no throw and no preset to send.
  state = { ...NOTHING, ...snapshot };
  if (asked !== snapshot.layout) fetchLayout(snapshot.layout);
  draw();
}

applyTheme(own.theme);
draw();
const live = new Live(adopt, (online) => online !== own.online && acts.set({ online }));
