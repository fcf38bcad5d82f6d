import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { useState } from 'react';
import { page, userEvent } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { emptyApplication } from './apply-values.web.ts';
import { BoxOfficeReport } from './box-office-report.web.tsx';
import { reportBody, reportErrors, reportValues, type Report } from './box-office-values.web.ts';
import { comparedOf, toggled } from './compare-choice.web.ts';
import { nightsFrom } from './estimate.web.ts';
import type { Performance } from './performance-row.web.ts';
import type { PortalInvoice } from './money-words.web.ts';
import { Transfer } from './transfer.web.tsx';
import { dueText, firstAndMore } from './portal-words.web.ts';
import { useDraft } from './use-draft.web.ts';

test.each([
  ['2026-11-24', 'By Tue, Nov 24'], ['2026-12-21', 'By Dec 21'], ['2027-01-21', 'By Jan 21, 2027'],
  ['2026-11-21', 'Due today'], ['2026-11-20', 'Was due Nov 20'], ['2025-07-06', 'Was due Jul 6, 2025'], [null, ''],
])('on November 21, 2026 what is due on %s reads %s', (day, words) => {
  expect(dueText(day, '2026-11-21')).toBe(words);
});

test.each([[['Barn'], 'Barn'], [['Barn', 'Hall'], 'Barn, Hall'],
  [['Barn', 'Hall', 'Loft', 'Yard'], 'Barn and 3 more']])(
  'the venues %j are headed %s', (names, words) => { expect(firstAndMore(names)).toBe(words); });

const night = (id: number) => ({ id, local_date: '2026-10-02', local_time: '19:30' }) as Performance;
const report = { version: 3, gross_minor: 0, tax_included: false, certified_name: null, deductions: [], attachments: [],
  rows: [{ performance_id: 8, seats_sold: 90, comps: 2, gross_minor: 180_000 }] } as unknown as Report;

test('a report is held night by night and travels with the nights that were played', () => {
  const values = reportValues(report, [night(7), night(8)]);
  expect(values.nights).toEqual({ 7: { seats: null, comps: null, gross: null, bands: [] },
    8: { seats: 90, comps: 2, gross: 180_000, bands: [] } });
  expect(reportBody(report, { ...values, name: ' Ada ' }, true)).toMatchObject({ version: 3, draft: false,
    certified_name: 'Ada', gross_minor: 180_000, performances_held: 1, paid_admissions: 90, complimentary: 2,
    rows: [{ performance_id: 8, seats_sold: 90, comps: 2, gross_minor: 180_000 }] });
  expect(reportBody(report, values, false)).not.toHaveProperty('certified_name');
});

test('what the server says about a row stands at its night', () => {
  const values = reportValues(report, [night(7), night(8)]);
  expect(reportErrors({ 'rows.0.gross_minor': 'Too much', certified_name: 'Missing' }, values))
    .toEqual({ 'nights.8.gross': 'Too much', name: 'Missing' });
});

afterEach(() => { vi.unstubAllGlobals(); vi.restoreAllMocks(); sessionStorage.removeItem('gr-draft:box-office/5'); });

test('a name is set only under figures that were on the screen, those of a colleague too', async () => {
  let row = { ...report, id: 5, updated_at: '2026-10-05T09:00:00Z', period_from: '2026-09-28', period_to: '2026-10-04',
    currency: 'EUR', license_venue_id: null, performance_id: null, scope: 'week', questions: [], query_note: null,
    allowed_events: ['submit'], certified_name: 'Ada' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', vi.fn((url: string, init: RequestInit = {}) => {
    if (url.includes('performances')) return Promise.resolve(Response.json({ data: [night(7), night(8)] }));
    if (init.method !== 'PUT') return Promise.resolve(Response.json({ data: row }));
    const body = JSON.parse(String(init.body)) as { version: number };
    if (body.version !== row.version) return Promise.resolve(Response.json({ message: 'Stale' }, { status: 412 }));
    sent.push(body);
    return Promise.resolve(Response.json({ data: row }));
  }));
  const closed = vi.fn();
  await staged(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BoxOfficeReport production={{ id: 3 } as never} reportId={5} onClose={closed}
        portal={{ customerId: 2, held: undefined, maySee: true } as never} />
    </QueryClientProvider>);
  await userEvent.fill(page.getByLabelText('Seats sold').first(), '80');
  row = { ...row, version: 4, updated_at: '2026-10-05T14:05:00Z',
    rows: [{ performance_id: 8, seats_sold: 95, comps: 2, gross_minor: 190_000 }] as never };
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await expect.element(page.getByText(/look at them, then certify again/)).toBeVisible();
  await expect.element(page.getByText('This was changed on Oct 5, 2026, 2:05 PM while you had it open')).toBeVisible();
  await expect.element(page.getByRole('cell', { name: 'EUR 1,900.00' })).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent).toMatchObject([{ version: 4, draft: false, gross_minor: 190_000, paid_admissions: 175 }]);
});

test('figures kept for later wait for a connection and go once; a certificate never goes by itself', async () => {
  const row = { ...report, id: 5, updated_at: '2026-10-05T09:00:00Z', period_from: '2026-09-28',
    period_to: '2026-10-04', currency: 'EUR', license_venue_id: null, performance_id: null, scope: 'week',
    questions: [], query_note: null, allowed_events: ['submit'], certified_name: 'Ada' };
  const sent: unknown[] = [];
  let online = true;
  vi.stubGlobal('fetch', vi.fn((url: string, init: RequestInit = {}) => {
    if (!online) return Promise.reject(new TypeError('Failed to fetch'));
    if (url.includes('performances')) return Promise.resolve(Response.json({ data: [night(7), night(8)] }));
    if (init.method === 'PUT') sent.push(JSON.parse(String(init.body)));
    return Promise.resolve(Response.json({ data: row }));
  }));
  const closed = vi.fn();
  await staged(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BoxOfficeReport production={{ id: 3 } as never} reportId={5} onClose={closed}
        portal={{ customerId: 2, held: undefined, maySee: true } as never} />
    </QueryClientProvider>);
  await userEvent.fill(page.getByLabelText('Seats sold').first(), '80');
  online = false;
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await expect.element(page.getByText(/try again when the connection is back/)).toBeVisible();
  await page.getByRole('button', { name: 'Save for later' }).click();
  await expect.element(page.getByText(/^Waiting for the connection/)).toBeVisible();
  online = true;
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 10_000);
  expect(sent).toMatchObject([{ version: 3, draft: true }]);
});

const invoice = { number: 'INV-EU-2026-000012', currency: 'EUR', balance_minor: 123_405, transfer: {
  payee: 'Grand Rights Europe DAC', bank_name: null, iban: 'IE29AIBK93115212345678', bic: 'AIBKIE2D',
  account_number: null, routing_number: null, reference: 'INV-EU-2026-000012' } } as unknown as PortalInvoice;

test('a transfer is told to the cent, copied without blanks, and drawn as a code with its words', async () => {
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => { written.push(text); });
  await staged(<Transfer asked={invoice} />);
  await expect.element(page.getByText('IE29 AIBK 9311 5212 3456 78')).toBeVisible();
  await page.getByRole('button', { name: 'Copy IBAN' }).click();
  await expect.element(page.getByRole('button', { name: 'Copy IBAN' })).toHaveTextContent('Copied');
  await page.getByRole('button', { name: 'Copy Amount' }).click();
  await vi.waitFor(() => expect(written).toEqual(['IE29AIBK93115212345678', '1234.05']));
  await expect.element(page.getByRole('img', {
    name: /EUR 1,234.05 to Grand Rights Europe DAC, reference INV-EU-2026-000012/ })).toBeVisible();
});

test('pounds have no code, and without an account one is told to ask', async () => {
  const screen = await staged(<Transfer asked={{ ...invoice, currency: 'GBP' }} />);
  await expect.element(page.getByText('GBP 1,234.05')).toBeVisible();
  expect(screen.container.querySelector('svg[role=img]')).toBeNull();
  await staged(<Transfer asked={{ ...invoice, transfer: null }} />);
  await expect.element(page.getByText(/name INV-EU-2026-000012/)).toBeVisible();
});

test('the address names at most three shows to compare, each once, and nothing else', () => {
  expect(comparedOf('12,15,12,x,-3,,18,21')).toEqual([12, 15, 18]);
  expect(comparedOf(null)).toEqual([]);
  expect([toggled([12], 15), toggled([12, 15], 12), toggled([12], 12), toggled([1, 2, 3], 4)])
    .toEqual(['12,15', '15', null, '1,2,3']);
});

test('an estimate takes nights in a row from the first one', () => {
  expect(nightsFrom('2027-02-27', 3)).toEqual(['2027-02-27', '2027-02-28', '2027-03-01']);
  expect(nightsFrom(null, 2)).toHaveLength(2);
});

function Form() {
  const [message, setMessage] = useState('');
  const draft = useDraft(1, 2, { ...emptyApplication('House', 3), message }, undefined);
  return (
    <>
      <input aria-label="Message" value={message} onChange={(event) => setMessage(event.target.value)} />
      <button type="button" onClick={() => void draft.save()}>Save</button><output>{draft.state}</output>
    </>
  );
}

test('an application that is left before the pause is over is saved once; untouched it is not', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: RequestInit) => {
    sent.push((JSON.parse(body as string) as { message: string }).message);
    return Promise.resolve(Response.json({ data: { id: 5, version: 1, license_venues: [],
      shows: [{ show_id: 2 }] } }));
  });
  const shown = () => staged(<QueryClientProvider client={new QueryClient()}><Form /></QueryClientProvider>);
  const untouched = await shown();
  await untouched.unmount();
  const typed = await shown();
  await userEvent.fill(page.getByLabelText('Message'), 'nearly');
  expect(sent).toEqual([]);
  await typed.unmount();
  await vi.waitFor(() => expect(sent).toEqual(['nearly']));
});

test('an application without a connection waits and goes once; what was typed since goes after it', async () => {
  const sent: { method: string; key: string; version: unknown; message: unknown }[] = [];
  let online = false;
  vi.stubGlobal('fetch', (url: string, { method = 'GET', headers, body }: RequestInit) => {
    if (!online) return Promise.reject(new TypeError('Failed to fetch'));
    if (url === '/health/live') return Promise.resolve(new Response('ok'));
    const { version, message } = JSON.parse(body as string) as Record<string, unknown>;
    sent.push({ method, version, message, key: (headers as Record<string, string>)['Idempotency-Key']! });
    return Promise.resolve(Response.json({ data: { id: 5, version: sent.length, license_venues: [],
      shows: [{ show_id: 2 }] } }));
  });
  await staged(<QueryClientProvider client={new QueryClient()}><Form /></QueryClientProvider>);
  await userEvent.fill(page.getByLabelText('Message'), 'one');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('waiting')).toBeVisible();
  await userEvent.fill(page.getByLabelText('Message'), 'one two');
  online = true;
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText('saved')).toBeVisible();
  expect(sent).toMatchObject([{ method: 'POST', message: 'one' }, { method: 'PUT', version: 1, message: 'one two' }]);
  expect(sent[0]!.key).not.toBe(sent[1]!.key);
});
