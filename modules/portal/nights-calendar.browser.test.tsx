/** The calendar in which a customer chooses nights: state S105, constant C79. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import { NightsCalendar } from './nights-calendar.web.tsx';

beforeEach(() => { vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ data: [] }))); });
afterEach(() => { vi.unstubAllGlobals(); });

test('[S105] [C79] weeks start on Sunday, and every day stands below its own', async () => {
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <NightsCalendar customerId={7} base="/customer/7" showId={3} chosen={['2031-05-20']} onChange={() => {}}
        place={{ country: 'US', lat: null, lng: null } as never} />
    </QueryClientProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'May 2031' })).toBeVisible();
  const left = (element: Element) => Math.round(element.getBoundingClientRect().left);
  for (const [name, month] of [['May 2031', '2031-05'], ['June 2031', '2031-06']] as const) {
    const grid = page.getByRole('heading', { name }).element().nextElementSibling!;
    const heads = [...grid.children].slice(0, 7);
    expect(heads.map((head) => head.textContent)).toEqual(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
    const days = [...grid.querySelectorAll('button')];
    expect(days.length).toBe(month === '2031-05' ? 31 : 30);
    for (const day of days) {
      const date = new Date(`${month}-${day.textContent.padStart(2, '0')}T00:00:00Z`);
      expect(left(day), date.toISOString()).toBe(left(heads[date.getUTCDay()]!));
    }
  }
});
