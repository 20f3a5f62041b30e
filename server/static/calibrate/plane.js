/** From the board, whose sides are 1 long, to the picture and back. */

/** @typedef {[number, number]} Point */
/** @typedef {number[]} Plane nine numbers, row by row */

/**
 * The plane on which the unit square has these corners, clockwise from its top left.
 * Source: Heckbert, Fundamentals of Texture Mapping, 1989, section 2.2.3.
 * @param {Point[]} corners @returns {Plane}
 */
export function planeOf([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1];
}

/** @param {Plane} p @param {Point} at @returns {Point} */
export function through(p, [x, y]) {
  const w = p[6] * x + p[7] * y + p[8];
  return [(p[0] * x + p[1] * y + p[2]) / w, (p[3] * x + p[4] * y + p[5]) / w];
}

/** The way back, up to a factor, which `through` does not mind. @param {Plane} p @returns {Plane} */
export function back([a, b, c, d, e, f, g, h, i]) {
  return [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
}
