// Error rates of one group, from its confusion matrix: counts[actual][predicted].

// `code` is the positive class. A share of no rows is null.
export function rates(counts, code) {
  const all = counts.flat().reduce((a, b) => a + b, 0);
  const sum = (row) => row.reduce((a, b) => a + b, 0);
  const positives = sum(counts[code]);
  const negatives = all - positives;
  const selected = counts.reduce((total, row) => total + row[code], 0);
  const right = counts.reduce((total, row, actual) => total + row[actual], 0);
  const share = (part, whole) => (whole ? part / whole : null);
  return {
    rows: all,
    accuracy: share(right, all),
    selected: share(selected, all),
    falsePositive: share(selected - counts[code][code], negatives),
    falseNegative: share(positives - counts[code][code], positives),
  };
}
