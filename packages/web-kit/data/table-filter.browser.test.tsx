/** A filter that came with a link: said by the record's name, taken away, never offered. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { AddFilter, FilterChips, listInWords, type TableFilter } from './table-filter.tsx';
import type { TableSearch } from './use-table-search.ts';

const setFilter = vi.fn();
const search = { filters: { license_id: '94' }, setFilter } as unknown as TableSearch;
const filters = (name: string | null | undefined): TableFilter[] => [
  { name: 'status', label: 'Status', options: [{ value: 'open', label: 'Open' }] },
  { name: 'license_id', label: 'Licence', linked: { name } },
];

test('says the record by its name and lets it go', async () => {
  await staged(<FilterChips filters={filters('L-US-2026-000058')} search={search} />);
  await page.getByRole('button', { name: 'Remove filter Licence L-US-2026-000058' }).click();
  expect(setFilter).toHaveBeenCalledWith('license_id', null);
});

test('says its number while no row tells the name, on paper too', () => {
  expect(listInWords({ search, text: '', filters: filters(undefined), page: undefined })).toBe('Licence is no. 94');
});

test('is not among the filters to choose from', async () => {
  await staged(<AddFilter filters={filters('L-US-2026-000058')} search={search} />);
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect.element(page.getByRole('button', { name: 'Status' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Licence' }).elements()).toHaveLength(0);
});

test('two bounds of one thing are told apart before one is chosen', async () => {
  await staged(<AddFilter search={search} filters={[
    { name: 'opening_from', label: 'Opening', verb: 'from', kind: 'date' },
    { name: 'opening_to', label: 'Opening', verb: 'until', kind: 'date' },
    { name: 'sent_from', label: 'Sent', verb: 'from', kind: 'date' }]} />);
  await page.getByRole('button', { name: 'Filter' }).click();
  for (const name of ['Opening from', 'Opening until', 'Sent']) {
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible();
  }
});
