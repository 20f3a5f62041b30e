/** Words in the reader's language. The server sends keys and arguments, never sentences. */

/** @typedef {Record<string, any>} Catalogue */
/** @typedef {Record<string, string | number | null | undefined>} Args */

export const LANGUAGES = { en: "English", ru: "Русский", es: "Español" };
/** The last two sit only at Batok, where sticks are nobody's. */
const COLOURS = { 1: "jade", 2: "maize", 3: "coral", 4: "indigo", 5: "obsidian", 6: "bone" };
/** Arguments that hold a seat, shown as who plays it; what is no seat (a person's name) stays as it is. */
const SEAT_ARGS = new Set(["seat", "owner", "by", "payer", "payee", "winner"]);

/** The language to begin with: the one chosen before, else the browser's first that we speak, else English. */
export function firstLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag) => tag in LANGUAGES) ?? "en";
}

/** @param {string} seat */
export const colourOf = (seat) => COLOURS[/** @type {1} */ (Number(seat))] ?? "ink";

/** Where a sentence takes an argument. */
const SLOT = /\{(\w+)\}/g;

export class Words {
  /** @param {string} language @param {Catalogue} catalogue */
  constructor(language, catalogue) {
    this.language = language;
    this.catalogue = catalogue;
    this.plural = new Intl.PluralRules(language);
    /** @type {Record<string, string>} What players call themselves, by seat; empty for those who have not said. */
    this.names = {};
    /** The game on the table: some have sentences of their own, `key.game`. */
    this.game = "";
  }

  /** @param {string} language @returns {Promise<Words>} */
  static async load(language) {
    const answer = await fetch(`/ui/i18n/${language}.json`);
    if (!answer.ok) throw new Error(`no words for ${language}: ${answer.status}`);
    return new Words(language, await answer.json());
  }

  /** @param {string} key */
  has(key) {
    return key in this.catalogue;
  }

  /**
   * The sentence for a key. `{name}` takes an argument; an entry with plural forms names in `by` the argument that
   * counts. Names cannot be declined: sentences are such that every name stands in the nominative.
   * @param {string} key
   * @param {Args} [args]
   * @returns {string}
   */
  say(key, args = {}) {
    let text = this.catalogue[`${key}.${this.game}`] ?? this.catalogue[key];
    if (text === undefined) return "";
    if (typeof text === "object") text = text[this.plural.select(Number(args[text.by]))] ?? text.other;
    const filled = text.replace(
      SLOT,
      (/** @type {string} */ _, /** @type {string} */ name) =>
        SEAT_ARGS.has(name) ? this.who(args[name]) : String(args[name] ?? ""),
    );
    return filled.charAt(0).toLocaleUpperCase(this.language) + filled.slice(1);
  }

  /** A move in few words, within a sentence or alone: `reserve>4`, `4,hole`, `pass`. @param {string} move */
  move(move) {
    return this.catalogue[`move.${move}`] ?? move.split(">").map((end) => this.sticks(end)).join(" → ");
  }

  /** Where sticks go, as in Batok's `6,hole`. @param {string} move */
  sticks(move) {
    return move.split(",").map((cell) => this.place(cell)).join(" + ");
  }

  /** A cell, or the word for reserve, home and hole. @param {string} name */
  place(name) {
    return this.catalogue[`place.${name}`] ?? name;
  }

  /** "a, b or c". @param {string[]} choices */
  either(choices) {
    return new Intl.ListFormat(this.language, { type: "disjunction" }).format(choices);
  }

  /** Whether there is a sentence for a key, and every argument it takes. @param {string} key @param {Args} args */
  fits(key, args) {
    return this.has(key) && [...this.catalogue[key].matchAll(SLOT)].every(([, name]) => args[name] != null);
  }

  /** A player's name, or the colour of a seat without one. @param {string | number | null | undefined} seat */
  who(seat) {
    return this.names[String(seat)] || this.seat(seat);
  }

  /** A seat's colour as a word; also "pot" and "referee". @param {string | number | null | undefined} seat */
  seat(seat) {
    const name = COLOURS[/** @type {1} */ (Number(seat))] ?? seat;
    return this.catalogue[`seat.${name}`] ?? String(seat ?? "");
  }
}
