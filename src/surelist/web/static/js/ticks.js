// Ticks of a logarithmic axis that read as numbers: plotly's are called 2 and 5 between powers of ten.

const MOST = 9;
const words = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

// 1, 2 and 5 in every power of ten where there is room for them; else powers of ten, evenly apart.
export function logTicks(values) {
  const known = values.filter((value) => value > 0);
  if (known.length === 0) return {};
  const first = Math.floor(Math.log10(Math.min(...known)));
  const last = Math.ceil(Math.log10(Math.max(...known)));
  const digits = last - first <= MOST / 3 ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil((last - first) / MOST));
  const tickvals = [];
  // 10 to the power of -3 is not exactly 0.001; the number with that text is.
  for (let power = first; power <= last; power += step)
    tickvals.push(...digits.map((digit) => Number(`${digit}e${power}`)));
  return { tickvals, ticktext: tickvals.map((value) => words.format(value)) };
}
