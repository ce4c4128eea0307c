// A set of lists as the server sends it: which of them fulfil conditions, in which order, and the
// tree that their rules make. Nothing here touches the page.

export const ORDERS = [
  ["objective", "Objective"],
  ["accuracy", "Accuracy"],
  ["length", "Number of rules"],
  ["gap", "Gap between groups"],
];

// The set with antecedents by other names, which say the same of the rows, where these do without a
// column that is not wanted, or ask about one that is.
export function written(set, wanted) {
  const antecedents = [...set.antecedents];
  const asks = [...set.asks];
  const rank = ([, columns, isShort]) =>
    2 * columns.includes(wanted.without) - (isShort && columns.includes(wanted.using));
  set.other_names.forEach((others, index) => {
    const shown = [antecedents[index], asks[index], true];
    const best = others.reduce((a, b) => (rank(b) < rank(a) ? b : a), shown);
    [antecedents[index], asks[index]] = best;
  });
  return { ...set, antecedents, asks };
}

// What the page calls a rate whose gap between groups is shown.
export const rateWords = (rate) =>
  ({ FPR: "false positive rate", error: "error rate" })[rate] ?? rate;

// The columns that a list asks about.
export function columnsOf(set, index) {
  return new Set(set.prefixes[index].flatMap((antecedent) => set.asks[antecedent]));
}

// Places of the lists that are wanted, in order. `wanted`: without and using (a column's number or
// null), maxLength or null, group (a place in set.gaps or null), maxGap or null, order.
export function chosen(set, wanted) {
  const gaps = wanted.group === null ? null : set.gaps[wanted.group].gaps;
  const keep = set.prefixes.map((_, index) => index).filter((index) => {
    if (wanted.maxLength !== null && set.prefixes[index].length > wanted.maxLength) return false;
    if (gaps !== null && wanted.maxGap !== null && gaps[index] > wanted.maxGap) return false;
    if (wanted.without === null && wanted.using === null) return true;
    const columns = columnsOf(set, index);
    return !columns.has(wanted.without) && (wanted.using === null || columns.has(wanted.using));
  });
  const value = {
    objective: (index) => set.objectives[index],
    accuracy: (index) => -set.accuracies[index],
    length: (index) => set.prefixes[index].length,
    gap: (index) => (gaps === null ? set.objectives[index] : gaps[index]),
  }[wanted.order];
  return keep.sort((a, b) => value(a) - value(b) || a - b);
}

// The rules of lists as a tree: first rule, second rule, and so on. A node has how many lists go
// through it, and those that end there; children with most lists come first.
export function treeOf(set, places) {
  const root = { count: 0, ends: [], children: new Map() };
  for (const index of places) {
    let node = root;
    node.count += 1;
    set.prefixes[index].forEach((antecedent, place) => {
      const label = set.labels[index][place];
      const key = `${antecedent} ${label}`;
      if (!node.children.has(key))
        node.children.set(key, { antecedent, label, count: 0, ends: [], children: new Map() });
      node = node.children.get(key);
      node.count += 1;
    });
    node.ends.push(index);
  }
  return sorted(root);
}

function sorted(node) {
  const children = [...node.children.values()].map(sorted);
  children.sort((a, b) => b.count - a.count || a.antecedent - b.antecedent);
  return { ...node, children };
}

// A list as rules with texts; the last one is the default.
export function rulesOf(set, index) {
  const prefix = set.prefixes[index];
  const rules = prefix.map((antecedent, place) => ({
    antecedent: set.antecedents[antecedent],
    label: set.classes[set.labels[index][place]],
  }));
  return [...rules, { antecedent: null, label: set.classes[set.labels[index][prefix.length]] }];
}

const COLOURS = 5;
const MOST_SHARE = 0.6; // prefer a column that at most this share of the lists uses

// Lists divided by columns: those with one column, those of the others with another, and so on. A
// column that all use divides nothing.
export function kindsOf(set, places) {
  const used = new Map(places.map((index) => [index, columnsOf(set, index)]));
  const columns = set.column_names.map((_, column) => column);
  const telling = columns.filter((column) => places.some((index) => !used.get(index).has(column)));
  const kinds = [];
  let left = places;
  while (kinds.length < COLOURS) {
    const counts = telling.map((column) => [column, left.filter((i) => used.get(i).has(column)).length]);
    const few = counts.filter(([, n]) => n > 0 && n <= MOST_SHARE * left.length);
    const most = (few.length > 0 ? few : counts).reduce((a, b) => (b[1] > a[1] ? b : a), [null, 0]);
    if (most[1] === 0) break;
    const has = (index) => used.get(index).has(most[0]);
    kinds.push({ column: most[0], places: left.filter(has) });
    left = left.filter((index) => !has(index));
  }
  return left.length > 0 ? [...kinds, { column: null, places: left }] : kinds;
}
