/** The sign box: the promise where a percentage follows, the name of whoever signs, and an offer that moved. */
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { QuoteAnswer } from '#modules/licensing/portal/portal.contract.ts';
import { staged } from '#web/controls/stage.tsx';
import { createQueryClient } from '#web/query/query-client.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import { SignOffer } from './sign-offer.web.tsx';

const person = { id: 4, first_name: 'Rosa', last_name: 'Calder', role: 'customer', permissions: [], customer_ids: [2] };
const CHANGED = { message: 'The offer has changed since you opened it. Read the current version.',
  code: 'license.precondition', phase: 'sent', unmet: [{ guard: 'same_version', message: 'The offer has changed.' }],
  offer_version: 2, changes: ['Price: USD 4,925.00 (before: USD 3,940.00)', 'Payment plan'] };
const bodies: Record<string, unknown>[] = [];

beforeEach(() => {
  vi.stubGlobal('fetch', (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST' && url.endsWith('/sign')) {
      bodies.push(JSON.parse(String(body)) as Record<string, unknown>);
      return Promise.resolve(Response.json(CHANGED, { status: 409 }));
    }
    return Promise.resolve(Response.json({ data: url.endsWith('/me') ? person : [] }));
  });
});
afterEach(() => { vi.unstubAllGlobals(); bodies.length = 0; });

const promise = { headline: 'USD 2,000.00 on signing, plus 11% of gross', rate: '11% of gross', now_minor: 200_000,
  facts: [] };
const quote = (of: Partial<QuoteAnswer>): QuoteAnswer => ({ offer_version: 1, hash: 'abc', addendum: null,
  document_sha256: 'f00', currency: 'USD', promise: null, totals: { total_minor: 265_000, security_deposit_minor: 0 },
  first_payments: [{ label: 'To pay', text: 'USD 2,000.00 before issue, by January 14, 2027' }],
  ...of } as unknown as QuoteAnswer);
const box = (of: Partial<QuoteAnswer> = {}) => staged(
  <QueryClientProvider client={createQueryClient()}>
    <SignOffer quote={quote(of)} production={{ id: 3, currency: 'USD' } as ProductionProps['production']}
      portal={{ customerId: 2, maySee: true } as unknown as ProductionProps['portal']} />
  </QueryClientProvider>);
const accept = () => page.getByRole('checkbox', { name: /accept/ });

test('where a percentage follows it says what is paid now and the percentage, and calls no sum the whole', async () => {
  await box({ promise });
  await expect.element(page.getByRole('checkbox', { name: /USD 2,000\.00 on signing, plus 11% of gross/ }))
    .toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Sign: USD 2,000.00 now' })).toBeVisible();
  await expect.element(page.getByText('To pay: USD 2,000.00 before issue, by January 14, 2027.')).toBeVisible();
  expect(page.getByText(/in all|2,650\.00/).elements()).toHaveLength(0);
});

test('a fixed price is said as a whole, with a deposit that comes back beside it', async () => {
  await box({ totals: { total_minor: 265_000, security_deposit_minor: 40_000 } as QuoteAnswer['totals'] });
  const words = /2,650\.00 in all, and a refundable deposit of USD 400\.00/;
  await expect.element(page.getByRole('checkbox', { name: words })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Sign for USD 2,650.00' })).toBeVisible();
});

test('another name than the account is confirmed first; an offer that moved says what changed', async () => {
  await box({ promise });
  await page.getByRole('textbox', { name: /^Your full name/ }).fill('Dana Drama');
  await page.getByRole('textbox', { name: /^Your title/ }).click();
  await accept().last().click();
  const sign = page.getByRole('button', { name: /^Sign: / });
  await expect.element(sign).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('checkbox', { name: /You are signing as Dana Drama; your account is Rosa Calder/ }).click();
  await sign.click();
  await expect.poll(() => bodies).toEqual([{ offer_version: 1, hash: 'abc', signer_name: 'Dana Drama',
    signer_title: '', accept: true, confirm_name: true }]);
  await expect.element(page.getByText('Price: USD 4,925.00 (before: USD 3,940.00)')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Show the current offer' })).toBeVisible();
});
