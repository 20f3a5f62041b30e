/**
 * What the server sends. `GET /api/state` and the WebSocket `/live` carry a Snapshot, `GET /api/layout` a Layout.
 *
 * @typedef {"setup" | "first" | "throw" | "move" | "over"} Phase
 * @typedef {[number, number]} Point millimetres on the sheet, pixels in an overlay, or 0 to 1 in the throwing place
 * @typedef {{seat: string, name: string, colour: string, reserve: number, home: number | null, stakes: number | null, out: boolean}} Player
 * @typedef {{move: string, from: string, to: string, cells: string[]}} Legal
 * @typedef {{x: number, y: number, angle: number, face: "marked" | "plain" | "unsure"}} Bean
 * @typedef {{x: number, y: number, value: number | null}} Die
 * @typedef {{id: number, seat: string, kind: "beans" | "dice", marked: number, dice_values?: number[], steps: number, to_begin: boolean, source: "camera" | "hand", why: string[],
 *   beans?: Bean[], dice?: Die[], crop: string | null}} Throw
 * What a throw that is not certain was taken for; its marks and values only where all of it was made out.
 * @typedef {{kind: "beans" | "dice", counts: boolean, marked: number | null, dice_values: number[], beans: Bean[], dice: Die[]}} Doubtful
 * @typedef {{key: string, args: Record<string, any>}} Said
 * @typedef {Said & {cells: string[], ways: string[]}} Objection
 * @typedef {Said & {id: number, at: string}} Entry
 * @typedef {{size: Point, board: Point[] | null, field: Point[] | null, place: Point[] | null,
 *   pieces: {cell: string, seat: string | number, x: number, y: number}[],
 *   throw: {x: number, y: number, face?: string, value?: number}[]}} Overlay
 * @typedef {{version: number, game: string, preset: string, layout: string, phase: Phase, turn: string | null,
 *   winner: string | null, paused: boolean, seats: Player[], needs: {beans: number, dice: number}, pot: number | null, dropped: number | null, pieces: Record<string, string[]>, legal: Legal[],
 *   throw: Throw | null, doubtful: Doubtful | null, undo: Entry | null, seen: {state: string, plights: string[]} | null,
 *   camera: {identity: string, fps: number | null, state: string, size: Point | null} | null,
 *   message: Said, unwatched: string | null, objection: Objection | null, log: Entry[], strip: {state: string, colours: string[]} | null,
 *   overlay: Overlay | null, sight: "tags" | "corners" | "nothing", demo: boolean}} Snapshot
 *
 * @typedef {{name: string, centre: Point, outline: Point[], kind: string, seat: string | number | null, led?: number | null}} CellPlace
 * @typedef {{name: string, game: string, sheet: Point, field: [number, number, number, number],
 *   place: [number, number, number, number] | null, cells: CellPlace[]}} Layout
 *
 * What this page alone knows; `draft` is the next game as far as somebody has changed it.
 * @typedef {{preset: string, seats: string[], names: Record<string, string>}} Draft
 * @typedef {{online: boolean, hand: boolean, tapped: {type: "throw" | "recast", dice: number[]} | null, camera: boolean, dialog: "" | "undo" | "new" | "menu" | "why" | "corners",
 *   corners: Point[] | null, notice: string,
 *   theme: "auto" | "light" | "dark", draft: Draft | null}} Own
 * @typedef {import("./words.js").Words} Words
 * @typedef {{
 *   set: (change: Partial<Own>) => void, command: (command: Record<string, unknown>) => Promise<void>,
 *   language: (language: string) => void, theme: (theme: "auto" | "light" | "dark") => void}} Acts
 * @typedef {{state: Snapshot, own: Own, layout: Layout, words: Words, acts: Acts}} Page
 */
export {};
