/** Open counts beside the lists in the navigation match the lists' first tabs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { PageRow } from '#kit/page.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import type { Screen } from './page-table.ts';
import { meAnswer, openPages, personOf } from './router-stage.tsx';

const screen = (title: string) => () => Promise.resolve({ default: (() => <PageHeader title={title} />) as Screen });
const PAGES: readonly PageRow<Screen>[] = [
  { path: '/admin', area: 'staff', permission: null, title: 'Home', load: screen('Home') },
];
let rights: string[] = [];
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (url: string) => {
    if (url === '/api/users/me') return Promise.resolve(meAnswer(personOf('staff_user', rights)));
    const { pathname, searchParams } = new URL(url, window.location.origin);
    asked.push(`${pathname} ${searchParams.get('division')}`);
    const total = { 'draft,sent,accepted': 1204, 'licensed,in_production,settlement': 0 }[
      searchParams.get('phase') ?? ''] ?? 10_000;
    return Promise.resolve(Response.json({ data: [], meta: { total, total_is_exact: total < 10_000 } }));
  });
});
afterEach(() => { vi.unstubAllGlobals(); });

const item = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

test('figures of the division in the address; nothing where nothing is open', async () => {
  rights = ['license.list', 'license_application.list'];
  await openPages(PAGES, '/admin?division=UK');
  await expect.element(item('Quotes')).toHaveTextContent('Quotes1,204');
  await expect.element(item('Quotes')).toHaveAccessibleDescription('1,204 open');
  await expect.element(item('Applications')).toHaveTextContent('Applications10,000+');
  await expect.element(item('Productions')).toHaveTextContent('Productions');
  expect(asked.filter((one) => /license|application/.test(one) && !one.endsWith(' UK'))).toEqual([]);
});

test('nobody is told of lists that they may not open, nor are these asked for', async () => {
  rights = ['license_application.list'];
  await openPages(PAGES, '/admin');
  await expect.element(item('Applications')).toHaveTextContent('Applications10,000+');
  expect(asked.filter((one) => /licenses|perusals/.test(one))).toEqual([]);
});
