/** The palette of staff in their frame (U1, U2): mod+K, records found by the search, those opened lately, own pages. */
// cspell:ignore pira
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { PageRow } from '#kit/page.ts';
import { Button } from '#web/controls/button/button.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import type { Screen } from './page-table.ts';
import { meAnswer, openPages, personOf } from './router-stage.tsx';

const screen = (title: string) => () => Promise.resolve({ default: (() => <PageHeader title={title} />) as Screen });
const PAGES: readonly PageRow<Screen>[] = [
  { path: '/admin', area: 'staff', permission: null, title: 'Home', load: screen('Home') },
  { path: '/admin/quotes', area: 'staff', permission: 'license.list', title: 'Quotes', load: screen('Quotes') },
  { path: '/admin/quotes/:quoteId', area: 'staff', permission: 'license.show', title: 'Quote',
    load: screen('The Pirates of Penzance') },
];
const found = { data: { fuzzy: false, groups: [{ entity: 'license', total: 1, total_is_exact: true, rows: [{
  id: 'license-81', entity: 'license', entity_id: 81, number: 'Q-US-2026-000081', former_number: null,
  title: 'The Mikado', detail: 'Bay Area Operetta', status: 'sent', href: '/admin/quotes/81' }] }] } };
const hit = (entity: string, id: number, title: string, href: string) => ({ entity, total: 1, total_is_exact: true,
  rows: [{ id: `${entity}-${id}`, entity, entity_id: id, number: null, former_number: null, title, detail: '',
    status: null, href }] });
const withShow = { data: { fuzzy: false, groups: [hit('show', 7, 'The Mikado', '/admin/musicals/7'),
  hit('customer', 5, 'Mikado Players', '/admin/customers/5')] } };
let answer: object = found;
let asked: string[] = [];
let rights: string[] = [];

beforeEach(() => {
  asked = [];
  answer = found;
  rights = ['license.list', 'license.show', 'search_index.list'];
  window.localStorage.clear();
  vi.stubGlobal('fetch', (url: string) => {
    if (url === '/api/users/me') {
      return Promise.resolve(meAnswer(personOf('staff_user', rights)));
    }
    if (!/notifications|\/views|\/events|per_page=1$/.test(url)) asked.push(url);
    return Promise.resolve(Response.json(url.startsWith('/api/admin/staff/search/all?') ? answer : { data: [] }));
  });
});
afterEach(() => { vi.unstubAllGlobals(); });

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const field = () => page.getByRole('combobox');

test('finds records of every kind by one search, and opens one', async () => {
  const router = await openPages(PAGES, '/admin');
  await expect.element(heading('Home')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.fill(field(), 'mikado');
  const option = page.getByRole('group', { name: 'Licenses and quotes' }).getByRole('option');
  await expect.element(option).toHaveTextContent('The MikadoBay Area Operetta · Q-US-2026-000081Offer sent');
  expect(asked).toEqual(['/api/admin/staff/search/all?search=mikado']);
  await expect.element(page.getByRole('option', { name: /^All results/ }))
    .toHaveTextContent('All results for “mikado”1');
  await option.click();
  await expect.element(heading('The Pirates of Penzance')).toBeVisible();
  expect(router.history.location.pathname).toBe('/admin/quotes/81');
});

test('holds what was opened lately, and only pages that this person may open', async () => {
  await openPages(PAGES, '/admin/quotes/5');
  await expect.element(heading('The Pirates of Penzance')).toBeVisible();
  await page.getByRole('button', { name: /Search licenses/ }).click();
  await expect.element(page.getByRole('group', { name: 'Opened lately' }).getByRole('option'))
    .toHaveTextContent('The Pirates of Penzance');
  const places = () => page.getByRole('group', { name: 'Go to' }).getByRole('option').elements()
    .map((one) => one.textContent);
  expect(places()).toContain('Quotes');
  expect(places()).not.toContain('Customers');
  await page.getByRole('button', { name: 'Close search, esc' }).click();
  await expect.element(field()).not.toBeInTheDocument();
  await page.getByRole('button', { name: /Search licenses/ }).click();
  await userEvent.fill(field(), 'trial balance');
  await expect.element(page.getByRole('dialog').getByRole('status')).toHaveTextContent('Nothing matches');
});

test('without the right to search it holds pages and what was opened lately, and asks for no records', async () => {
  rights = ['license.list', 'license.show'];
  await openPages(PAGES, '/admin');
  await expect.element(heading('Home')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.fill(field(), 'quotes');
  await expect.element(page.getByRole('option')).toHaveTextContent('Quotes');
  expect(asked).toEqual([]);
});

test('offers what the open page offers at its head, nothing that is off there', async () => {
  const done = vi.fn();
  const Record = () => (
    <PageHeader title="The Mikado">
      <Button onClick={done}>Amend</Button><Button reason="It is not signed yet">Execute</Button>
    </PageHeader>
  );
  await openPages([...PAGES.slice(0, 2), { ...PAGES[2]!, load: () => Promise.resolve({ default: Record }) }],
    '/admin/quotes/5');
  await expect.element(heading('The Mikado')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  const options = page.getByRole('group', { name: 'On this page' }).getByRole('option');
  expect(options.elements().map((one) => one.textContent)).toEqual(['Amend']);
  await userEvent.fill(field(), 'ame');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => done.mock.calls.length).toBe(1);
  await expect.element(field()).not.toBeInTheDocument();
});

test('offers what is done next with the show and the customer that were found, by what the person may', async () => {
  answer = withShow;
  rights = ['license.list', 'license.create', 'show.show', 'search_index.list'];
  const router = await openPages([...PAGES, { path: '/admin/quotes/create', area: 'staff', permission: 'license.create',
    title: 'New quote', load: screen('New quote') }], '/admin');
  await expect.element(heading('Home')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.fill(field(), 'mikado');
  const deeds = page.getByRole('group', { name: 'Do' }).getByRole('option');
  await expect.poll(() => deeds.elements().map((one) => one.textContent)).toEqual(['New quote for The Mikado',
    'New quote for Mikado Players', 'Check availability of The Mikado']);
  await deeds.nth(1).click();
  await expect.element(heading('New quote')).toBeVisible();
  expect(router.history.location.href).toBe('/admin/quotes/create?customer=5');
});

test('offers nothing to do with them to whoever may only read', async () => {
  answer = withShow;
  await openPages(PAGES, '/admin');
  await expect.element(heading('Home')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.fill(field(), 'mikado');
  await expect.element(page.getByRole('option', { name: 'Mikado Players' })).toBeVisible();
  await expect.element(page.getByRole('group', { name: 'Do' })).not.toBeInTheDocument();
});

test('narrows the list of the open page by what was typed', async () => {
  const List = () => <><PageHeader title="Quotes" /><input type="search" aria-label="Quotes" data-list-search /></>;
  const router = await openPages([{ ...PAGES[1]!, load: () => Promise.resolve({ default: List }) }], '/admin/quotes');
  await expect.element(heading('Quotes')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.fill(field(), 'pira');
  await page.getByRole('option', { name: 'Filter this list by “pira”' }).click();
  await expect.poll(() => router.history.location.href).toBe('/admin/quotes?search=pira');
});
