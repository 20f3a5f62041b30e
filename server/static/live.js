/** The line to the table: snapshots in, commands out. It mends itself. */

/** @typedef {import("./types.js").Snapshot} Snapshot */

const SILENT_MS = 12_000;
/** The server speaks at least every 4 s; three missed heartbeats mean that the line is dead. */
const LONGEST_WAIT_MS = 1_000;
const WOKEN_MS = 5_000;
/** A socket that was silent this long while the tablet slept is not trusted. */
const ANSWER_MS = 5_000;

export class Live {
  /**
   * @param {(snapshot: Snapshot) => void} adopt called with each state to show, newest last
   * @param {(online: boolean) => void} told called when the line breaks or comes back
   */
  constructor(adopt, told) {
    this.adopt = adopt;
    this.told = told;
    this.client = name();
    this.version = -1;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.heard = 0;
    this.failures = 0;
    this.timer = 0;
    setInterval(() => this.distrust(SILENT_MS), 1_000);
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.distrust(WOKEN_MS),
    );
    addEventListener("online", () => this.open());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.socket?.close();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    this.socket = socket;
    this.heard = performance.now();
    socket.onmessage = ({ data }) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      const snapshot = JSON.parse(data || "{}");
      if (snapshot.version === undefined) return;
      this.failures = 0;
      this.told(true);
      this.show(snapshot);
    };
    socket.onclose = () => {
      if (socket !== this.socket) return;
      this.told(false);
      this.timer = setTimeout(() => this.open(), Math.min(LONGEST_WAIT_MS, 100 * 2 ** this.failures++));
    };
  }

  /** Within one connection snapshots come in order, and a new connection knows best. @param {Snapshot} snapshot */
  show(snapshot) {
    this.version = snapshot.version;
    this.adopt(snapshot);
  }

  /** @param {number} limit_ms */
  distrust(limit_ms) {
    if (this.socket && this.socket.readyState < WebSocket.CLOSING && performance.now() - this.heard < limit_ms) return;
    if (this.socket && this.socket.readyState >= WebSocket.CLOSING && limit_ms === SILENT_MS) return;
    this.told(false);
    this.open();
  }

  /**
   * Ask the table for something.
   * @param {Record<string, unknown>} command
   * @returns {Promise<{ok: true} | {ok: false, why: "stale" | "refused" | "lost", text: string}>}
   */
  async send(command) {
    try {
      const answer = await fetch("/api/commands", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ client: this.client, version: this.version, command }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const body = await answer.json();
      if (answer.ok) return { ok: true };
      if (answer.status !== 409) return { ok: false, why: "refused", text: String(body.error ?? "") };
      const state = body.state ?? body;
      if (state.version > this.version) this.show(state);
      return { ok: false, why: "stale", text: "" };
    } catch {
      return { ok: false, why: "lost", text: "" };
    }
  }
}

/** A name for this page among the clients; without HTTPS there is no randomUUID. */
function name() {
  const stored = sessionStorage.getItem("client");
  if (stored) return stored;
  const made = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  sessionStorage.setItem("client", made);
  return made;
}
