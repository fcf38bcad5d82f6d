/**
 * Selection of the current tab (SPEC.md 2, states S85-S88, constants C14 and C15). Pure, so that the three rules
 * can be read and tested without a screen.
 */

/** SPEC.md 2: in /admin three segments are compared. */
export const ADMIN_SEGMENTS = 3;
/** SPEC.md 2: in /accounts and /customer a tab link of three segments must match exactly. */
export const EXACT_SEGMENTS = 3;

function segmentsOf(href: string): string[] {
  return (href.split(/[?#]/)[0] ?? '').split('/').filter(Boolean);
}

function shares(a: readonly string[], b: readonly string[], count: number): boolean {
  for (let index = 0; index < count; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

/**
 * @param area first path segment of the area: 'admin', 'customer' or 'accounts'
 * @param href the tab's link
 * @param path the address now, without the query
 */
export function isTabActive(area: string, href: string, path: string): boolean {
  const link = segmentsOf(href);
  const now = segmentsOf(path);
  if (area === 'admin') {
    if (link.length <= ADMIN_SEGMENTS) {
      // A three-segment address compares whole; a deeper one belongs to the tab whose segments it continues.
      return shares(link, now, Math.max(link.length, Math.min(now.length, ADMIN_SEGMENTS)));
    }
    const whole = shares(link, now, Math.max(4, link.length));
    return whole || (shares(link, now, ADMIN_SEGMENTS) && link.at(-1) === now.at(-1));
  }
  if (link.length === EXACT_SEGMENTS) return link.length === now.length && shares(link, now, link.length);
  return `/${now.join('/')}`.includes(`/${link.join('/')}`);
}
