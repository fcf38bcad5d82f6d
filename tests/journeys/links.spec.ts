/** Runs after the other journeys: what the pages link to is known once all of them were opened. */
import { pageTable } from '#apps/web/src/page-table.ts';
import type { PageRow } from '#kit/page.ts';
import { isAddressOf, keptLinks } from './links.ts';
import { expect, test } from './visitor.ts';

const hasScreen = (row: PageRow): boolean => row.area === 'staff' && !row.redirectTo;

test('every list and report of staff is reached by a link from somewhere', () => {
  const { opened, linked } = keptLinks();
  const unseen = pageTable.filter((row) => hasScreen(row) && !row.path.includes(':') && !opened.has(row.path));
  test.skip(unseen.length > 0, 'not every page without a record was opened in this run');
  // The house's policy leads to the one after the sign-in, the palette to the other (palette.browser.test.tsx), a
  // figure of the statement on the cash basis to its payments (cash-basis.browser.test.tsx).
  const ledTo = ['/set-up-two-factor', '/admin/search', '/admin/finance/profit-loss/payments'];
  const alone = pageTable.filter((row) => hasScreen(row) && !row.path.includes(':') && !ledTo.includes(row.path)
    && ![...linked].some((path) => isAddressOf(row, path)));
  expect(alone.map((row) => row.path)).toEqual([]);
});
