// Why the objectives of two runs say nothing of which is better; null where they do.
export function incomparable(results) {
  const [a, b] = results;
  if (a.regularization !== b.regularization)
    return `Their λ differ (${a.regularization} and ${b.regularization}): a rule has another price in each, so their objectives cannot be compared. Compare accuracy and length.`;
  if (a.weighted || b.weighted)
    return "Weights of classes are part of the objective: compare objectives only where the weights are the same.";
  return null;
}
