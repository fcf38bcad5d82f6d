/** Activity of a record, opened from its header (U24). */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import axe from 'axe-core';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { staged, still } from '#web/controls/stage.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { changeWords } from './activity-words.ts';

const asked: string[] = [];
const answerWith = (answer: (url: URL) => Response) => {
  asked.length = 0;
  vi.stubGlobal('fetch', vi.fn((request: RequestInfo | URL) => {
    const url = new URL(request instanceof Request ? request.url : String(request), window.location.href);
    asked.push(`${url.pathname}${url.search}`);
    return Promise.resolve(answer(url));
  }));
};
const event = (id: number) => ({ id, created_at: '2026-11-22T18:27:00Z', actor: id === 1 ? null : 'Eleanor Marsh',
  action: 'update', entity: 'venue', entity_id: 7, changes: [{ field: 'capacity', before: '300', after: '320' }] });
const pageOf = (at: number) => Response.json({ data: [event(at)], meta: { last_page: 2, current_page: at } });
const head = () => staged(
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <PageHeader title="Savoy" activity={{ entity: 'venue', id: 7 }} />
  </QueryClientProvider>);

afterEach(() => { vi.unstubAllGlobals(); });

test('who did what, before and after, page by page; Escape gives the focus back', async () => {
  answerWith((url) => pageOf(url.searchParams.get('page') === '2' ? 1 : 2));
  await head();
  expect(asked).toEqual([]);
  const button = page.getByRole('button', { name: 'Activity' });
  await button.click();
  const drawer = page.getByRole('complementary', { name: 'Activity' });
  await expect.element(drawer.getByText('Eleanor Marsh')).toBeVisible();
  await expect.element(drawer.getByText(/changed it/)).toBeVisible();
  await expect.element(drawer.getByText('Capacity')).toBeVisible();
  expect(asked).toEqual(['/api/admin/staff/activity?entity=venue&entity_id=7&page=1']);
  await still();
  expect((await axe.run(document.body)).violations.map((one) => one.id).filter((id) => id !== 'region')).toEqual([]);
  await drawer.getByRole('button', { name: 'Older' }).click();
  await expect.element(drawer.getByText('Automatic')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(drawer).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('what could not be read is said, and read again', async () => {
  answerWith(() => Response.json({ message: 'You may not open this venue.' }, { status: 403 }));
  await head();
  await page.getByRole('button', { name: 'Activity' }).click();
  await expect.element(page.getByRole('alert').getByText('You may not open this venue.')).toBeVisible();
  answerWith(() => pageOf(2));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText(/changed it/)).toBeVisible();
});

test('fields and values as they stand on screens', () => {
  const said = (field: string, before: string, after: string): string => {
    const words = changeWords({ field, before, after });
    return `${words.field}: ${words.before} > ${words.after}`;
  };
  expect(said('active', 'false', 'true')).toBe('Active: no > yes');
  expect(said('price_usd_minor', '', '123450')).toBe('Price USD:  > 1,234.50');
  expect(said('rate_ppm', '75000', '80000')).toBe('Rate: 7.5% > 8%');
  expect(said('retired_on', '', '2027-02-11')).toBe('Retired on:  > Feb 11, 2027');
  expect(said('all', '', 'Ravenswood Playhouse')).toBe(':  > Ravenswood Playhouse');
});
