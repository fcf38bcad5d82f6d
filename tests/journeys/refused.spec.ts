/** Every page that asks for a role or a right, opened by someone who has none: a polite refusal, and no screen. */
import type { Page } from '@playwright/test';
import { pageTable } from '#apps/web/src/page-table.ts';
import type { PageRow } from '#kit/page.ts';
import { addressOf } from './places.ts';
import { expect, test, type Person } from './visitor.ts';

/** Someone whose role has no business in the area. */
function stranger(page: PageRow): Person | null {
  if (page.area === 'public') return null;
  if (page.area === 'customer') return 'vendor';
  return 'customer';
}

/** By a link, as it were: the application is loaded once a person. Elsewhere pages are opened by their address. */
async function goWithin(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') {
    await page.goto(address);
    return;
  }
  // Whatever refused the last page is gone first: the next refusal is not to be taken for it.
  await page.evaluate(() => window.history.pushState({}, '', '/no/such/page'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong.');
  await page.evaluate((next) => window.history.pushState({}, '', next), address);
}

test.describe('pages for those who may not', () => {
  const guarded = pageTable.filter((row) => row.area !== 'public' && row.load !== undefined);
  for (const row of guarded) {
    test(`${row.path} is refused politely`, async ({ visitor }) => {
      const { page } = await visitor(stranger(row));
      await goWithin(page, await addressOf(await visitor('admin'), row));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('401 - Unauthorized');
      await expect(page.getByText('You do not have permission to view this page')).toBeVisible();
    });
  }

  test('an address that does not exist shows the general error page [RT12]', async ({ visitor }) => {
    const { page } = await visitor(null);
    await page.goto('/no/such/page');
    await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong.' })).toBeVisible();
    await expect(page).toHaveTitle('Page not found · Grand Rights');
  });
});
