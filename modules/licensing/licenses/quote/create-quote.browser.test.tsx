/** A quote that is begun: with whom it was asked for, kept as a draft, offered again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QueryClientProvider } from '@tanstack/react-query';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { Toasts } from '#web/data/toast.tsx';
import { NavigationProvider, windowNavigation } from '#web/navigation/navigation.tsx';
import CreateQuote from './create-quote.web.tsx';

const DRAFT = 'gr-draft:license/new';
const customer = { id: 5, name: 'Savoy Hill Players', number: 'C-10005' };
const PAGE = { current_page: 1, last_page: 1, total: 0, per_page: 10 };
const person = { id: 1, first_name: 'Eleanor', last_name: 'Marsh', role: 'staff_admin', permissions: [],
  customer_ids: [] };

beforeEach(async () => {
  await page.viewport(1280, 900);
  sessionStorage.removeItem(DRAFT);
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit = {}) => {
    if (method === 'POST' && url.endsWith('/licenses')) return Promise.resolve(Response.json({ data: { id: 9 } }));
    return Promise.resolve(Response.json(url.endsWith('/me') ? { data: person }
      : url.endsWith('/customers/5') ? { data: customer } : { data: [], meta: PAGE }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.removeItem(DRAFT);
  window.history.replaceState(null, '', window.location.pathname);
});

const open = (query = '') => {
  window.history.replaceState(null, '', window.location.pathname + query);
  return staged(<QueryClientProvider client={createQueryClient()}><CreateQuote /></QueryClientProvider>);
};

test('begins with the customer that the way there has named, which is no change of the form', async () => {
  await open('?customer=5&show=x');
  await expect.element(page.getByRole('combobox', { name: /Customer/ })).toHaveTextContent('Savoy Hill Players');
  await expect.element(page.getByRole('combobox', { name: /Show/ })).toHaveTextContent('Select');
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
});

test('what was typed is kept and comes back when it is asked for', async () => {
  const first = await open();
  await userEvent.fill(page.getByRole('textbox', { name: /^Venue name \(if not listed\)/ }), 'Old Mill Barn');
  await expect.poll(() => sessionStorage.getItem(DRAFT), { timeout: 5_000 }).toContain('Old Mill Barn');
  await first.unmount();
  await open();
  // Without the frame above it the page's head lies over what follows.
  await expect.element(page.getByRole('button', { name: 'Restore draft' })).toBeVisible();
  (page.getByRole('button', { name: 'Restore draft' }).element() as HTMLElement).click();
  await expect.element(page.getByRole('textbox', { name: /^Venue name \(if not listed\)/ }))
    .toHaveValue('Old Mill Barn');
});

test('a quote without a venue opens when it is created, and nobody is asked about unsaved changes', async () => {
  window.history.replaceState(null, '', `${window.location.pathname}?customer=5&show=7`);
  const opened: { href: string; free: boolean }[] = [];
  const go = (href: string) => opened.push({ href,
    free: window.dispatchEvent(new Event('beforeunload', { cancelable: true })) });
  await staged(
    <NavigationProvider port={{ ...windowNavigation, go }}>
      <QueryClientProvider client={createQueryClient()}><CreateQuote /><Toasts /></QueryClientProvider>
    </NavigationProvider>);
  (page.getByRole('radio', { name: /^Professional/ }).element() as HTMLElement).click();
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  (page.getByRole('button', { name: 'Create quote' }).first().element() as HTMLElement).click();
  await expect.poll(() => opened).toEqual([{ href: '/admin/quotes/9/venues', free: true }]);
});
