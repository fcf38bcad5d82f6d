/**
 * Keyboard and one-finger use (U16, U35): on a screen of each kind every Tab stop is visible, not covered by the sticky
 * header, the selection bar or the offline banner; targets in the office have 24 px; help is found in the same place;
 * nothing has to be remembered at the sign-in.
 */
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { FULL } from '#tests/support/full.ts';
import { FEWEST, hiddenStops, smallTargets, STOPS } from './keyboard.ts';
import { addressOf } from './places.ts';
import { expect, settled, test } from './visitor.ts';

const ALL_KINDS = {
  list: '/admin/venues', record: '/admin/customers/:customerId/productions/:productionId/information',
  form: '/admin/venues/create', ledger: '/admin/accounting/trial-balance', portal: '/customer/:customerId/productions',
} as const;
/** In `npm test` a list, a record and the portal. */
const KINDS = Object.entries(ALL_KINDS).filter(([kind]) => FULL || ['list', 'record', 'portal'].includes(kind));
const helpAt = (page: Page): Promise<string> => page.getByRole('button', { name: 'Help', exact: true }).evaluate(
  (one) => `${Math.round(window.innerWidth - one.getBoundingClientRect().right)} from the right, ${
    Math.round(one.getBoundingClientRect().top)} from above`);

const places = new Map<string, string>();
for (const [kind, path] of KINDS) {
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
    // Style sheets that did not come without a connection stay in the page: axe would fetch them and break the policy.
    await page.goto('about:blank');
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
