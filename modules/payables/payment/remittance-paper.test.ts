/** Text of a remittance advice, word for word, in both spellings. */
import { expect, test } from 'vitest';
import { remittancePaper, type Remittance } from './remittance-paper.server.ts';

const advice: Remittance = {
  number: 'D-US-2026-000042', payee: ['Alder Print LLC', '12 Mill Road', 'Keene, NH 03431'], currency: 'USD',
  amount_minor: 96_000, withheld_minor: 0, method: 'ach', value_on: '2026-11-24', is_posted: true, last4: '6789',
  check_number: null, reference: '', memo: 'November', parts: [
    { payee_number: 'INV-4711', document: 'BILL-US-2026-000007', dated_on: '2026-11-02', total_minor: 100_000,
      discount_minor: 2_000, paid_minor: 98_000 },
    { payee_number: 'CN-12', document: 'VC-US-2026-000001', dated_on: '2026-11-05', total_minor: -2_000,
      discount_minor: 0, paid_minor: -2_000 },
  ], is_refund: false, royalties: [],
};
const paper = (more: Partial<Remittance>, language: 'en-US' | 'en-GB') => remittancePaper({ ...advice, ...more },
  { name: 'Grand Rights', lines: ['Grand Rights', '1 Broadway'], language }, new Date('2026-11-24T12:00:00Z'));

test('names invoices by the numbers of the vendor, with discount, credit and the account', () => {
  expect(paper({}, 'en-US')).toEqual({
    title: 'Remittance advice D-US-2026-000042', paper: 'remittance_advice', language: 'en-US',
    sender: ['Grand Rights', '1 Broadway'],
    recipient: ['Alder Print LLC', '12 Mill Road', 'Keene, NH 03431'], made_at: new Date('2026-11-24T12:00:00Z'),
    footer: 'Grand Rights · Remittance advice D-US-2026-000042',
    blocks: [
      { kind: 'title', text: 'Remittance advice' },
      { kind: 'facts', rows: [['Payment', 'D-US-2026-000042'], ['Amount', 'USD 960.00'], ['Paid by', 'ACH'],
        ['Paid on', 'November 24, 2026'], ['To account', 'ending in 6789'], ['Note', 'November']] },
      { kind: 'table', columns: [{ label: 'Your invoice', width: 22 }, { label: 'Our number', width: 22 },
        { label: 'Date', width: 20 }, { label: 'Total', width: 16, align: 'right' },
        { label: 'Discount', width: 14, align: 'right' }, { label: 'Paid', width: 16, align: 'right' }],
      rows: [['INV-4711', 'BILL-US-2026-000007', 'November 2, 2026', '1,000.00', '-20.00', '980.00'],
        ['CN-12 (credit)', 'VC-US-2026-000001', 'November 5, 2026', '-20.00', '0.00', '-20.00']],
      totals: [['Total', '', '', '', '', 'USD 960.00']] },
    ],
  });
});

test('shows gross and tax above the total where tax is withheld', () => {
  const { blocks } = paper({ amount_minor: 72_960, withheld_minor: 23_040 }, 'en-US');
  expect(blocks[2]).toMatchObject({ totals: [['Gross', '', '', '', '', '960.00'],
    ['Backup withholding', '', '', '', '', '-230.40'], ['Total', '', '', '', '', 'USD 729.60']] });
});

test('names statements and advances of a royaltor, tax withheld, and how each statement comes to its amount', () => {
  const { blocks } = paper({ amount_minor: 53_900, parts: [], memo: '', royalties: [
    { statement: 'S-US-2026-000031', is_agent: false, show: '', period_from: '2026-07-01', period_to: '2026-09-30',
      debt_currency: 'USD', debt_minor: 50_000, withheld_minor: 12_000, paid_minor: 38_000, lines: [
        { description: 'Keene Players, Keene', amount_minor: 60_000 },
        { description: 'Reserves', amount_minor: -10_000 }] },
    { statement: 'S-US-2026-000032', is_agent: true, show: '', period_from: '2026-07-01', period_to: '2026-09-30',
      debt_currency: 'USD', debt_minor: 1_900, withheld_minor: 0, paid_minor: 1_900, lines: [] },
    { statement: null, is_agent: false, show: 'The Lantern', period_from: null, period_to: null, debt_currency: 'GBP',
      debt_minor: 10_000, withheld_minor: 0, paid_minor: 14_000, lines: [] },
  ] }, 'en-US');
  expect(blocks.slice(2)).toEqual([
    { kind: 'table', columns: [{ label: 'Royalties', width: 30 }, { label: 'Period', width: 26 },
      { label: 'Gross', width: 15, align: 'right' }, { label: 'Tax withheld', width: 15, align: 'right' },
      { label: 'Paid', width: 15, align: 'right' }],
    rows: [
      ['Statement S-US-2026-000031', 'July 1, 2026 to September 30, 2026', '500.00', '-120.00', '380.00'],
      ['Commission on statement S-US-2026-000032', 'July 1, 2026 to September 30, 2026', '19.00', '0.00', '19.00'],
      ['Advance, The Lantern (GBP 100.00)', '', '140.00', '0.00', '140.00']],
    totals: [['Total', '', '659.00', '-120.00', 'USD 539.00']] },
    { kind: 'heading', text: 'Statement S-US-2026-000031' },
    { kind: 'table', columns: [{ label: 'Production', width: 75 }, { label: 'Amount, USD', width: 25, align: 'right' }],
      rows: [['Keene Players, Keene', '600.00'], ['Reserves', '-100.00']], totals: [['Payable', '500.00']] },
  ]);
});

test('is spelled as its division spells: a cheque in the UK, and a value date while the money is on its way', () => {
  const { blocks } = paper({ method: 'check', check_number: '1042', last4: null, is_posted: false, memo: '',
    parts: [advice.parts[0]!].map((part) => ({ ...part, discount_minor: 0, paid_minor: 96_000 })) }, 'en-GB');
  expect(blocks[1]).toEqual({ kind: 'facts', rows: [['Payment', 'D-US-2026-000042'], ['Amount', 'USD 960.00'],
    ['Paid by', 'Cheque'], ['Value date', '24 November 2026'], ['Cheque number', '1042']] });
  expect(blocks[2]).toMatchObject({ rows: [['INV-4711', 'BILL-US-2026-000007', '2 November 2026', '1,000.00',
    '960.00']], totals: [['Total', '', '', '', 'USD 960.00']] });
});

test.each([['set_off', 'en-US', 'Another company of our group'], ['check', 'en-GB', 'Cheque'],
  ['wire', 'en-US', 'Wire transfer']] as const)('a payment by %s in %s is paid by: %s', (method, language, words) => {
  const facts = paper({ method }, language).blocks[1]!;
  expect(facts).toMatchObject({ rows: expect.arrayContaining([['Paid by', words]]) });
});
