/** Every row of the posting table (accounting.md 2.2) that the product posts, with its very amounts. */
import { expect, it } from 'vitest';
import { formatMinor, sum } from '../money/money.ts';
import { moveEntitlement, NOTHING_YET, type Entitlement } from '../royalties/entitlement.ts';
import { statementJournal } from '../royalties/statement-journal.ts';
import { transferReceivedLines, transferSentLines } from './bank-transfer.ts';
import type { JournalLine } from './journal.ts';
import { billLines, goodsLines, purchaseBoxes, type BillLinePosting } from './payable-events.ts';
import {
  bankChargeLines, creditLines, depositAppliedLines, depositForfeitedLines, depositReceivedLines, depositRefundLines,
  invoiceLines, receiptLines, recoveryLines, refundLines, refundPaidLines, releaseLines, settlementLines, writeOffLines,
  type DepositPosting,
  type TaxOwed,
} from './receivable-events.ts';
import { restoredAdvanceLines, royaltyPaymentLines, type PaidDebt, type RoyaltyPayment } from './royalty-events.ts';

const ON = '2026-01-15';
const customer = { customer_id: 7, due_on: '2026-02-14' };
const NOTHING = { net_minor: 0n, taxes: [] };
const tax = (account: string, tax_minor: bigint): TaxOwed =>
  ({ account, authority_id: 1, tax_code_id: 5, tax_minor, base_minor: tax_minor * 5n });

interface Line { account: string; amount_minor: bigint; party?: { type: string } | string | null }

/** Lines as an accountant reads them; every event sums to nothing. */
function rows(lines: readonly Line[]): string[] {
  expect(sum(lines.map((line) => line.amount_minor))).toBe(0n);
  return lines.map((line) => {
    const party = typeof line.party === 'object' ? line.party?.type : line.party;
    return `${line.account}${party ? ` ${party}` : ''} ${formatMinor(line.amount_minor)}`;
  });
}

it('1, 1b: an invoice defers its income and owes its tax', () => {
  expect(rows(invoiceLines({ ...customer, prepaid: NOTHING, taxes: [tax('2310', 2_400n)],
    income: [100_000n, 20_000n, 4_500n, 1_500n].map((net_minor) => ({ account: '2100', net_minor })) }))).toEqual([
    '1100 customer 1,284.00', '2100 customer (1,000.00)', '2100 customer (200.00)', '2100 customer (45.00)',
    '2100 customer (15.00)', '2310 tax_authority (24.00)']);
  expect(rows(invoiceLines({ ...customer, prepaid: NOTHING, taxes: [tax('2300', 20_000n)],
    income: [{ account: '2100', net_minor: 100_000n }] }))).toEqual([
    '1100 customer 1,200.00', '2100 customer (1,000.00)', '2300 tax_authority (200.00)']);
});

it('2: deferred income becomes income, one line per account', () => {
  expect(rows(releaseLines(7, [{ account: '4000', amount_minor: 100_000n }]))).toEqual([
    '2100 customer 1,000.00', '4000 (1,000.00)']);
  expect(rows(releaseLines(7, [{ account: '4100', amount_minor: 20_000n }, { account: '4300', amount_minor: 1_500n }])))
    .toEqual(['2100 customer 215.00', '4100 (200.00)', '4300 (15.00)']);
});

it('3, 3p, 3r: a report bills what is above the advance, which becomes income beside it', () => {
  const billed = (net_minor: bigint) => rows(invoiceLines({ ...customer, prepaid: NOTHING, taxes: [],
    income: [{ account: '4010', net_minor }] }));
  expect(billed(35_000n)).toEqual(['1100 customer 350.00', '4010 (350.00)']);
  expect(billed(816_667n)).toEqual(['1100 customer 8,166.67', '4010 (8,166.67)']);
  expect([...billed(126_143n), ...rows(releaseLines(7, [{ account: '4010', amount_minor: 33_910n }]))]).toEqual([
    '1100 customer 1,261.43', '4010 (1,261.43)', '2100 customer 339.10', '4010 (339.10)']);
});

it('4, 4b: a credit note takes back deferred income, then income', () => {
  expect(rows(creditLines({ customer_id: 7, on: ON, deferred_minor: 126_000n, income: [],
    taxes: [tax('2310', 2_400n)] }))).toEqual([
    '2100 customer 1,260.00', '2310 tax_authority 24.00', '1100 customer (1,284.00)']);
  expect(rows(creditLines({ customer_id: 7, on: ON, deferred_minor: 0n, taxes: [tax('2300', 2_000n)],
    income: [{ account: '4000', amount_minor: 10_000n }] }))).toEqual([
    '4000 100.00', '2300 tax_authority 20.00', '1100 customer (120.00)']);
});

it('5, 6b, 7, 8: receipts, short payment and withholding, refund, returned payment', () => {
  const receipt = { customer_id: 7, bank_account: '1000', on: ON, withheld_minor: 0n, short_minor: 0n,
    authority_id: null };
  expect(rows(receiptLines({ ...receipt, amount_minor: 128_400n })))
    .toEqual(['1000 1,284.00', '1100 customer (1,284.00)']);
  // Settlement without cash is an item of its own: 895.00 + 105.00 = 1,000.00.
  expect(rows(receiptLines({ ...receipt, amount_minor: 89_500n, withheld_minor: 10_000n, short_minor: 500n,
    authority_id: 2 }))).toEqual([
    '1000 895.00', '1310 tax_authority 100.00', '7090 5.00', '1100 customer (895.00)', '1100 customer (105.00)']);
  expect(rows(refundLines(7, 28_400n, ON))).toEqual(['1100 customer 284.00', '2000 customer (284.00)']);
  expect(rows(bankChargeLines(2_500n, '1000'))).toEqual(['6100 25.00', '1000 (25.00)']);
  // The charge billed on is an invoice line against the same account.
  expect(rows(invoiceLines({ ...customer, income: [{ account: '6100', net_minor: 2_500n }], taxes: [],
    prepaid: NOTHING }))).toEqual(['1100 customer 25.00', '6100 (25.00)']);
  expect(rows(recoveryLines(7, 40_000n, 'bad_debt', ON))).toEqual(['1100 customer 400.00', '6000 (400.00)']);
  expect(rows(recoveryLines(7, 500n, 'small_difference', ON))).toEqual(['1100 customer 5.00', '7090 (5.00)']);
  expect(rows(settlementLines({ customer_id: 7, on: ON, withheld_minor: 10_000n, short_minor: 500n,
    authority_id: 2 }))).toEqual(['1310 tax_authority 100.00', '7090 5.00', '1100 customer (105.00)']);
});

it('9, 9b, 10, 16b: deposits of both kinds, in, applied, back, kept', () => {
  const security: DepositPosting = { customer_id: 7, kind: 'security', on: ON, net_minor: 50_000n, tax: null };
  const onAccount: DepositPosting = { ...security, kind: 'on_account', net_minor: 41_667n, tax: tax('2300', 8_333n) };
  expect(rows(depositReceivedLines(security, '1000'))).toEqual(['1000 500.00', '2150 customer (500.00)']);
  expect(rows(depositReceivedLines(onAccount, '1000'))).toEqual([
    '1000 500.00', '2160 customer (416.67)', '2300 tax_authority (83.33)']);
  expect(rows(depositRefundLines(onAccount))).toEqual([
    '2000 customer (500.00)', '2160 customer 416.67', '2300 tax_authority 83.33']);
  expect(rows(depositAppliedLines(security))).toEqual(['1100 customer (500.00)', '2150 customer 500.00']);
  const returned = depositRefundLines({ ...security, net_minor: 42_000n });
  const kept = depositForfeitedLines({ ...security, net_minor: 8_000n }, []);
  expect([...rows(returned), ...rows(kept)]).toEqual([
    '2000 customer (420.00)', '2150 customer 420.00', '4500 (80.00)', '2150 customer 80.00']);
  // Kept for a hire that ran late: the tax of the hire is inside what is kept.
  expect(rows(depositForfeitedLines({ ...security, net_minor: 12_000n }, [tax('2300', 2_000n)]))).toEqual([
    '4500 (100.00)', '2150 customer 120.00', '2300 tax_authority (20.00)']);
  expect(rows(refundPaidLines(7, 60_000n, '1000', ON))).toEqual(['2000 customer 600.00', '1000 (600.00)']);
});

it('9c: the final invoice deducts a payment on account with the tax it was charged', () => {
  expect(rows(invoiceLines({ ...customer, taxes: [tax('2300', 39_925n)],
    income: [{ account: '4010', net_minor: 193_125n }, { account: '2100', net_minor: 37_800n }],
    prepaid: { net_minor: 41_667n, taxes: [tax('2300', 8_333n)] } }))).toEqual([
    '1100 customer 2,208.50', '2160 customer 416.67', '4010 (1,931.25)', '2100 customer (378.00)',
    '2300 tax_authority (315.92)']);
});

it('1n, 11, 11c, 11d, 11r: cost, what becomes due, and their mirror', () => {
  const move = (state: Entitlement, kind: 'cost' | 'due', amount_minor: bigint, presentation?: 'net') =>
    moveEntitlement(state, { kind, amount_minor, show_royaltor_id: 3, rate: '1' }, presentation);
  const cost = move(NOTHING_YET, 'cost', 70_000n);
  const due = move(cost.state, 'due', 70_000n);
  expect(rows(cost.legs)).toEqual(['5000 700.00', '2210 (700.00)']);
  expect(rows(due.legs)).toEqual(['2210 700.00', '2200 (700.00)']);
  expect(rows(move(NOTHING_YET, 'due', 70_000n).legs)).toEqual(['1140 700.00', '2200 (700.00)']);
  const back = move(due.state, 'due', -7_000n);
  expect(rows(back.legs)).toEqual(['2210 (70.00)', '2200 70.00']);
  expect(rows(move(back.state, 'cost', -7_000n).legs)).toEqual(['5000 (70.00)', '2210 70.00']);
  expect(rows(move(NOTHING_YET, 'cost', 70_000n, 'net').legs)).toEqual(['source 700.00', '2210 (700.00)']);
});

it('13 to 13e, 14b: what a statement posts when it is issued', () => {
  const at = (amount_minor: bigint) => ({ amount_minor, functional_minor: amount_minor });
  const shown = (kind: 'self_billed' | 'reverse_charge', agent_commission_minor: bigint) => rows(statementJournal({
    opening: at(0n), rate: '1', earnings: [{ ...at(200_000n), show_royaltor_id: 3, reserve_ppm: 1n }],
    reserves_taken: [{ show_royaltor_id: 3, amount_minor: 10_000n }], reserves_released: [], adjustments_minor: 0n,
    top_up_minor: 15_000n, recouped: [at(70_000n)], agent_commission_minor, vat: { kind, amount_minor: 14_000n },
  }).lines);
  expect(shown('self_billed', 7_000n)).toEqual([
    '2200 royaltor 100.00', '2205 royaltor (100.00)',
    '2200 royaltor 700.00', '1150 royaltor (700.00)',
    '5000 150.00', '2200 royaltor (150.00)',
    '1300 tax_authority 140.00', '2200 royaltor (140.00)',
    '2200 royaltor 70.00', '2200 agent (70.00)',
  ]);
  expect(shown('reverse_charge', 0n).slice(-2)).toEqual(['1300 tax_authority 140.00', '2300 tax_authority (140.00)']);
});

const owed = (amount: bigint, more: Partial<PaidDebt> = {}): PaidDebt => ({
  account: '2200', royaltor_id: 3, currency: 'USD', amount, carried: amount, paid: amount, withheld: 0n, ...more,
});

/** Both postings of a payment, each with its base amounts where they differ. */
function paid(debt: PaidDebt, more: Partial<RoyaltyPayment> = {}): { payment: string[]; exchange: string[] } {
  const { payment, exchange } = royaltyPaymentLines({ division: 'US', currency: 'USD', rate: '1', bank_account: '1000',
    authority_id: 2, refs: {}, ...more, debts: [debt] });
  const shown = (lines: readonly JournalLine[]) => lines.map((l) => `${l.account}${l.party ? ` ${l.party.type}` : ''} `
    + `${formatMinor(l.amount)}${l.amount === l.base ? '' : ` @ ${formatMinor(l.base)}`}`);
  expect([sum(payment.map((line) => line.base)), sum(exchange.map((line) => line.base))]).toEqual([0n, 0n]);
  return { payment: shown(payment), exchange: shown(exchange) };
}

it('12, 14: an advance and a royalty leave the bank, less what is withheld', () => {
  expect(paid(owed(500_000n, { account: '1150', carried: null, paid: 350_000n, withheld: 150_000n }))).toEqual({
    payment: ['1150 royaltor 5,000.00', '1000 (3,500.00)', '2320 tax_authority (1,500.00)'], exchange: [] });
  expect(paid(owed(500_000n, { account: '1150', carried: null })).payment)
    .toEqual(['1150 royaltor 5,000.00', '1000 (5,000.00)']);
  expect(paid(owed(100_000n, { paid: 70_000n, withheld: 30_000n }))).toEqual({
    payment: ['2200 royaltor 1,000.00', '1000 (700.00)', '2320 tax_authority (300.00)'], exchange: [] });
});

it('14c: pounds carried at 1.27 are paid in dollars at 1.29, in pounds at 1.29, and in euros', () => {
  const debt = owed(100_000n, { currency: 'GBP', carried: 127_000n, paid: 129_000n });
  expect(paid(debt)).toEqual({ payment: ['2200 royaltor 1,290.00', '1000 (1,290.00)'],
    exchange: ['2200 royaltor 1,000.00 @ 1,270.00', '2200 royaltor (1,290.00)', '7000 20.00'] });
  // 30% is withheld: the bank pays 700.00 pounds, the authority is owed 387.00 dollars.
  expect(paid({ ...debt, paid: 70_000n, withheld: 38_700n }, { currency: 'GBP', rate: '1.29' })).toEqual({
    payment: ['2200 royaltor 700.00 @ 903.00', '1000 (700.00) @ (903.00)', '2200 royaltor 387.00',
      '2320 tax_authority (387.00)'],
    exchange: ['2200 royaltor 1,000.00 @ 1,270.00', '2200 royaltor (700.00) @ (903.00)', '2200 royaltor (387.00)',
      '7000 20.00'] });
  expect(paid({ ...debt, paid: 118_000n }, { currency: 'EUR', rate: '1.09' }).exchange).toEqual([
    '2200 royaltor 1,000.00 @ 1,270.00', '2200 royaltor (1,180.00) @ (1,286.20)', '7000 16.20']);
});

it('12 in a foreign currency: the advance is carried at what was paid for it', () => {
  const advance = owed(100_000n, { account: '1150', currency: 'EUR', carried: null });
  expect(paid(advance, { currency: 'EUR', rate: '1.10' })).toEqual({
    payment: ['1150 royaltor 1,000.00 @ 1,100.00', '1000 (1,000.00) @ (1,100.00)'], exchange: [] });
  expect(paid({ ...advance, paid: 77_000n, withheld: 33_000n })).toEqual({
    payment: ['2200 royaltor 1,100.00', '1000 (770.00)', '2320 tax_authority (330.00)'],
    exchange: ['1150 royaltor 1,000.00 @ 1,100.00', '2200 royaltor (770.00)', '2200 royaltor (330.00)'] });
});

it('14e: an advance of 5,000.00 comes back after a statement recouped 700.00, in euros at its historical rate', () => {
  const shown = (lines: readonly JournalLine[]) => lines.map((l) =>
    `${l.account} ${l.party?.type} ${formatMinor(l.amount)} @ ${formatMinor(l.base)}`);
  expect(shown(restoredAdvanceLines({ royaltor_id: 3, currency: 'EUR', amount_minor: 70_000n,
    functional_minor: 77_000n, refs: {} }))).toEqual(['1150 royaltor 700.00 @ 770.00',
    '2200 royaltor (700.00) @ (770.00)']);
});

it('25: a debt that will not come is an expense', () => {
  expect(rows(writeOffLines(7, 10_000n, ON))).toEqual(['6000 100.00', '1100 customer (100.00)']);
});

const inBase = (lines: readonly JournalLine[]) => rows(lines.map((line) => ({ ...line, amount_minor: line.base })));

it('18b: currency bought arrives at the rate of the day, what the bank took more is an exchange loss', () => {
  const sent = { account: '1000', currency: 'USD', amount: 110_000n, rate: null } as const;
  expect(inBase(transferSentLines({ ...sent, fee: 500n })))
    .toEqual(['1050 1,100.00', '1000 (1,100.00)', '6100 5.00', '1000 (5.00)']);
  const arrival = transferReceivedLines('US', { sent, to: { account: '1001', currency: 'EUR', amount: 100_000n,
    rate: '1.09' } });
  expect(inBase(arrival)).toEqual(['1001 1,090.00', '1050 (1,100.00)', '7000 10.00']);
  expect(arrival[0]).toMatchObject({ currency: 'EUR', amount: 100_000n, fx_rate: '1.09' });
});

it('18: a transfer in one currency arrives at the value it left with, whatever the rate of its day', () => {
  const sent = { account: '1001', currency: 'EUR', amount: 50_000n, rate: '1.10' } as const;
  expect(inBase(transferSentLines({ ...sent, fee: 0n }))).toEqual(['1050 550.00', '1001 (550.00)']);
  expect(inBase(transferReceivedLines('US', { sent, to: { ...sent, account: '1003', rate: '1.20' } })))
    .toEqual(['1003 550.00', '1050 (550.00)']);
});

it('15, 22, 23: a bill of the authority takes what was withheld or collected to accounts payable', () => {
  const line: BillLinePosting = { account: '2310', net_minor: 2_400n, tax_minor: 0n, treatment: 'none',
    tax_code_id: null, authority_id: 4, takes_vendor: false, takes_authority: true, refs: {}, memo: 'October' };
  const discount = { ...line, account: '7090', net_minor: -24n, authority_id: null, takes_authority: false };
  expect(rows(billLines({ kind: 'bill', vendor_id: 9, due_on: ON, lines: [line, discount] })))
    .toEqual(['2310 tax_authority 24.00', '7090 (0.24)', '2000 vendor (23.76)']);
});

it('16, 16c, 21, 23b, 24: a bill and a vendor credit, by the treatment of their tax', () => {
  const line: BillLinePosting = { account: '6200', net_minor: 50_000n, tax_minor: 10_000n, treatment: 'recoverable',
    tax_code_id: 5, authority_id: 1, takes_vendor: false, takes_authority: false, refs: { bill_id: 3 }, memo: 'Paper' };
  const posted = (kind: 'bill' | 'credit', ...lines: BillLinePosting[]) =>
    rows(billLines({ kind, vendor_id: 9, due_on: ON, lines }));
  expect(posted('bill', line)).toEqual(['6200 500.00', '1300 tax_authority 100.00', '2000 vendor (600.00)']);
  expect(posted('credit', { ...line, net_minor: 5_000n, tax_minor: 1_000n }))
    .toEqual(['6200 (50.00)', '1300 tax_authority (10.00)', '2000 vendor 60.00']);
  expect(posted('bill', { ...line, net_minor: 100_000n, tax_minor: 20_000n, treatment: 'reverse_charge' })).toEqual([
    '6200 1,000.00', '1300 tax_authority 200.00', '2300 tax_authority (200.00)', '2000 vendor (1,000.00)']);
  expect(posted('bill', { ...line, net_minor: 10_000n, tax_minor: 600n, treatment: 'use_tax' })).toEqual([
    '6200 106.00', '2340 tax_authority (6.00)', '2000 vendor (100.00)']);
  expect(posted('bill', { ...line, net_minor: 10_000n, tax_minor: 888n, treatment: 'cost' })).toEqual([
    '6200 108.88', '2000 vendor (108.88)']);
  expect(posted('bill', { ...line, account: '2010', net_minor: 30_000n, tax_minor: 0n, treatment: 'none',
    tax_code_id: null, authority_id: null, takes_vendor: true })).toEqual([
    '2010 vendor 300.00', '2000 vendor (300.00)']);
  expect(posted('bill', { ...line, account: '2010', net_minor: 33_000n, tax_minor: 6_600n, cleared_minor: 30_000n })
    .toSorted()).toEqual(['1300 tax_authority 66.00', '2000 vendor (396.00)', '2010 vendor 300.00', '5100 30.00']);
  expect(posted('bill', { ...line, account: '2010', net_minor: 28_000n, tax_minor: 0n, treatment: 'none',
    tax_code_id: null, cleared_minor: 30_000n })).toEqual(['2010 vendor 300.00', '5100 (20.00)',
    '2000 vendor (280.00)']);
  expect(rows(goodsLines(9, 30_000n))).toEqual(['1200 300.00', '2010 vendor (300.00)']);
});

it('16, 21: the boxes of the VAT return that a purchase counts in', () => {
  const line = { net_minor: 100_000n, tax_minor: 20_000n, tax_code_id: 5 } as const;
  const boxes = (division: string, treatment: BillLinePosting['treatment']) =>
    [...purchaseBoxes(division, [{ ...line, treatment }])].map(([box, minor]) => `${box} ${formatMinor(minor)}`);
  expect(boxes('UK', 'recoverable')).toEqual(['4 200.00', '7 1,000.00']);
  expect(boxes('UK', 'reverse_charge')).toEqual(['1 200.00', '4 200.00', '6 1,000.00', '7 1,000.00']);
  expect(boxes('EU', 'reverse_charge')).toEqual(['T1 200.00', 'T2 200.00']);
  expect(boxes('US', 'use_tax')).toEqual([]);
});
