/** The path over every screen of the office, and the section that its navigation shows as open. */
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { useTellInside, useTellTrail, useTrail } from '#web/layout/crumb-trail.ts';
import { activeItem } from '#web/layout/staff-shell.tsx';
import { crumbsOf } from './crumbs.ts';
import { staffFoot, staffNavigation } from './navigation.ts';
import { pageTable } from './page-table.ts';

const groups = [...staffNavigation, { label: null, items: staffFoot }];
const addressOf = (path: string) => path.replaceAll(/:\w+/g, '7');
const pageOf = (path: string) => pageTable.find((one) => one.path === path)!;
const wordsOf = (path: string, ...told: string[]) => crumbsOf(groups, pageTable, pageOf(path), addressOf(path),
  told.length > 0 ? { path: addressOf(path), crumbs: told.map((label) => ({ label })) } : null)
  .map((crumb) => crumb.label).join(' > ');
const office = pageTable.filter((one) => ['staff', 'system'].includes(one.area) && one.load !== undefined
  && one.path !== '/gallery' && !one.path.startsWith('/select'));

describe('the path over a screen', () => {
  const production = '/admin/customers/:customerId/productions/:productionId/venues';

  test.each([
    [production, ['Astoria Community Players', 'L-US-2026-000481'],
      'Productions > Astoria Community Players > L-US-2026-000481'],
    ['/admin/quotes/:quoteId/price', ['Q-US-2026-000100'], 'Quotes > Q-US-2026-000100'],
    ['/admin/customers/:customerId/productions', ['Astoria Community Players'],
      'Customers > Astoria Community Players'],
    ['/admin/accounting/chart-of-accounts/:ledgerAccountId/journals', ['1000 Bank'],
      'Accounting > Chart of accounts > 1000 Bank'],
    ['/admin/staff/groups/:groupId/permissions', ['Finance'], 'Staff & settings > Groups > Finance'],
    ['/admin/sales-and-royalties/statements/:statementId', ['Valentine Moor'],
      'Sales & royalties > Royalty statements > Valentine Moor'],
  ])('%s', (path, told, words) => { expect(wordsOf(path, ...told)).toBe(words); });

  test('a page without a record stands below its section and its list', () => {
    expect(wordsOf('/admin/templates/bom/create')).toBe('Materials > BOM templates > New BOM template');
    expect(wordsOf('/system/audit')).toBe('System > Audit');
    expect(wordsOf('/admin/quotes')).toBe('Quotes');
  });

  test('ends with what the head of the record calls it, on each of its tabs', () => {
    const bare = office.filter((one) => one.path.includes(':')
      && !wordsOf(one.path, 'The record').endsWith('The record'));
    expect(bare.map((one) => one.path)).toEqual([]);
    const screen = pageOf(production);
    const asked = (path: string) => crumbsOf(groups, pageTable, screen, path,
      { path: '/admin/customers/7/productions/9/terms', crumbs: [{ label: 'L-9' }] }).at(-1)?.label;
    expect(asked('/admin/customers/7/productions/9/venues')).toBe('L-9');
    expect(asked('/admin/customers/7/productions/10/venues')).toBe('Venues');
  });

  test('every crumb but the last leads to a page that exists', () => {
    const dead = office.flatMap((one) => crumbsOf(groups, pageTable, one, addressOf(one.path)).slice(0, -1)
      .filter((crumb) => !pageTable.some((page) => page.path === crumb.href))
      .map((crumb) => `${one.path} ${crumb.label}`));
    expect(dead).toEqual([]);
  });

  test('a list that the person may not open is left out', () => {
    const screen = pageOf('/admin/staff/groups/:groupId/permissions');
    expect(crumbsOf(groups, [screen], screen, '/admin/staff/groups/7/permissions').map((crumb) => crumb.label))
      .toEqual(['Staff & settings', 'Permissions']);
  });
});

function Screen({ inside }: { inside?: string | undefined }) {
  useTellTrail('/admin/quotes/7/documents/3', [{ label: 'Q-7', href: '/admin/quotes/7' }]);
  useTellInside(inside);
  return <ol>{useTrail()?.crumbs.map((crumb) => <li key={crumb.label}>{crumb.label}</li>)}</ol>;
}

test('what is open inside a record stands after it, and is gone when it is left', async () => {
  window.history.replaceState(null, '', '/admin/quotes/7/documents/3');
  const words = () => page.getByRole('listitem').elements().map((one) => one.textContent);
  const { rerender } = await render(<Screen inside="Signed contract" />);
  await expect.poll(words).toEqual(['Q-7', 'Signed contract']);
  await rerender(<Screen />);
  await expect.poll(words).toEqual(['Q-7']);
  // Of another address it is not told.
  await rerender(<Screen inside="Signed contract" />);
  window.history.replaceState(null, '', '/admin/quotes/7/documents');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await expect.poll(words).toEqual(['Q-7']);
});

test('a production and an application of a customer stand in their own sections, its lists under Customers', () => {
  const open = (path: string) => activeItem(groups.flatMap((group) => group.items), path)?.label;
  expect(['productions/9/venues', 'applications/9/quote', 'productions', 'applications', 'finance']
    .map((tail) => open(`/admin/customers/7/${tail}`)))
    .toEqual(['Productions', 'Applications', 'Customers', 'Customers', 'Customers']);
});
