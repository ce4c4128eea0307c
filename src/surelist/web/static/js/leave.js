// What makes something new and leads to its page: a second click must not make another.

let leaving = false;

// Whoever comes back by the browser's button may find the page as it was left.
globalThis.addEventListener?.("pageshow", () => {
  leaving = false;
});

// Goes to the address that `make` promises; while that is under way, nothing else is made.
export async function leave(make) {
  if (leaving) return;
  leaving = true;
  try {
    location.assign(await make());
  } catch (error) {
    leaving = false;
    throw error;
  }
}
