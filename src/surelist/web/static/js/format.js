// Numbers, sizes and times as people read them.

const whole = new Intl.NumberFormat("en");

export const count = (number) => whole.format(number);
export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
export const plural = (number, one, more = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : more}`;

// A message of the package, which begins small and has no full stop.
export const sentence = (text) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;

export function decimal(number, digits = 4) {
  if (number === null || number === undefined) return "–";
  return Number(number).toFixed(digits);
}

// Bounds and gaps, rounded so that what is claimed stays true.
export const decimalDown = (number, digits = 4) => directed(number, digits, -1);
export const decimalUp = (number, digits = 4) => directed(number, digits, 1);

function directed(number, digits, way) {
  const nearest = decimal(number, digits);
  if (nearest === "–" || way * (nearest - number) >= 0) return nearest;
  return decimal(Number(nearest) + way * 10 ** -digits, digits);
}

// A fraction such as "37/300", of at least 0, in six digits that are no more than it is.
export function fractionDown(text) {
  const [top, bottom] = `${text}/1`.split("/").map(BigInt);
  if (top === 0n) return "0";
  let digits = 0;
  while (top * 10n ** BigInt(digits) < 100_000n * bottom) digits += 1;
  const cut = (top * 10n ** BigInt(digits)) / bottom;
  return String(digits ? Number(cut) / 10 ** digits : cut);
}

export function short(number) {
  if (number === null || number === undefined) return "–";
  return String(Number(Number(number).toPrecision(5)));
}

export function size(bytes) {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

export function duration(seconds) {
  if (seconds > 0 && seconds < 0.05) return "less than 0.1 s";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function when(stamp) {
  return new Date(stamp * 1000).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
  });
}

export const STATUS = {
  optimal: "Proven optimal",
  time_limit: "Time limit reached",
  memory_limit: "Memory limit reached",
  prefix_limit: "Limit of prefixes reached",
  work_limit: "Work limit reached",
  interrupted: "Stopped",
};

export function badge(run) {
  if (run.state === "queued")
    return ["wait", run.waiting ? `Waits behind ${run.waiting}` : "Waits"];
  if (run.state === "running") return ["live", "Searching"];
  if (run.state === "stopping") return ["live", "Stopping"];
  if (run.state === "failed") return ["bad", "No result"];
  if (run.outcome.status === "optimal") return ["good", "Proven optimal"];
  return ["warn", `Gap ${decimalUp(run.outcome.gap)}`];
}

// What to say of a search among so many antecedents before it is tried.
export function sizeWords(antecedents) {
  if (antecedents === 0)
    return "No antecedent captures enough rows: lower λ or use more columns.";
  return "";
}
