/**
 * A screen whose server refuses to answer says what did not load and offers another attempt; axe finds nothing then,
 * and the attempt brings the screen back. One page of each area and frame, since what is said is the same part of the
 * kit everywhere; in the full suite one of each kind of address. In the dark, one page of each area is looked at there.
 */
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { FULL } from '#tests/support/full.ts';
import { faultsOfAxe } from './axe.ts';
import { frameOf, kindOf, oneOfEach } from './frames.ts';
import { addressOf } from './places.ts';
import { enter, expect, loading, paint, readerOf, settled, test } from './visitor.ts';

/** They ask for nothing but who it is, or only once something is typed; musicals have the screens of the plays. */
const LEFT_OUT = new RegExp(['^/(account|apply/:showCode|select|select-portal|set-up-two-factor|admin/notifications)$',
  '^/admin/templates/templates$', '/account/', '/(create|add)$', '^/admin/musicals'].join('|'));

const asking = pageTable.filter((row) => row.area !== 'public' && row.load !== undefined && !row.redirectTo
  && !LEFT_OUT.test(row.path));
const kinds = oneOfEach(asking, kindOf);
const pages = FULL ? kinds : oneOfEach(kinds, frameOf);

const inDark = new Set(FULL ? pages : oneOfEach(pages, (row) => row.area));

const TEXT = 'The server is being looked after. Try again in a moment.';

/**
 * Refuses all answers except identity and notifications, so that the frame renders. The status is not retried
 * automatically. Done in the page: a route of the test runner would disable the browser's cache, and the application is
 * loaded each time.
 */
async function refuseAnswers(page: Page): Promise<void> {
  await page.addInitScript((message) => {
    const ask = window.fetch;
    const state = Object.assign(window, { refusing: true });
    window.fetch = (to, options) => {
      const { pathname } = new URL(to instanceof Request ? to.url : to, window.location.href);
      if (!state.refusing || !pathname.startsWith('/api/')
        || /^\/api\/(users\/me|auth|.*notifications)/.test(pathname)) return ask(to, options);
      return Promise.resolve(Response.json({ message, code: 'bad_request' }, { status: 400 }));
    };
  }, TEXT);
}

const answerAgain = (page: Page): Promise<unknown> =>
  page.evaluate(() => Object.assign(window, { refusing: false }) && null);

test('there are pages of many kinds', () => {
  expect(kinds.length).toBeGreaterThan(45);
  expect(new Set(pages.map(frameOf))).toEqual(new Set(kinds.map(frameOf)));
});

for (const row of pages) {
  test(`${row.path} without an answer`, async ({ visitor }) => {
    const address = await addressOf(await visitor('admin'), row);
    const page = await (await visitor(readerOf(row))).context.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height: 900 });
    await refuseAnswers(page);
    try {
      await page.goto(address);
      const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
      await expect(again.first()).toBeVisible();
      await expect(loading(page)).toHaveCount(0);
      await expect.soft(page.getByText(TEXT).first()).toBeVisible();
      await expect.soft(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      expect.soft(await faultsOfAxe(page), 'axe, light').toEqual([]);
      if (inDark.has(row)) {
        await paint(page, 'dark');
        expect.soft(await faultsOfAxe(page, ['color-contrast']), 'axe, dark').toEqual([]);
      }
      await answerAgain(page);
      await expect(async () => {
        for (const one of await again.all()) await one.click({ timeout: 2_000 });
        await settled(page);
        await expect(again).toHaveCount(0, { timeout: 2_000 });
      }).toPass();
    } finally {
      await page.close();
    }
  });
}

test('a calendar that cannot be had says so, and comes when it can', async ({ browser }) => {
  const { page, context } = await enter(browser, 'admin');
  await page.goto('/admin/accounting/trial-balance');
  await settled(page);
  await context.setOffline(true);
  const button = page.getByRole('button', { name: 'Calendar: As of' });
  await button.click();
  await expect(page.getByRole('alert').filter({ hasText: 'The calendar did not load' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await context.setOffline(false);
  await button.click();
  await expect(page.getByRole('button', { name: /^\d+ [A-Z][a-z]+ \d{4}$/ }).first()).toBeVisible();
  await context.close();
});
