/** The adapter from the page table to the router: every address opens its own page, fixed words win over numbers. */
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import type { PageRow } from '#kit/page.ts';
import { publicPages } from '#modules/identity/public.pages.ts';
import { canOpen } from './navigation.ts';
import { pageTable, type Screen } from './page-table.ts';
import { createAppRouter, parseSearch, routerPath, stringifySearch } from './router.tsx';

const screen = () => Promise.resolve({ default: () => null });
const row = (path: string, more: Partial<PageRow<Screen>> = {}): PageRow<Screen> => ({
  path, area: 'staff', permission: null, title: path, load: screen, ...more,
});

/** The page that the router chooses for an address. */
function pageAt(rows: readonly PageRow<Screen>[], address: string): string | undefined {
  const router = createAppRouter(rows, new QueryClient());
  router.update({ history: createMemoryHistory({ initialEntries: [address] }) } as never);
  return router.matchRoutes(router.parseLocation(router.history.location) as never).at(-1)?.staticData.page?.path;
}

describe('addresses', () => {
  it('the table writes :venueId, the router $venueId', () => {
    expect(routerPath('/admin/venues/:venueId/files/:id')).toBe('/admin/venues/$venueId/files/$id');
  });

  it.each([
    ['/admin/venues/create', '/admin/venues/create'],
    ['/admin/venues/17', '/admin/venues/:venueId'],
    ['/admin/customers/add', '/admin/customers/add'],
    ['/admin/customers/5', '/admin/customers/:id'],
    ['/admin/customers/5/users', '/admin/customers/:id/:tab'],
  ])('%s opens %s', (address, path) => {
    const rows = ['/admin/venues/:venueId', '/admin/venues/create', '/admin/customers/:id', '/admin/customers/:id/:tab',
      '/admin/customers/add'].map((one) => row(one));
    expect(pageAt(rows, address)).toBe(path);
  });

  it('every page of the application opens at its own address', () => {
    for (const page of pageTable) {
      expect(pageAt(pageTable, page.path.replaceAll(/:\w+/g, '7')), page.path).toBe(page.path);
    }
  });

  it('the sign-in page knows every public page and no other', () => {
    expect(publicPages).toEqual(pageTable.filter((page) => page.area === 'public'));
  });

  it('no address stands in the table twice', () => {
    const paths = pageTable.map((page) => page.path.replaceAll(/:\w+/g, ':'));
    expect(paths).toEqual([...new Set(paths)]);
  });
});

describe('query', () => {
  it.each(['?division=UK&search=007', '?search=true&page=2', '?search=%22a%22+b'])('%s stays as it is', (text) => {
    expect(stringifySearch(parseSearch(text))).toBe(text);
  });
  it('an absent value is left out', () => {
    expect(stringifySearch({ a: undefined, b: null })).toBe('');
  });
});

describe('navigation', () => {
  const rows = [
    row('/admin/banking', { redirectTo: '/admin/banking/banks' }),
    row('/admin/banking/banks', { permission: 'bank.list' }),
  ];
  const visitor = (...permissions: string[]) => ({
    role: 'staff_user' as const, permissions: new Set(permissions), customer_ids: [],
  });

  it('a section shows where its first child may be opened, an unknown address never', () => {
    expect(canOpen(rows, visitor('bank.list'), '/admin/banking')).toBe(true);
    expect(canOpen(rows, visitor('venue.list'), '/admin/banking')).toBe(false);
    expect(canOpen(rows, visitor('bank.list'), '/admin/nowhere')).toBe(false);
  });
});
