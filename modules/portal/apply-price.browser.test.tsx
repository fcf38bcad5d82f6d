/** Price of one more performance, and of other titles for the same nights: both from the server's prices alone. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { OneMore } from './apply-price.web.tsx';
import { OtherTitles } from './apply-titles.web.tsx';
import { emptyApplication, priceQuestion, type ApplyValues } from './apply-values.web.ts';
import { useLivePrice } from './use-live.web.ts';

const nights = (...days: string[]) => days.map((day, key) => ({ key, day, time: '19:30', type: 'public' as const }));
const empty = emptyApplication('Astoria Community Players', 7);
const playing = (...days: string[]): ApplyValues => ({ ...empty, stops: [{ ...empty.stops[0]!, nights: nights(...days),
  bands: [{ key: 1, label: '', seats: 200, price: 1_500, type: null }] }] });
const begun = playing('2027-05-06', '2027-05-07');

/** Due for so many performances, in cents; a title of its own costs a euro more a night. */
const DUE: Record<number, number> = { 2: 54_000, 3: 81_000, 4: 81_000, 5: 70_000 };
interface Question { show_id: number; license_venues: { performances: unknown[] }[] }
let hold: Promise<void> = Promise.resolve();

beforeEach(() => {
  hold = Promise.resolve();
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input), window.location.origin);
    if (/availability/.test(pathname)) return Response.json({ data: { verdict: 'blocked', days: [] } });
    if (/shows\/\d+$/.test(pathname)) return Response.json({ data: { id: 12, title: 'Ghost Light' } });
    const { show_id, license_venues } = JSON.parse(String(init?.body)) as Question;
    const count = license_venues[0]!.performances.length;
    if (count > 2) await hold;
    const total_minor = (DUE[count] ?? 0) + (show_id === 12 ? count * 100 : 0);
    return Response.json({ data: { priced: true, currency: 'EUR', totals: { total_minor }, promise: null,
      venues: [{ number_of_performances: count }] } });
  });
});
afterEach(() => { vi.restoreAllMocks(); });

function More({ count }: { count: number }) {
  const values = playing(...['2027-05-06', '2027-05-07', '2027-05-08', '2027-05-09'].slice(0, count));
  const now = useLivePrice(3, priceQuestion(values, 11));
  return <OneMore customerId={3} showId={11} values={values} now={now} />;
}
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } });

test.each([
  [2, 'A third performance would raise the estimate by EUR 270.00'],
  [3, 'A fourth performance would cost nothing more'],
  [4, 'A fifth performance would lower the estimate by EUR 110.00'],
])('%i performances: %s', async (count, words) => {
  await staged(<QueryClientProvider client={client()}><More count={count} /></QueryClientProvider>);
  await expect.element(page.getByText(words)).toBeVisible();
});

test('nothing is said while one of the two prices is on its way', async () => {
  let go = (): void => undefined;
  hold = new Promise((done) => { go = done; });
  await staged(<QueryClientProvider client={client()}><More count={2} /></QueryClientProvider>);
  await vi.waitFor(() => expect(window.fetch).toHaveBeenCalledTimes(2));
  expect(page.getByText(/performance/).elements()).toHaveLength(0);
  go();
  await expect.element(page.getByText('A third performance would raise the estimate by EUR 270.00')).toBeVisible();
});

function Titles() {
  const [others, setOthers] = useState<readonly number[]>([12]);
  return (
    <>
      <OtherTitles customerId={3} showId={11} values={{ ...begun, others }} place={{ venue_id: 7 }}
        onChange={setOthers} />
      <output>{others.join(' ')}</output>
    </>
  );
}

test('another title says its price and its rights for the same nights, and is taken away again', async () => {
  await staged(<QueryClientProvider client={client()}><Titles /></QueryClientProvider>);
  const title = page.getByRole('listitem').filter({ hasText: 'Ghost Light' });
  await expect.element(title).toHaveTextContent('Ghost LightEUR 542.00, not available');
  await page.getByRole('button', { name: 'Take away Ghost Light' }).click();
  await expect.element(page.getByRole('status').last()).toHaveTextContent('');
  expect(page.getByRole('listitem').elements()).toHaveLength(0);
});
