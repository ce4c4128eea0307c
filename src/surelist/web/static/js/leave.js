// Buttons that create something and open its page: a second click must not create another.

let leaving = false;

// After the browser's Back button the page may be shown as it was left.
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
