/** Every row of the posting table (accounting.md 2.2) that the thread needs, with its very amounts. */
import { expect, it } from 'vitest';
import { formatMinor } from '../money/money.ts';
import type { Booking } from './booking.ts';
import { UnbalancedEventError } from './booking.ts';
import { exchangeRealised, revalued, settledInFunctional } from './exchange-events.ts';
import { boxOfficeEarned, creditNoteIssued, incomeAccrued, incomeReleased, invoiceIssued, type TaxPart } from
  './income-events.ts';
import { checkBalanced, reverse, type JournalDraft, type JournalLine } from './journal.ts';
import {
  creditRefunded, depositSettled, onAccountReceived, onAccountRefunded, paidByWire, receiptPosted,
  returnedPaymentCharged, securityDepositReceived,
} from './receipt-events.ts';
import {
  advancePaid, advanceRecouped, agentCommission, minimumToppedUp, reserveHeld, reserveReleased, reverseChargeVat,
  royaltyMoved, royaltyPaid, selfBilledVat, withholdingRemitted,
} from './royalty-events.ts';

const US: Booking = {
  division: 'US', transaction_at: '2026-01-15', currency: 'USD', description: 'test',
  source: { type: 'test', id: 1, event: 'row', attempt: 1 },
};
const UK: Booking = { ...US, division: 'UK', currency: 'GBP' };
const customer = { customer_id: 7, due_date: '2026-02-14' };
const vat = (amount: bigint): TaxPart => ({ account: '2300', amount, authority_id: 1, tax_code_id: 5 });

function rows(lines: readonly JournalLine[] | JournalDraft | null): string[] {
  const list = lines === null ? [] : 'lines' in lines ? lines.lines : lines;
  if (lines !== null && 'lines' in lines) expect(checkBalanced(lines)).toEqual({ ok: true });
  return list.map((l) => `${l.account}${l.party ? ` ${l.party.type}` : ''} ${formatMinor(l.amount)}`
    + `${l.amount === l.base ? '' : ` @ ${formatMinor(l.base)}`}`);
}

it('1, 1n, 1b: an invoice defers its income, owes its tax, and in net presentation the royaltors\' parts', () => {
  expect(rows(invoiceIssued({ ...US, ...customer,
    lines: [100_000n, 20_000n, 4_500n, 1_500n].map((amount) => ({ amount })),
    taxes: [{ account: '2310', amount: 2_400n, authority_id: 1 }] }))).toEqual([
    '1100 customer 1,284.00', '2100 customer (1,000.00)', '2100 customer (200.00)', '2100 customer (45.00)',
    '2100 customer (15.00)', '2310 tax_authority (24.00)']);
  expect(rows(invoiceIssued({ ...US, ...customer, lines: [{ amount: 30_000n }],
    royaltor_shares: [{ royaltor_id: 3, amount: 70_000n }] }))).toEqual([
    '1100 customer 1,000.00', '2100 customer (300.00)', '2210 royaltor (700.00)']);
  expect(rows(invoiceIssued({ ...UK, ...customer, lines: [{ amount: 100_000n }], taxes: [vat(20_000n)] }))).toEqual([
    '1100 customer 1,200.00', '2100 customer (1,000.00)', '2300 tax_authority (200.00)']);
});

it('2, 11b: deferred income becomes income', () => {
  expect(rows(incomeReleased({ ...US, customer_id: 7, parts: [{ account: '4000', amount: 100_000n }] }))).toEqual([
    '2100 customer 1,000.00', '4000 (1,000.00)']);
  expect(rows(incomeReleased({ ...US, customer_id: 7, parts: [{ account: '4000', amount: 30_000n }] }))).toEqual([
    '2100 customer 300.00', '4000 (300.00)']);
});

it('3, 3b, 3p, 3r: box office above what is billed, out of an advance, gross and net', () => {
  expect(rows(boxOfficeEarned({ ...US, ...customer, due: 35_000n })))
    .toEqual(['1100 customer 350.00', '4010 (350.00)']);
  expect(rows(boxOfficeEarned({ ...US, ...customer, due: 35_000n,
    royaltor_shares: [{ royaltor_id: 3, amount: 24_500n }] })))
    .toEqual(['1100 customer 350.00', '4010 (105.00)', '2210 royaltor (245.00)']);
  expect(rows(boxOfficeEarned({ ...US, ...customer, due: 816_667n })))
    .toEqual(['1100 customer 8,166.67', '4010 (8,166.67)']);
  expect(rows(boxOfficeEarned({ ...US, ...customer, due: 126_143n, recouped: 33_910n }))).toEqual([
    '2100 customer 339.10', '1100 customer 1,261.43', '4010 (1,600.53)']);
});

it('3a: weeks played and not reported are accrued with their cost', () => {
  expect(rows(incomeAccrued({ ...US, customer_id: 7, amount: 90_000n,
    royaltor_shares: [{ royaltor_id: 3, amount: 63_000n }] })))
    .toEqual(['1120 customer 900.00', '5000 630.00', '4010 (900.00)', '2210 royaltor (630.00)']);
});

it('4, 4b: a credit note takes back deferred income, then income', () => {
  expect(rows(creditNoteIssued({ ...US, ...customer, deferred: [{ amount: 126_000n }],
    taxes: [{ account: '2310', amount: 2_400n, authority_id: 1 }] }))).toEqual([
    '2100 customer 1,260.00', '2310 tax_authority 24.00', '1100 customer (1,284.00)']);
  expect(rows(creditNoteIssued({ ...UK, ...customer, deferred: [], earned: [{ account: '4000', amount: 10_000n }],
    taxes: [vat(2_000n)] }))).toEqual(['4000 100.00', '2300 tax_authority 20.00', '1100 customer (120.00)']);
});

it('5, 6b, 7, 8: receipts, short payment and withholding, refund, returned payment', () => {
  const cash = { customer_id: 7, cash_account: '1000' };
  expect(rows(receiptPosted({ ...US, ...cash, received: 128_400n })))
    .toEqual(['1000 1,284.00', '1100 customer (1,284.00)']);
  expect(rows(receiptPosted({ ...US, ...cash, received: 89_500n, withheld: { amount: 10_000n, authority_id: 2 },
    small_difference: 500n }))).toEqual([
    '1000 895.00', '1310 tax_authority 100.00', '7090 5.00', '1100 customer (1,000.00)']);
  expect(rows(creditRefunded({ ...US, customer_id: 7, amount: 28_400n }))).toEqual([
    '1100 customer 284.00', '2000 customer (284.00)']);
  const bounced = [...reverse(receiptPosted({ ...US, ...cash, received: 128_400n }).lines),
    ...returnedPaymentCharged({ ...US, ...cash, fee: 2_500n, recharged: 2_500n }).lines];
  expect(rows(bounced).toSorted()).toEqual(['1000 (1,284.00)', '1000 (25.00)', '1100 customer 1,284.00',
    '1100 customer 25.00',
    '6100 (25.00)', '6100 25.00']);
});

it('9, 9b, 9c, 10: deposits of both kinds', () => {
  const cash = { customer_id: 7, cash_account: '1000' };
  expect(rows(securityDepositReceived({ ...US, ...cash, amount: 50_000n })))
    .toEqual(['1000 500.00', '2150 customer (500.00)']);
  expect(rows(onAccountReceived({ ...UK, ...cash, net: 41_667n, tax: vat(8_333n) }))).toEqual([
    '1000 500.00', '2160 customer (416.67)', '2300 tax_authority (83.33)']);
  expect(rows(onAccountRefunded({ ...UK, customer_id: 7, net: 41_667n, tax: vat(8_333n) }))).toEqual([
    '2160 customer 416.67', '2300 tax_authority 83.33', '2000 customer (500.00)']);
  expect(rows(invoiceIssued({ ...UK, ...customer, lines: [{ amount: 193_125n, earned: '4010' }, { amount: 37_800n }],
    taxes: [vat(39_925n)], prepaid: { net: 41_667n, tax: vat(8_333n) } }))).toEqual([
    '1100 customer 2,208.50', '2160 customer 416.67', '4010 (1,931.25)', '2100 customer (378.00)',
    '2300 tax_authority (315.92)']);
  expect(rows(depositSettled({ ...US, customer_id: 7, returned: 42_000n, forfeited: 8_000n }))).toEqual([
    '2150 customer 500.00', '2000 customer (420.00)', '4500 (80.00)']);
});

it('11, 11c, 11d, 11r: cost and what becomes due, and their mirror', () => {
  const leg = (account: '5000' | '2210' | '1140' | '2200', amount: bigint) => ({ account, royaltor_id: 3, amount });
  expect(rows(royaltyMoved({ ...US, kind: 'royalty_cost', legs: [leg('5000', 70_000n), leg('2210', -70_000n)] })))
    .toEqual(['5000 700.00', '2210 royaltor (700.00)']);
  expect(rows(royaltyMoved({ ...US, kind: 'royalty_due', legs: [leg('2210', 70_000n), leg('2200', -70_000n)] })))
    .toEqual(['2210 royaltor 700.00', '2200 royaltor (700.00)']);
  expect(rows(royaltyMoved({ ...US, kind: 'royalty_due', legs: [leg('1140', 70_000n), leg('2200', -70_000n)] })))
    .toEqual(['1140 royaltor 700.00', '2200 royaltor (700.00)']);
  expect(rows(royaltyMoved({ ...US, kind: 'royalty_cost', legs: [leg('2200', 7_000n), leg('2210', -7_000n),
    leg('2210', 7_000n), leg('5000', -7_000n)] }))).toEqual([
    '5000 (70.00)', '2200 royaltor 70.00', '2210 royaltor (70.00)', '2210 royaltor 70.00']);
});

it('12 to 15: advances, statements, payments', () => {
  const r = { royaltor_id: 3, cash_account: '1000' };
  const withheld = (amount: bigint) => ({ withheld: { amount, authority_id: 2 } });
  expect(rows(advancePaid({ ...US, ...r, amount: 500_000n, ...withheld(150_000n) }))).toEqual([
    '1150 royaltor 5,000.00', '1000 (3,500.00)', '2320 tax_authority (1,500.00)']);
  expect(rows(advanceRecouped({ ...US, royaltor_id: 3, amount: 70_000n }))).toEqual([
    '2200 royaltor 700.00', '1150 royaltor (700.00)']);
  expect(rows(minimumToppedUp({ ...US, royaltor_id: 3, amount: 15_000n })))
    .toEqual(['5000 150.00', '2200 royaltor (150.00)']);
  const commission = agentCommission({ ...US, royaltor_id: 3, agent_id: 4, amount: 7_000n });
  expect(rows(commission)).toEqual(['2200 royaltor 70.00', '2200 royaltor (70.00)']);
  expect(commission.lines.map((l) => l.party?.id)).toEqual([3, 4]);
  const tax = { authority_id: 1 };
  expect(rows(selfBilledVat({ ...UK, royaltor_id: 3, amount: 14_000n, tax }))).toEqual([
    '1300 tax_authority 140.00', '2200 royaltor (140.00)']);
  expect(rows(reverseChargeVat({ ...UK, amount: 14_000n, tax }))).toEqual([
    '1300 tax_authority 140.00', '2300 tax_authority (140.00)']);
  const paid = royaltyPaid({ ...US, ...r, due: 100_000n, ...withheld(30_000n) });
  expect(rows(paid)).toEqual(['2200 royaltor 1,000.00', '1000 (700.00)', '2320 tax_authority (300.00)']);
  expect(rows(reverse(paid.lines))).toEqual(['2200 royaltor (1,000.00)', '1000 700.00', '2320 tax_authority 300.00']);
  expect(rows(reserveHeld({ ...US, royaltor_id: 3, amount: 10_000n })))
    .toEqual(['2200 royaltor 100.00', '2205 royaltor (100.00)']);
  expect(rows(reserveReleased({ ...US, royaltor_id: 3, amount: 10_000n })))
    .toEqual(['2205 royaltor 100.00', '2200 royaltor (100.00)']);
  expect(rows(withholdingRemitted({ ...US, authority_id: 2, cash_account: '1000', amount: 30_000n }))).toEqual([
    '2320 tax_authority 300.00', '1000 (300.00)']);
});

it('14c, 16b, 19, 20: another currency, the refund by wire, the realised difference, the revaluation', () => {
  const royaltor = { type: 'royaltor', id: 3 } as const;
  const payment = royaltyPaid({ ...US, royaltor_id: 3, cash_account: '1000', due: 129_000n });
  const settled = settledInFunctional({ ...US, account: '2200', party: royaltor,
    carried: { currency: 'GBP', amount: -100_000n, base: -127_000n }, paid: 129_000n });
  expect(rows(settled)).toEqual(['2200 royaltor 1,000.00 @ 1,270.00', '2200 royaltor (1,290.00)', '7000 20.00']);
  const shown = [...payment.lines, ...settled.lines].reduce((map, l) => map.set(l.account,
    (map.get(l.account) ?? 0n) + l.base),
    new Map<string, bigint>());
  expect(Object.fromEntries(shown)).toEqual({ 2200: 127_000n, 1000: -129_000n, 7000: 2_000n });
  expect(rows(paidByWire({ ...US, payee: { type: 'customer', id: 7 }, cash_account: '1000', amount: 60_000n })))
    .toEqual([
    '2000 customer 600.00', '1000 (600.00)']);
  expect(rows(exchangeRealised({ ...US, account: '1100', currency: 'EUR', party: { type: 'customer', id: 7 },
    debit_base: 110_000n, credit_base: 112_000n }))).toEqual(['1100 customer 0.00 @ 20.00', '7000 (20.00)']);
  expect(exchangeRealised({ ...US, account: '1100', currency: 'EUR', party: { type: 'customer', id: 7 },
    debit_base: 5n, credit_base: 5n })).toBeNull();
  expect(rows(revalued({ ...US, balances: [{ account: '1100', currency: 'EUR', party: { type: 'customer', id: 7 },
    amount: 60_000n, base: 66_000n, closing_base: 64_800n }] }))).toEqual(['1100 customer 0.00 @ (12.00)',
      '7010 12.00']);
  expect(revalued({ ...US, balances: [] })).toBeNull();
});

it('keeps old rates on deferred income, and lets income take the difference (3r in a foreign currency)', () => {
  const eur: Booking = { ...US, currency: 'EUR', rate: '1.12' };
  expect(rows(boxOfficeEarned({ ...eur, ...customer, due: 100_000n, recouped: 50_000n, recouped_rate: '1.10' })))
    .toEqual([
    '2100 customer 500.00 @ 550.00', '1100 customer 1,000.00 @ 1,120.00', '4010 (1,500.00) @ (1,670.00)']);
  expect(
    rows(boxOfficeEarned({ ...eur, rate: '1.08', ...customer, due: 0n, recouped: 50_000n, recouped_rate: '1.10' })),
  ).toEqual(['2100 customer 500.00 @ 550.00', '4010 (500.00) @ (550.00)']);
});

it('throws on figures that do not add up, and without a rate for a foreign currency', () => {
  expect(() => depositSettled({ ...US, currency: 'EUR', customer_id: 7, returned: 5n }))
    .toThrow(UnbalancedEventError);
  expect(() => royaltyMoved({ ...US, kind: 'royalty_due', legs: [{ account: '2210', royaltor_id: 3, amount: 5n },
    { account: '2200', royaltor_id: 3, amount: -4n }] })).toThrow(UnbalancedEventError);
});
