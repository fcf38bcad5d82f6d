/**
 * Pages opened by someone who may not see them: a polite refusal, and no screen. Whom each page admits is decided by
 * one function and tested for every page in apps/web/src/page-guards.test.ts; what is seen here is the same for all
 * pages of an area in one frame, so one of each is opened, and all of them by `npm run test:full`.
 */
import { pageTable } from '#apps/web/src/page-table.ts';
import type { PageRow } from '#kit/page.ts';
import { FULL } from '#tests/support/full.ts';
import { frameOf, oneOfEach } from './frames.ts';
import { addressOf } from './places.ts';
import { expect, goWithin, test, type Person } from './visitor.ts';

/** People whose role has no business in the area; staff see the refusal within the frame of the office. */
function strangers({ area, path }: PageRow): readonly Person[] {
  if (path === '/account') return ['customer'];
  if (area === 'customer') return ['vendor'];
  return area === 'system' ? ['customer', 'reception'] : ['customer'];
}

const guarded = pageTable.filter((row) => row.area !== 'public' && row.load !== undefined);
const chosen = FULL ? guarded : oneOfEach(guarded, frameOf);

test.describe('pages for those who may not', () => {
  test('a page of each area and frame is among them', () => {
    expect(new Set(guarded.map(frameOf)).size).toBe(new Set(chosen.map(frameOf)).size);
    expect(new Set(chosen.map((row) => row.area))).toEqual(new Set(['staff', 'system', 'customer']));
  });

  for (const row of chosen) {
    for (const person of strangers(row)) {
      test(`${row.path} is refused politely to ${person}`, async ({ visitor }) => {
        const { page } = await visitor(person);
        await goWithin(page, await addressOf(await visitor('admin'), row));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('401 - Unauthorized');
        await expect(page.getByText('You do not have permission to view this page')).toBeVisible();
      });
    }
  }

  test('an address that does not exist shows the general error page [RT12]', async ({ visitor }) => {
    const { page } = await visitor(null);
    await page.goto('/no/such/page');
    await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong.' })).toBeVisible();
    await expect(page).toHaveTitle('Page not found · Grand Rights');
  });
});
