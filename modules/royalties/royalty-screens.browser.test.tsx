/** Values the royalty screens compute themselves: shares, sums, periods, progress, eligible approvers. */
import { describe, expect, test } from 'vitest';
import type { AccrualTraceAnswer } from './accruals/accrual.contract.ts';
import { lostWords, shareRows, weightPercent } from './accruals/share-rows.web.ts';
import { dueColumn } from './advances/advance-list.web.tsx';
import { csvCell } from '#web/data/csv-cells.tsx';
import { rowText } from '#web/data/found-rows.ts';
import { keyOf, linesTotal, lineWords, tickedAtFirst, type PayableLine } from './payments/payable-lines.web.ts';
import { accrualState, fourEyes, lastQuarter } from './royalty-words.web.ts';
import { sectionsOf } from './statements/line-sections.web.ts';
import { runProblems, runProgress } from './statements/run-facts.web.ts';
import { statementSum } from './statements/statement-sum.web.ts';
import type { StatementDetail, StatementRow } from './statements/statement.contract.ts';

describe('the sharing of a line', () => {
  test('a weight is shown in percent of the whole, half away from zero, of numbers of any size', () => {
    expect(weightPercent('850000', '2000000')).toBe('42.50%');
    expect(weightPercent('1', '3')).toBe('33.33%');
    expect(weightPercent('2', '3')).toBe('66.67%');
    expect(weightPercent('1', '8000')).toBe('0.01%');
    expect(weightPercent('900719925474099300', '1801439850948198600')).toBe('50.00%');
  });

  test('a mirror that was not weighed shows no percent', () => {
    expect(weightPercent('0', '0')).toBe('');
    expect(weightPercent('', '10')).toBe('');
  });

  test('the reader finds his own line, and a house without a part is left out', () => {
    const party = (show_royaltor_id: number | null, weight: string, paid_minor: number) => ({ show_royaltor_id,
      name: show_royaltor_id === null ? 'House' : `Party ${show_royaltor_id}`, weight, weight_total: '2', paid_minor,
      exact_share: '' });
    const trace = (house: number) => ({ accrual: { show_royaltor_id: 7 } as AccrualTraceAnswer['accrual'],
      allocation: [party(6, '1', 50), party(7, '1', 50), party(null, '0', house)] });
    expect(shareRows(trace(0)).map((row) => [row.name, row.own])).toEqual([['Party 6', false], ['Party 7', true]]);
    expect(shareRows(trace(1)).map((row) => row.name)).toEqual(['Party 6', 'Party 7', 'House']);
  });

  test('a term that lost says why, else how much of it matched', () => {
    expect(lostWords({ term_id: 1, matched: 1, of: 2, reason: 'category differs' })).toBe('category differs');
    expect(lostWords({ term_id: 1, matched: 1, of: 2, reason: '' })).toBe('matched 1 of 2');
    expect(lostWords({ term_id: 1, matched: 0, of: 0, reason: '' })).toBe('matches all, a fallback');
  });
});

test('an accrual is named by the furthest step it reached', () => {
  const at = (cost_on: string | null, due_on: string | null, statement_id: number | null) =>
    accrualState({ cost_on, due_on, statement_id }).label;
  expect([at(null, null, null), at('2026-01-01', null, null), at(null, '2026-01-02', null), at(null, '2026-01-02', 3)])
    .toEqual(['Shared', 'Earned', 'Became due', 'On a statement']);
});

test('the day on which an advance is due is a day in the list and in its file, an event is told in words', () => {
  const due = { due_on: '2027-01-02', due_event: 'date' } as const;
  expect(csvCell(dueColumn, due)).toEqual({ text: '2027-01-02' });
  expect(rowText([dueColumn], due)).toBe('2027-01-02 jan 2, 2027');
  expect(rowText([dueColumn], { due_on: null, due_event: 'signature' })).toBe('on signature');
});

test('a run begins with the last whole quarter, over the turn of the year too', () => {
  expect(lastQuarter('2026-11-21')).toEqual({ from: '2026-07-01', to: '2026-09-30' });
  expect(lastQuarter('2026-04-01')).toEqual({ from: '2026-01-01', to: '2026-03-31' });
  expect(lastQuarter('2026-02-28')).toEqual({ from: '2025-10-01', to: '2025-12-31' });
});

test('who made it does not approve it', () => {
  const eleanor = { first_name: 'Eleanor', last_name: 'Marsh' };
  expect(fourEyes('Eleanor Marsh', eleanor, 'calculated')).toMatch(/Another person/);
  expect(fourEyes('Theo Lind', eleanor, 'calculated')).toBeUndefined();
  expect(fourEyes(null, eleanor, 'calculated')).toBeUndefined();
});

const statement = (values: Partial<StatementRow>): StatementRow => ({
  id: 1, number: 'RS-1', royaltor_name: 'A. Author', subject: 'Show', period_from: '2026-01-01',
  period_to: '2026-03-31', status: 'calculated', currency: 'USD', pay_currency: 'USD',
  net_minor: 100, payable_minor: 100, paid_minor: 0,
  expected_wht_minor: 0, carried_reason: null, ...values } as StatementRow);

describe('a run', () => {
  const idle = { work: null, work_done: 0, work_total: 0 };

  test('counts what reached its next step, without void ones', () => {
    const statements = [statement({}), statement({ status: 'approved' }), statement({ status: 'void' })];
    expect(runProgress({ ...idle, status: 'calculated', statements }))
      .toMatchObject({ label: 'Approved', done: 1, total: 2 });
    expect(runProgress({ ...idle, status: 'approved', statements }))
      .toMatchObject({ label: 'Issued', done: 0, total: 2 });
  });

  test('an issued run waits for payments only where there is something to pay', () => {
    const statements = [statement({ status: 'paid' }), statement({ status: 'issued', payable_minor: 0 }),
      statement({ status: 'issued' })];
    expect(runProgress({ ...idle, status: 'issued', statements })).toMatchObject({ label: 'Paid', done: 1, total: 2 });
  });

  test('tells how far the background is while it works', () => {
    expect(runProgress({ status: 'draft', statements: [], work: 'calculate', work_done: 25, work_total: 80 }))
      .toEqual({ label: 'Calculating', unit: 'agreements', done: 25, total: 80 });
  });

  test('names what a second person should have seen: below zero, carried, taxed', () => {
    const problems = runProblems({ currency: 'USD', statements: [statement({ net_minor: -5, payable_minor: 0,
      carried_reason: 'below zero' }), statement({ carried_reason: 'below the minimum', payable_minor: 0 }),
    statement({ expected_wht_minor: 3000 }), statement({ status: 'void', net_minor: -1 })] });
    expect(problems.map((problem) => problem.title)).toEqual(['1 statement below zero', '1 statement without a payment',
      '1 statement with tax withheld']);
    expect(problems[2]?.text).toBe('USD 30.00 under current rules: A. Author.');
  });
});

test('lines of a statement are summed by section in their order', () => {
  const line = (section: string, amount_minor: number) =>
    ({ section, amount_minor }) as StatementDetail['lines'][number];
  expect(sectionsOf([line('performances', 10), line('reserves', -3), line('performances', 5)])
    .map((section) => [section.name, section.lines.length, section.total_minor]))
    .toEqual([['performances', 2, 15n], ['reserves', 1, -3n]]);
});

describe('a new batch', () => {
  const line = (values: Partial<PayableLine>): PayableLine => ({ statement_id: null, advance_id: null, number: null,
    run_id: null, subject: 'Show', period_from: null, period_to: null, due_event: null, due_on: null, currency: 'USD',
    amount_minor: 100, agent_minor: 0, agent_held: null, is_agent: false, due: true, held: null, ...values });
  const payees = [
    { payee_id: 1, payee_name: 'A. Author', country: 'US', other_method: null, held: null, lines: [
      line({ statement_id: 1, run_id: 7, number: 'ST-1', period_from: '2026-07-01', period_to: '2026-09-30' }),
      line({ statement_id: 2, run_id: 8, agent_minor: 10 }),
      line({ advance_id: 1, due_event: 'date', due_on: '2027-01-04', due: false })] },
    { payee_id: 2, payee_name: 'B. Writer', country: 'DE', other_method: null, held: 'Pay them by wire.', lines: [
      line({ statement_id: 3, run_id: 7, held: 'Pay them by wire.' })] },
  ];

  test('ticks what is due, the statements of a run, or one statement; never what is held out', () => {
    expect(tickedAtFirst(payees, { statement: null, run: null })).toEqual(['s1', 's2']);
    expect(tickedAtFirst(payees, { statement: null, run: 7 })).toEqual(['s1']);
    expect(tickedAtFirst(payees, { statement: 2, run: null })).toEqual(['s2']);
    expect(tickedAtFirst(payees, { statement: 3, run: null })).toEqual([]);
  });

  test('leaves payees with another method to a person, unless one of their statements is asked for', () => {
    const other = [{ ...payees[0]!, other_method: 'check' as const }];
    expect(tickedAtFirst(other, { statement: null, run: null })).toEqual([]);
    expect(tickedAtFirst(other, { statement: null, run: 7 })).toEqual([]);
    expect(tickedAtFirst(other, { statement: 2, run: null })).toEqual(['s2']);
  });

  test('names its lines and sums them with what goes to agents', () => {
    const [first, second, advance] = payees[0]!.lines as [PayableLine, PayableLine, PayableLine];
    expect(keyOf(advance)).toBe('a1');
    expect(lineWords(first)).toContain('ST-1, Show, ');
    expect(lineWords(advance)).toBe('Advance, Show, due Jan 4, 2027');
    expect(linesTotal([first, second], 'USD')).toBe(210n);
    expect(linesTotal([first], 'EUR')).toBeNull();
  });
});

describe('a statement as one sum', () => {
  const zero = { opening_minor: 0, earnings_minor: 0, reserves_taken_minor: 0, reserves_released_minor: 0,
    adjustments_minor: 0, recouped_minor: 0, top_up_minor: 0, vat_minor: 0, agent_minor: 0, expected_wht_minor: 0,
    payable_minor: 0 };

  test('the statement of the picture adds up to its payment, part by part', () => {
    const parts = statementSum({ ...zero, earnings_minor: 1_285_077, reserves_taken_minor: 37_000,
      reserves_released_minor: 12_000, adjustments_minor: -4550, recouped_minor: 500_000, expected_wht_minor: 226_658,
      agent_minor: 75_553, payable_minor: 453_316 });
    const result = parts.at(-1);
    const sum = parts.slice(0, -1).reduce((all, part) => all + (part.sign === '−' ? -part.minor : part.minor), 0);
    expect(result).toEqual({ label: 'Payment', sign: '=', minor: 453_316 });
    expect(sum).toBe(453_316);
    expect(parts.map((part) => part.label)).toContain('Corrections');
  });

  test('where nothing is paid the balance is carried, without tax', () => {
    const parts = statementSum({ ...zero, opening_minor: -2000, earnings_minor: 1500, expected_wht_minor: 450 });
    expect(parts.at(-1)).toEqual({ label: 'Carried', sign: '=', minor: -500 });
    expect(parts.map((part) => part.label)).not.toContain('Tax withheld');
  });
});
