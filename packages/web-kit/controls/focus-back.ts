/**
 * The focus goes back to what opened a window, once the window has gone. Mantine gives it back too, but not where it
 * is closed in the moment its focus is still on the way into it: the window would take the focus with it.
 */
export function focusBack(opener: HTMLElement | null, gone: HTMLElement | null): void {
  const active = document.activeElement;
  if (active === null || active === document.body || gone?.contains(active)) opener?.focus({ preventScroll: true });
}
