// What the user has chosen for a data set but not started yet; kept in this browser.

const key = (dataset) => `surelist.setup.${dataset}`;

export function loadChoices(dataset) {
  try {
    return JSON.parse(localStorage.getItem(key(dataset))) ?? {};
  } catch {
    return {};
  }
}

export function forgetChoices(dataset) {
  localStorage.removeItem(key(dataset));
}

export function saveChoices(dataset, choices) {
  localStorage.setItem(key(dataset), JSON.stringify(choices));
}
