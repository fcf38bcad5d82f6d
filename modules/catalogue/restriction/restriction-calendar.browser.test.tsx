/** The availability of a show, day by day: state S105, constant C79. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { AvailabilityCalendar } from './restriction-calendar.web.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2027, 4, 12, 12) });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: [] })));
});
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals(); });

test('[S105] [C79] weeks start on Sunday, and every day stands below its own', async () => {
  await staged(
    <QueryClientProvider client={createQueryClient()}><AvailabilityCalendar showId={3} /></QueryClientProvider>,
  );
  await expect.element(page.getByText('May 2027', { exact: true })).toBeVisible();
  const grid = page.getByRole('button', { name: /: Free$/ }).first().element().closest('ul')!;
  const [heads, days] = [[...grid.children].slice(0, 7), [...grid.children].slice(7)];
  expect(heads.map((head) => head.textContent)).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
  expect(days).toHaveLength(31);
  const left = (element: Element) => Math.round(element.getBoundingClientRect().left);
  for (const [index, day] of days.entries()) {
    const date = new Date(Date.UTC(2027, 4, index + 1));
    expect(left(day), date.toISOString()).toBe(left(heads[date.getUTCDay()]!));
  }
});
