/** Words in the reader's language. The server sends keys and arguments, never sentences. */

/** @typedef {Record<string, any>} Catalogue */
/** @typedef {Record<string, string | number | null | undefined>} Args */

export const LANGUAGES = { en: "English", ru: "Русский", es: "Español" };
const COLOURS = { 1: "jade", 2: "maize", 3: "coral", 4: "indigo" };
/** Seats that only Batok has: nothing of theirs stands on a board, so they have a name but no paint. */
const UNPAINTED = { 5: "obsidian", 6: "bone" };
/** Arguments that hold a seat, shown as its colour's name; what is no seat (a person's name) stays as it is. */
const SEAT_ARGS = new Set(["seat", "owner", "by", "payer", "payee", "winner"]);

/** The language to begin with: the one chosen before, else the browser's first that we speak, else English. */
export function firstLanguage() {
  const wanted = [localStorage.getItem("language") ?? "", ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wanted.find((tag) => tag in LANGUAGES) ?? "en";
}

/** @param {string} seat */
export const colourOf = (seat) => COLOURS[/** @type {1} */ (Number(seat))] ?? "ink";

/** Where a sentence takes an argument, perhaps in a case. */
const SLOT = /\{(\w+)(?::(\w+))?\}/g;

export class Words {
  /** @param {string} language @param {Catalogue} catalogue */
  constructor(language, catalogue) {
    this.language = language;
    this.catalogue = catalogue;
    this.plural = new Intl.PluralRules(language);
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
   * The sentence for a key. `{name}` takes an argument, `{seat:dat}` a seat's colour in a case of its language;
   * an entry with plural forms names in `by` the argument that counts.
   * @param {string} key
   * @param {Args} [args]
   * @returns {string}
   */
  say(key, args = {}) {
    let text = this.catalogue[key];
    if (text === undefined) return "";
    if (typeof text === "object") text = text[this.plural.select(Number(args[text.by]))] ?? text.other;
    const filled = text.replace(
      SLOT,
      (/** @type {string} */ _, /** @type {string} */ name, form = "nom") => {
        const value = args[name];
        return SEAT_ARGS.has(name) ? this.seat(value, form) : String(value ?? "");
      },
    );
    return filled.charAt(0).toLocaleUpperCase(this.language) + filled.slice(1);
  }

  /** Whether there is a sentence for a key, and every argument it takes. @param {string} key @param {Args} args */
  fits(key, args) {
    return this.has(key) && [...this.catalogue[key].matchAll(SLOT)].every(([, name]) => args[name] != null);
  }

  /** A seat's colour as a word; also "pot" and "referee". @param {string | number | null | undefined} seat @param {string} [form] */
  seat(seat, form = "nom") {
    const name = { ...COLOURS, ...UNPAINTED }[/** @type {1} */ (Number(seat))] ?? seat;
    const forms = this.catalogue[`seat.${name}`] ?? {};
    return forms[form] ?? forms.nom ?? String(seat ?? "");
  }
}
