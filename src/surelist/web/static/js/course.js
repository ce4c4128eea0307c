// The course of a search, made ready for its charts.

// The first sample is from before any list was searched: it would flatten the rest of the chart.
export function settledPoints(all) {
  return all.length > 2 && all[0].time < 0.05 ? all.slice(1) : all;
}

// How much of the objective is proven, from 0 to 1.
export function gapShare({ lower_bound: bound, objective }) {
  return Math.max(0, Math.min(1, bound / (objective || 1)));
}

// The eight bounds that have cut off most, the strongest last, by the names people read.
export function mostPruned(pruned) {
  return Object.entries(pruned)
    .filter(([, n]) => n > 0)
    .sort((a, b) => a[1] - b[1])
    .slice(-8)
    .map(([name, n]) => [name.replaceAll("_", " "), n]);
}

// The end is not reported while it runs: it is what the result says. The clock of the search leaves
// out the reading of the table, which that of the reports counts, and time never goes back.
export function concluded(points, { counters, objective, lower_bound }) {
  const moments = points.filter((point) => !point.stage);
  const time = Math.max(counters.time, moments.at(-1)?.time ?? 0);
  return [...moments, { time, objective, lower_bound }];
}
