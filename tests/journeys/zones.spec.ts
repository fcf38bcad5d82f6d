/**
 * A day is the same day everywhere (U37): what two readers see at the same moment, one in New York and one in Auckland,
 * seventeen or eighteen hours ahead. Instants, and the days of instants ('Signed on'), are in each reader's own time
 * and are not compared.
 */
import type { Page, Response } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import { FULL } from '#tests/support/full.ts';
import { addressOf } from './places.ts';
import { enter, expect, settled, test, type Visitor } from './visitor.ts';

const LICENCE = '/admin/customers/:customerId/productions/:productionId';
const PORTAL = '/customer/:customerId';
const ALL_WITH_DAYS = [
  '/admin/bookings', '/admin/applications', `${LICENCE}/information`, `${LICENCE}/performances`,
  `${LICENCE}/box-office`, `${LICENCE}/venues`, '/admin/accounting/transactions', '/admin/accounting/periods',
  '/admin/accounting/exchange-rates', '/admin/accounts-receivable/invoices',
  '/admin/sales-and-royalties/statements', '/admin/plays/:id/restrictions',
  '/admin/sales-and-royalties/sales-orders', `${PORTAL}/productions/:productionId/performances`,
  `${PORTAL}/productions/:productionId/box-office`, `${PORTAL}/transactions`,
];
/** One in four by `npm test`. */
const WITH_DAYS = ALL_WITH_DAYS.filter((_, place) => FULL || place % 4 === 1);
/** 'Feb 11, 2027' and 'Feb 11', and not the day of an instant: 'Feb 11, 2027, 2:05 PM'. */
const DAYS = /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}\b(?:, \d{4})?(?!, \d{1,2}:\d)(?!\d|, \d)/g;

const ZONES = { near: 'America/New_York', far: 'Pacific/Auckland' } as const;
/** An instant on the wire; `starts_at` of a performance is the time at its house. */
const INSTANT = /"(?!starts_at)\w+_at":"(\d{4}-\d\d-\d\dT[^"]+)"/g;

/** Opens the address; the days that the instants answered to it have for one reader or the other. */
async function open(page: Page, address: string): Promise<Set<string>> {
  const bodies: Promise<string>[] = [];
  const keep = (answer: Response) => {
    if (answer.headers()['content-type']?.includes('json')) bodies.push(answer.text().catch(() => ''));
  };
  page.on('response', keep);
  // The page of a visitor is as wide as the test before left it, and a narrow list leaves columns out.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(address);
  await settled(page);
  page.off('response', keep);
  const instants = (await Promise.all(bodies)).flatMap((body) => [...body.matchAll(INSTANT)].map((match) => match[1]!));
  return new Set(instants.flatMap((instant) => Object.values(ZONES).map((timeZone) =>
    new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium' }).format(new Date(instant)))));
}

/** Days on the page, without those of `instants`, with their year or in short form. */
async function daysOn(page: Page, instants: ReadonlySet<string>): Promise<string[]> {
  const days = (await page.locator('main').innerText()).match(DAYS) ?? [];
  const left = new Set([...instants].flatMap((day) => [day, day.replace(/, \d{4}$/, '')]));
  return days.filter((day) => !left.has(day));
}

test('a reader in Auckland sees the days that one in New York sees', async ({ browser, visitor }) => {
  test.slow();
  const staff = await visitor('admin');
  const far: Record<string, Visitor> = {};
  for (const person of ['admin', 'customer'] as const) {
    far[person] = await enter(browser, person, { timezoneId: ZONES.far });
  }
  const compared: number[] = [];
  for (const path of WITH_DAYS) {
    const row = pageTable.find((one) => one.path === path)!;
    const address = await addressOf(staff, row);
    const person = row.area === 'customer' ? 'customer' : 'admin';
    const { page: here } = await visitor(person);
    const there = far[person]!.page;
    // Again from the start where they differ: other tests file applications meanwhile, and one reader may have seen the
    // list before and the other after.
    await expect(async () => {
      const instants = await open(here, address);
      await open(there, address);
      // Polls for content that appears after the rest, such as a drawer beside the page.
      await expect(async () => {
        const days = await daysOn(here, instants);
        expect(await daysOn(there, instants), address).toEqual(days);
        if (days.length > 0) compared.push(days.length);
      }).toPass({ timeout: 20_000 });
    }).toPass({ timeout: 90_000 });
  }
  // Number of days on a page that belong to no instant; it depends on the day the season is viewed from: 84 to 100 of
  // them on 11 pages in November 2026.
  expect(compared.length, 'pages with days').toBeGreaterThan(FULL ? 7 : 1);
  expect(compared.reduce((sum, days) => sum + days, 0), 'days').toBeGreaterThan(FULL ? 50 : 7);
  for (const one of Object.values(far)) await one.context.close();
});

test('a day that is typed in Auckland is the day that is asked for', async ({ browser }) => {
  const { page, context } = await enter(browser, 'admin', { timezoneId: ZONES.far });
  await page.goto('/admin/accounting/trial-balance');
  await settled(page);
  const field = page.getByLabel('As of', { exact: true });
  await field.fill('06/30/2026');
  await field.press('Enter');
  await expect(page).toHaveURL(/as_of=2026-06-30/);
  await page.getByRole('button', { name: 'Calendar: As of' }).click();
  await expect(page.getByRole('button', { name: '30 June 2026' })).toHaveAttribute('data-selected', 'true');
  await context.close();
});
