/** What is asked for and when adds up to the total of the offer, whichever kind of deposit there is. */
import { expect, it } from 'vitest';
import type { OfferSnapshot } from './offer-snapshot.server.ts';
import { contractText, depositBeside, paymentPlan, quoteLetter } from './offer-texts.ts';

const instalment = (label: string, due_event: string, amount_minor: number, is_deposit = false) =>
  ({ label, due_event, due_on: null, amount_minor, line_kinds: ['royalty'], is_deposit });

const offer = (totals: { deposit_minor: number; due_minor: number },
  payment_plan: OfferSnapshot['payment_plan']): OfferSnapshot => ({
  offer_version: 1, number: 'Q-US-2026-000001', issued_on: '2026-11-20', expires_on: '2027-01-02',
  house: { name: 'Grand Rights Inc', address: {} }, customer: { name: 'Springfield Players', address: null },
  title: 'The Gardener', authors_credit: '', show_code: 'GARD', category: 'Amateur', division: 'US', currency: 'USD',
  producing_organisation: '', execution_policy: 'paid_in_full', venues: [], lines: [],
  totals: { royalty_minor: 100_000, charges_minor: 7_140, tax_minor: 4_720, discount_minor: 0, ...totals },
  discount_reason: null, payment_plan, explanation: [], terms: {}, billing: [],
});

const security = offer({ deposit_minor: 40_000, due_minor: 151_860 },
  [instalment('Before the licence is issued', 'execution', 111_860)]);
const onAccount = offer({ deposit_minor: 50_000, due_minor: 111_860 },
  [instalment('Deposit', 'acceptance', 50_000, true), instalment('Before the licence is issued', 'execution', 61_860)]);
const cells = (blocks: ReturnType<typeof quoteLetter>['blocks']): (readonly string[])[] =>
  blocks.flatMap((block) => block.kind === 'table' ? [...block.rows, ...block.totals ?? []] : []);
const sum = (plan: OfferSnapshot['payment_plan']): number => plan.reduce((all, row) => all + row.amount_minor, 0);

it('a deposit that comes back is a line of the total and of what is due, asked for at acceptance', () => {
  expect(depositBeside(security.totals)).toBe(40_000);
  expect(sum(paymentPlan(security))).toBe(security.totals.due_minor);
  for (const write of [quoteLetter, contractText]) {
    const rows = cells(write(security, new Date('2026-11-20T00:00:00Z')).blocks);
    expect(rows).toContainEqual(['Deposit, comes back after returns', '', '', '', '', '400.00']);
    expect(rows).toContainEqual(['Deposit, comes back after returns', 'At acceptance', '400.00']);
  }
});

it('a deposit on account is part of the price: an instalment, and nothing beside the total', () => {
  expect(depositBeside(onAccount.totals)).toBe(0);
  expect(paymentPlan(onAccount)).toEqual(onAccount.payment_plan);
  expect(sum(onAccount.payment_plan)).toBe(onAccount.totals.due_minor);
  const rows = cells(quoteLetter(onAccount, new Date('2026-11-20T00:00:00Z')).blocks);
  expect(rows.filter(([first]) => first?.startsWith('Deposit'))).toEqual([['Deposit', 'At acceptance', '500.00']]);
});
