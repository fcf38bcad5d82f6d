/** Changes by a newer template version to a license: taken in full or in part, manual edits asked about first. */
import { QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { ME_KEY } from '#web/query/current-user.ts';
import { createQueryClient } from '#web/query/query-client.ts';
import { BomSection } from './boms-tab.web.tsx';
import type { LicenseBomRow } from './license-material.contract.ts';

const row = { id: 7, license_id: 100, name: 'Standard set', source_bom_template_id: 6, source_name: 'Standard set',
  source_version: 1, current_version: 2, cast_size: 20, venues: 1, weeks: 1, performances: 3, line_count: 2,
  version: 4 } as LicenseBomRow;
const lines = [
  { material_id: 94, item_number: 'SALT-DIR', name: 'Director’s script', before: 9, after: 5, changed_by_hand: true },
  { material_id: 96, item_number: 'SALT-LIB', name: 'Libretto', before: 22, after: 23, changed_by_hand: false },
];
const taken = vi.fn((_body: unknown) => {});

beforeEach(async () => {
  taken.mockClear();
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'PUT') taken(JSON.parse(String(init.body)));
    const data = String(url).endsWith('/differences') ? { source_version: 1, current_version: 2, lines } : row;
    return Response.json({ data });
  });
  const client = createQueryClient();
  client.setQueryData(ME_KEY, { id: 1, email: 'ada@house.example', role: 'staff_admin',
    permission_values: ['license_material.update', 'license_material.show'] });
  await staged(<QueryClientProvider client={client}><BomSection row={row} /></QueryClientProvider>);
});

test('a line counted by hand is replaced only once that is confirmed', async () => {
  await expect.element(page.getByText('Copied from Standard set, version 1; version 2 is approved')).toBeVisible();
  await page.getByRole('button', { name: 'Apply 2 differences' }).click();
  await expect.element(page.getByText('The count of the template replaces the one set by hand. '
    + 'Director’s script: 9 becomes 5.')).toBeVisible();
  expect(taken).not.toHaveBeenCalled();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply 2 differences' }).click();
  await vi.waitFor(() => expect(taken.mock.calls).toEqual([[{ version: 4, material_ids: [94, 96] }]]));
});

test('chosen lines alone are taken over', async () => {
  await page.getByRole('row', { name: /Libretto/ }).getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await vi.waitFor(() => expect(taken.mock.calls).toEqual([[{ version: 4, material_ids: [96] }]]));
});
