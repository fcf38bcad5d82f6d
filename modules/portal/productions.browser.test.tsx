/** A production in short, as customers see it: constants C19, C20, messages M17-M20, gaps G62. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import type { ProductionDetail, ProductionRow } from '#modules/licensing/portal/portal.contract.ts';
import { PaidBadge } from './production-cards.web.tsx';
import { ProductionItem } from './productions.web.tsx';

const row = (more: Partial<ProductionRow>): ProductionRow => ({
  id: 5, number: 'Q-US-2026-000081', license_number: 'L-US-2026-000012', phase: 'licensed', status: '90 Days',
  group: 'PRODUCTION', category: 'Amateur', division: 'US', currency: 'USD', show_id: 1, show_code: 'PP',
  show_title: 'The Pirates of Penzance', show_type: 'musical', title_on_license: 'The Pirates of Penzance',
  producing_organisation: '', venue_names: 'Ravenswood Playhouse', first_performance_on: '2027-02-11',
  last_performance_on: '2027-02-14', number_of_performances: 6, grand_total_minor: 0, percentage_ppm: null,
  security_deposit_minor: 0, invoiced_minor: 0, paid_minor: 0,
  balance_minor: 0, offer_version: 1, offer_sent_at: null, offer_expires_at: null, accepted_at: null, pay_by: null,
  executed_at: null, version: 1, updated_at: '2026-11-20T10:00:00Z', ...more,
} as ProductionRow);

const shown = (more: Partial<ProductionRow>) => staged(<ul><ProductionItem row={row(more)} base="/customer/7" /></ul>);

test('[C19] [C20] [M17] [M19] an amateur production says Amateur and how many days are left', async () => {
  await shown({});
  for (const text of ['Amateur', '90 Days', 'Licensed']) {
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  }
  await expect.element(page.getByText('Feb 11 to 14, 2027, Ravenswood Playhouse, six performances')).toBeVisible();
  await expect.element(page.getByRole('link')).toHaveAttribute('href', '/customer/7/productions/5/overview');
});

test('[C19] [C20] [M18] [M20] a professional one says Pro; one that is over says Closed and no days', async () => {
  await shown({ category: 'Pro', phase: 'closed', status: 'Closed' });
  for (const text of ['Pro', 'Closed']) await expect.element(page.getByText(text, { exact: true })).toBeVisible();
  expect(page.getByText(/Days$/).elements()).toHaveLength(0);
  expect(page.getByText('Closed', { exact: true }).elements()).toHaveLength(1);
});

test.each([['USD 2,000.00 paid', 200_000], ['Paid', 700_000]])('the price of 7,000.00 says %s', async (text, paid) => {
  const figures = { ...row({ grand_total_minor: 700_000, invoiced_minor: paid, paid_minor: paid }) };
  await staged(<PaidBadge production={figures as ProductionDetail} />);
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});
