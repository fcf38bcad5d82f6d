/** Error pages by location: states S49-S51, pages RT7-RT12, gaps G33, G46. The same text in different frames. */
import axe from 'axe-core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '#kit/auth.ts';
import type { Area, PageRow } from '#kit/page.ts';
import type { Screen } from './page-table.ts';
import { still } from '#web/controls/stage.tsx';
import { meAnswer, openPages, personOf } from './router-stage.tsx';

function Broken(): never {
  throw new Error('a page failed');
}
const broken = (path: string, area: Area, load = () => Promise.resolve({ default: Broken as Screen })):
  PageRow<Screen> => ({ path, area, permission: null, title: 'Broken', load });
const PAGES = [
  broken('/broken', 'public'), broken('/system/broken', 'system'), broken('/admin/broken', 'staff'),
  broken('/customer/:customerId/broken', 'customer'),
  broken('/admin/lost', 'staff', () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))),
];

async function open(address: string, role: Role | null) {
  const person = role && personOf(role);
  vi.stubGlobal('fetch', () => Promise.resolve(meAnswer(person)));
  await openPages(PAGES, address);
  await expect.element(page.getByRole('heading', { name: 'Something went wrong.', level: 1 })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Go Back' })).toBeVisible();
  return document.querySelector('[data-error-page]')?.getAttribute('data-error-page');
}

const navigation = () => page.getByRole('navigation', { name: 'Main' });

beforeEach(() => {
  // React and the router tell the console of every page that fails; here each one is meant to.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => { vi.unstubAllGlobals(); vi.restoreAllMocks(); });

test('an address without a page shows the general error page, with nothing around it [S49] [RT7] [RT12]', async () => {
  expect(await open('/no/such/page', 'staff_admin')).toBe('general');
  await expect.element(navigation()).not.toBeInTheDocument();
  await expect.element(page.getByRole('main')).toBeVisible();
  expect(document.title).toBe('Page not found · Grand Rights');
});

test('a public page that fails shows the error page of the public area in its layout [S50] [RT8]', async () => {
  expect(await open('/broken', null)).toBe('public');
  await expect.element(page.getByRole('link', { name: 'Grand Rights, sign in' })).toBeVisible();
  expect(document.title).toBe('Something went wrong · Grand Rights');
});

test('a system page that fails shows the error page of the system area in its frame [S51] [RT9]', async () => {
  expect(await open('/system/broken', 'system_admin')).toBe('system');
  await expect.element(navigation()).toBeVisible();
});

test('a failed page of a customer shows the error page of the customer area in its frame [S51] [RT10]', async () => {
  expect(await open('/customer/7/broken', 'customer')).toBe('customer');
  await expect.element(page.getByRole('link', { name: 'Grand Rights, home' })).toHaveAttribute('href', '/customer/7');
});

test('a staff page that fails shows the error page of the staff area, its navigation stays [S51] [RT11]', async () => {
  expect(await open('/admin/broken', 'staff_admin')).toBe('staff');
  await expect.element(navigation().getByRole('link', { name: 'Quotes' })).toBeVisible();
});

test('a screen whose code cannot be fetched is a failed page of its area', async () => {
  expect(await open('/admin/lost', 'staff_admin')).toBe('staff');
});

test.each(['/no/such/page', '/broken', '/admin/broken'])('axe finds nothing on that of %s', async (address) => {
  await open(address, address.startsWith('/admin') ? 'staff_admin' : null);
  await still();
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  expect(violations.flatMap((one) => one.nodes.map((node) => `${one.id} at ${node.target.join(' ')}`))).toEqual([]);
});
