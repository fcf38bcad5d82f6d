/** The calendar in which a customer chooses nights: state S105, constant C79. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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

const TAKEN = { from: '2031-05-01', to: '2031-05-18', verdict: 'blocked',
  reason_public: 'A professional run in Boulder holds the rights.' };
const answers = (url: string) => (url.includes('/days') ? [TAKEN]
  : { verdict: 'blocked', reason_public: '', alternatives: [{ from: '2031-05-20', to: '2031-05-20' }] });

async function calendarOf(onChange: (days: string[]) => void) {
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => Promise.resolve(Response.json({
    data: answers(input instanceof Request ? input.url : String(input)) })));
  await staged(
    <QueryClientProvider client={createQueryClient()}>
      <NightsCalendar customerId={7} base="/customer/7" showId={3} chosen={['2031-05-27']} onChange={onChange}
        place={{ venue_id: 2 }} />
    </QueryClientProvider>,
  );
}

test('a night that is taken says why, until when, and leads on; it is not chosen', async () => {
  const changed = vi.fn<(days: string[]) => void>();
  await calendarOf(changed);
  await page.getByRole('button', { name: /May 14.*not available/ }).click();
  const why = page.getByRole('dialog', { name: 'Not available, May 1 to 18, 2031' });
  await expect.element(why.getByText(TAKEN.reason_public)).toBeVisible();
  await expect.element(why.getByRole('link', { name: 'Other titles for these dates' }))
    .toHaveAttribute('href', '/customer/7/shows?night=2031-05-14');
  await why.getByRole('button', { name: /May 20/ }).click();
  await expect.element(page.getByRole('button', { name: /May 20.*free/ })).toHaveFocus();
  expect(why.elements()).toHaveLength(0);
  expect(changed).not.toHaveBeenCalled();
});

test('Escape closes it, and the focus stands on its night again', async () => {
  await calendarOf(() => {});
  const night = page.getByRole('button', { name: /May 14.*not available/ });
  await night.click();
  await expect.element(page.getByRole('link', { name: 'Other titles for these dates' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(night).toHaveFocus();
});
