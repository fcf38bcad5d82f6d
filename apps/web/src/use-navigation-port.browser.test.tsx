/** Back and the division behind the application's own router: states S76, S82, constant C6, gap G43. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { PageRow } from '#kit/page.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import type { Screen } from './page-table.ts';
import { meAnswer, openPages, personOf } from './router-stage.tsx';

const screen = (path: string, title: string): PageRow<Screen> => ({ path, area: 'staff', permission: null, title,
  load: () => Promise.resolve({ default: () => <PageHeader title={title} back division /> }) });
const PAGES = [screen('/admin/venues', 'Venues'), screen('/admin/venues/:venueId', 'Savoy'),
  screen('/admin/shows', 'Shows')];
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

beforeEach(() => { vi.stubGlobal('fetch', () => Promise.resolve(meAnswer(personOf('staff_admin')))); });
afterEach(() => { vi.unstubAllGlobals(); });

test('[S76] Back without an href goes one step back in history', async () => {
  const router = await openPages(PAGES, '/admin/shows');
  await expect.element(heading('Shows')).toBeVisible();
  router.history.push('/admin/venues/5');
  await expect.element(heading('Savoy')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Shows')).toBeVisible();
});

test('[S76] Back on the first page of a visit leads to the address above', async () => {
  const router = await openPages(PAGES, '/admin/venues/5');
  await expect.element(heading('Savoy')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Venues')).toBeVisible();
  expect(router.history.location.pathname).toBe('/admin/venues');
});

test('[S82] [C6] a division that is chosen replaces the entry of the history', async () => {
  const router = await openPages(PAGES, '/admin/shows');
  await expect.element(heading('Shows')).toBeVisible();
  router.history.push('/admin/venues?search=savoy');
  await expect.element(heading('Venues')).toBeVisible();
  const before = router.history.length;
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Division' }), 'UK');
  await expect.poll(() => router.history.location.href).toBe('/admin/venues?search=savoy&division=UK');
  expect(router.history.length).toBe(before);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Shows')).toBeVisible();
});
