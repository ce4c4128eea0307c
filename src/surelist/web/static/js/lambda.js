// λ, the price of a rule, as a share of the rows.

// Where the slider stops.
export const LAMBDAS = [
  "0.0005",
  "0.001",
  "0.0015",
  "0.002",
  "0.0025",
  "0.003",
  "0.004",
  "0.005",
  "0.0075",
  "0.01",
  "0.0125",
  "0.015",
  "0.02",
  "0.025",
  "0.03",
  "0.04",
  "0.05",
  "0.075",
  "0.1",
  "0.15",
  "0.2",
];

// The stop nearest to a value, as a ratio: 0.001 and 0.002 are as far apart as 0.1 and 0.2.
export function nearestLambda(value) {
  const distance = (index) => Math.abs(Math.log(LAMBDAS[index] / value));
  return LAMBDAS.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0);
}

// What was typed, with a point; null where it is no number between 0 and 1.
export function typedLambda(typed) {
  const text = typed.trim().replace(",", ".");
  return /^0?\.\d{1,12}$/.test(text) ? text : null;
}

// How many more rows a rule has to get right.
export function rowsToPay(share, rows) {
  return Math.max(1, Math.ceil(share * rows));
}

export function lambdaAdvice(share) {
  if (share >= 0.03) return "Few rules, quickly proven.";
  if (share < 0.004) return "Longer lists; proving them can take long.";
  return "A good place to begin.";
}
