/** Performances while they are amended: columns have their names, on a phone each field has its own. */
import { QueryClientProvider } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { AmendDialog } from './amend-dialog.web.tsx';

const night = (id: number, local_date: string) => ({ id, local_date, local_time: '19:30:00', license_venue_id: 5,
  status: 'planned' });
const view = { license: { id: 1, version: 1, currency: 'USD', license_venues: [{ id: 5, name: 'Ravenswood Playhouse' }],
  performances: [night(1, '2027-01-21'), night(2, '2027-01-22')] } } as unknown as LicenseView;

/** Tells for each of the two rows whether it shows a name of the column. */
async function named(column: string): Promise<boolean[]> {
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <AmendDialog view={view} onClose={() => {}} />
    </QueryClientProvider>,
  );
  const rows = page.getByRole('group', { name: /^(Thu|Fri), Jan 2[12], 2027$/ });
  await expect.element(rows.nth(1)).toBeVisible();
  return rows.elements().map((row) => [...row.querySelectorAll('label, span')].some((one) =>
    one.textContent === column && one.getBoundingClientRect().width > 1 && one.parentElement!.clientWidth > 1));
}

test.each(['Date', 'Curtain', 'Venue'])('%s stands above its column', async (column) => {
  await page.viewport(1280, 900);
  expect(await named(column)).toEqual([true, false]);
});

test.each(['Date', 'Curtain', 'Venue'])('%s stands at each field on a phone', async (column) => {
  await page.viewport(390, 844);
  expect(await named(column)).toEqual([true, true]);
});
