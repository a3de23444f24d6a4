// How the Explorer writes numbers: as texts/numbers.py does.

/** Three significant digits, a real minus sign: 0.01234 → "0.0123", −5e-5 → "−5e−5"; null is a dash. */
export function formatNumber(number) {
  if (number === null) return "–";
  if (Number.isNaN(number)) return "NaN";
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞";
  const rounded = Number(number.toPrecision(3));
  const size = Math.abs(rounded);
  const text = size !== 0 && (size <= 1e-4 || size >= 1e5) ? rounded.toExponential() : String(rounded);
  return text.replace("e+", "e").replaceAll("-", "−");
}

/** The only number of an array. A summary holds null for one that is not finite, and no sign of it. */
export function formatScalar({ first, nan }) {
  return first === null ? (nan ? "NaN" : "±∞") : formatNumber(first);
}

/** One number of a map, which holds null for those that are not finite. */
export function formatElement(number) {
  return number === null ? "NaN/∞" : formatNumber(number);
}

/** A mean that is only rounding noise beside the spread is written as such. */
export function formatMean({ mean, std }) {
  const noise = mean !== null && std !== null && mean !== 0 && Math.abs(mean) < 1e-6 * std;
  return noise ? "≈ 0" : formatNumber(mean);
}

/** A shape as Python writes it: "(32, 10)", "(3,)". */
export function formatShape(sizes) {
  return `(${sizes.join(", ")}${sizes.length === 1 ? "," : ""})`;
}

/** The index, in an array of this shape, of element [row, column] of its 2-D form reshape(-1, shape[-1]). */
export function formatIndex(shape, row, column) {
  const index = [];
  let flat = row * (shape.at(-1) ?? 1) + column;
  for (const length of [...shape].reverse()) {
    index.unshift(flat % length);
    flat = Math.floor(flat / length);
  }
  return `[${index.join(", ")}]`;
}
