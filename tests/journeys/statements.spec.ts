/** Statements with many columns: they scroll beside the names of their lines, and axe finds nothing on a phone. */
import { faultsOfAxe } from './axe.ts';
import { expect, settled, test } from './visitor.ts';
import { widerThanScreen } from './widths.ts';

const STATEMENTS = ['/admin/finance/profit-loss?compare=months',
  '/admin/finance/profit-loss?basis=cash&compare=months',
  '/admin/finance/balance-sheet?compare=periods&periods=6',
  '/admin/finance/cash-flows?compare=months', '/admin/accounting/trial-balance?compare=months'];

for (const address of STATEMENTS) {
  test(`${address} is as wide as the screen`, async ({ visitor }) => {
    const { page } = await visitor('admin');
    await page.goto(address);
    await settled(page);
    await expect(page.getByRole('region', { name: /, columns$/ })).toBeVisible();
    expect.soft(await widerThanScreen(page, [1280, 390, 320])).toEqual([]);
    expect.soft(await faultsOfAxe(page), 'axe').toEqual([]);
  });
}
