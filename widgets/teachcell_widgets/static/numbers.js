// How the Explorer writes numbers: three significant digits, a real minus sign.

/** 0.01234 → "0.0123", −2e-7 → "−2e−7". Python sends null for a number that is not finite. */
export function formatNumber(number) {
  if (number === null) return "NaN/Inf";
  const rounded = Number(number.toPrecision(3));
  const size = Math.abs(rounded);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? rounded.toExponential() : String(rounded);
  return text.replace("e+", "e").replaceAll("-", "−");
}

/** A mean that is only rounding noise beside the spread is written as such. */
export function formatMean({ mean, std }) {
  const noise = mean !== null && std !== null && mean !== 0 && Math.abs(mean) < 1e-6 * std;
  return noise ? "≈ 0" : formatNumber(mean);
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
