/**
 * A keyed renderer with Preact's shape: `h()` describes, `render()` makes the document so.
 * Elements that stay keep their identity, so focus, scrolling and running motion survive a new state.
 */

/** @typedef {{tag: string, props: Record<string, any>, children: Child[]}} Node */
/** @typedef {Node | string} Child */

const SVG = "http://www.w3.org/2000/svg";
/** Properties rather than attributes: what a person typed or ticked lives there. */
const AS_PROPERTY = new Set(["value", "checked", "disabled"]);

/** @type {WeakMap<globalThis.Node, Record<string, any>>} What each element was last given. */
const given = new WeakMap();

/**
 * @param {string} tag
 * @param {Record<string, any> | null} props `key` tells siblings apart, `ref` is called with the element after each render.
 * @param {...any} children nested lists are flattened; null and false are left out.
 * @returns {Node}
 */
export function h(tag, props, ...children) {
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return {
    tag,
    props: props ?? {},
    children: kept.map((child) => (typeof child === "object" ? child : String(child))),
  };
}

/**
 * Make the children of `parent` be `nodes`.
 * @param {Child[]} nodes
 * @param {Element} parent
 */
export function render(nodes, parent) {
  /** @type {Map<string, ChildNode[]>} */
  const spare = new Map();
  for (const child of parent.childNodes) {
    const name = label(child.nodeName.toLowerCase(), given.get(child)?.key);
    spare.set(name, [...(spare.get(name) ?? []), child]);
  }
  nodes.forEach((node, index) => {
    const tag = typeof node === "string" ? "#text" : node.tag.toLowerCase();
    const old = spare.get(label(tag, typeof node === "string" ? undefined : node.props.key))?.shift();
    const child = old ?? create(node, parent);
    if (parent.childNodes[index] !== child) parent.insertBefore(child, parent.childNodes[index] ?? null);
    if (typeof node === "string") {
      if (child.nodeValue !== node) child.nodeValue = node;
    } else update(/** @type {Element} */ (child), node);
  });
  for (const left of [...spare.values()].flat()) left.remove();
}

/** @param {string} tag @param {unknown} key */
const label = (tag, key) => (key === undefined ? tag : `${tag}#${key}`);

/** @param {Child} node @param {Element} parent @returns {ChildNode} */
function create(node, parent) {
  if (typeof node === "string") return document.createTextNode(node);
  const drawn = node.tag === "svg" || parent.namespaceURI === SVG;
  return drawn ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
}

/** @param {Element} element @param {Node} node */
function update(element, { props, children }) {
  const before = given.get(element) ?? {};
  if (before === props) return;
  given.set(element, props);
  for (const name of new Set([...Object.keys(before), ...Object.keys(props)])) {
    const value = props[name];
    if (name === "key" || name === "ref") continue;
    if (name.startsWith("on")) /** @type {any} */ (element)[name] = value ?? null;
    else if (AS_PROPERTY.has(name)) {
      if (/** @type {any} */ (element)[name] !== value && value !== undefined) {
        /** @type {any} */ (element)[name] = value;
      }
    } else if (before[name] !== value) {
      if (value === undefined || value === null || value === false) element.removeAttribute(name);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  render(children, element);
  props.ref?.(element);
}
