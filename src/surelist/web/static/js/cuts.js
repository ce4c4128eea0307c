// Where a column of numbers is cut: in order, each once.

// How far an arrow key moves a cut: a hundredth of the range.
export function stepOf(low, high, whole) {
  const hundredth = (high - low) / 100;
  return whole ? Math.max(1, Math.round(hundredth)) : hundredth;
}

// The cut, rounded to a short number.
export function neatCut(value, whole) {
  return whole ? Math.round(value) : Number(value.toPrecision(4));
}

// Dates are cut on days, which the histogram counts from 1970.
const DAY = 24 * 3600 * 1000;

export const toDays = (text) => Math.round(Date.parse(`${text}T00:00:00Z`) / DAY);
export const fromDays = (days) => new Date(Math.round(days) * DAY).toISOString().slice(0, 10);

export function settled(cuts) {
  return [...new Set(cuts)].sort((a, b) => a - b);
}

// One more cut, in the middle of the widest part.
export function withCut(cuts, low, high, whole) {
  const ends = [low, ...cuts, high];
  let widest = 0;
  for (let i = 1; i < ends.length - 1; i += 1)
    if (ends[i + 1] - ends[i] > ends[widest + 1] - ends[widest]) widest = i;
  return settled([...cuts, neatCut((ends[widest] + ends[widest + 1]) / 2, whole)]);
}
