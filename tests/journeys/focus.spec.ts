/**
 * Who works with the keyboard or with one finger (U16, U35): on a screen of each kind every stop of the Tab key is
 * seen, under the sticky head, the bar of a selection and the line that one is offline; targets of the office have
 * 24 px; help is found in the same place; nothing is to be remembered at the sign-in.
 */
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { addressOf } from './places.ts';
import { expect, settled, test } from './visitor.ts';

const KINDS = {
  list: '/admin/venues', record: '/admin/customers/:customerId/productions/:productionId/information',
  form: '/admin/venues/create', ledger: '/admin/accounting/trial-balance', portal: '/customer/:customerId/productions',
} as const;
/** More than any of these screens has, and fewer than each of them. */
const STOPS = 260;
const FEWEST = 10;

/** Goes once round the screen; what has the focus and nothing of it can be seen. */
async function hiddenStops(page: Page): Promise<{ hidden: string[]; stops: number }> {
  const hidden = new Set<string>();
  let stops = 0;
  await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); window.scrollTo(0, 0); });
  for (; stops < STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => new Promise<{ out?: true; over?: boolean; missed: string | null }>((tell) => {
      // What comes into view with the focus is on its way in the first frame, however short the way.
      requestAnimationFrame(() => requestAnimationFrame(() => {
        const one = document.activeElement;
        if (!one || one === document.body) { tell({ out: true, missed: null }); return; }
        const over = 'seen' in (one as HTMLElement).dataset;
        (one as HTMLElement).dataset.seen = '';
        // A hidden box is told by what stands around it.
        const shown = one.matches('input') ? one.closest('label') ?? one : one;
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const inset = 2;
        const points = [[left + inset, top + inset], [right - inset, top + inset], [left + inset, bottom - inset],
          [right - inset, bottom - inset], [(left + right) / 2, (top + bottom) / 2]] as const;
        const seen = points.some(([x, y]) => {
          const top = document.elementFromPoint(x, y);
          return top !== null && (shown.contains(top)
            || top.contains(shown) && !top.matches('header, [role="status"]'));
        });
        tell({ over, missed: seen ? null : one.outerHTML.slice(0, 120) });
      }));
    }));
    if (at.missed) hidden.add(at.missed);
    // Round, or out of the page's end; near the beginning a slow page has not moved yet, and a trap never gets on.
    if ((at.over || at.out) && stops > FEWEST) break;
  }
  return { hidden: [...hidden], stops };
}

/** Lower or narrower than 24 px, and another target is nearer than that (WCAG 2.5.8); words in a sentence are free. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const boxes = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.gr-hidden, .gr-skip'))
      .map((one) => ({ one, box: (one.matches('input') ? one.closest('label') ?? one : one).getBoundingClientRect() }));
    const inSentence = (one: Element): boolean => getComputedStyle(one).display === 'inline'
      && [...one.parentElement!.childNodes].some((near) => near.nodeType === 3 && near.textContent!.trim() !== '');
    const centre = ({ left, right, top, bottom }: DOMRect): [number, number] =>
      [(left + right) / 2, (top + bottom) / 2];
    return boxes.filter(({ one, box }) => {
      if (box.width >= least && box.height >= least || inSentence(one)) return false;
      const [x, y] = centre(box);
      return boxes.some((other) => {
        if (other.one === one || other.one.contains(one) || one.contains(other.one)) return false;
        const nearX = Math.max(other.box.left, Math.min(x, other.box.right));
        const nearY = Math.max(other.box.top, Math.min(y, other.box.bottom));
        return Math.hypot(nearX - x, nearY - y) < least / 2;
      });
    }).map(({ one, box }) => `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent} ${
      Math.round(box.width)} by ${Math.round(box.height)}`).slice(0, 8);
  }, 23.5);
}

const helpAt = (page: Page): Promise<string> => page.getByRole('button', { name: 'Help', exact: true }).evaluate(
  (one) => `${Math.round(window.innerWidth - one.getBoundingClientRect().right)} from the right, ${
    Math.round(one.getBoundingClientRect().top)} from above`);

const places = new Map<string, string>();
for (const [kind, path] of Object.entries(KINDS)) {
  test(`${kind}: every stop of the keyboard is seen [2.4.11], targets suffice [2.5.8]`, async ({ visitor }) => {
    const row = pageTable.find((one) => one.path === path)!;
    const address = await addressOf(await visitor('admin'), row);
    const { page, context } = await visitor(row.area === 'customer' ? 'customer' : 'admin');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height: 620 });
    await page.goto(address);
    await settled(page);
    if (row.area !== 'customer') {
      expect.soft(await smallTargets(page), 'too small').toEqual([]);
      places.set(kind, await helpAt(page));
      expect.soft(new Set(places.values()).size, [...places].join('; ')).toBe(1);
    }
    if (kind === 'list') await page.getByRole('checkbox', { name: 'Select row 2' }).check();
    await context.setOffline(true);
    await expect(page.getByText(/^You are offline/)).toBeVisible();
    const { hidden, stops } = await hiddenStops(page);
    await context.setOffline(false);
    expect.soft(hidden, 'focused and not to be seen').toEqual([]);
    expect(stops).toBeGreaterThan(FEWEST);
    expect(stops, 'once round the screen').toBeLessThan(STOPS);
  });
}

test('the sign-in asks for nothing that one has to solve or to type by heart [3.3.8]', async ({ visitor }) => {
  const { page } = await visitor(null);
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', /username|email/);
  const password = page.getByRole('textbox', { name: 'Password' });
  await expect(password).toHaveAttribute('autocomplete', /current-password/);
  await password.evaluate((one) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'pasted');
    const went = one.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    if (!went) throw new Error('A password cannot be pasted');
  });
  await expect(page.getByRole('img', { name: /captcha/i })).toHaveCount(0);
});
