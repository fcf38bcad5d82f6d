/** The bank reconciliation statement as PDF (accounting.md 3.10): from the balance of the bank to that of the books. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { letterHead } from '#modules/system/letter-head.public.server.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import { divisionDayOf } from '#server/division-day.ts';
import { renderPdf, type PdfBlock, type PdfColumn } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { ReconciliationDetail, ReconciliationReport } from './reconciliation.contract.ts';

const money = (minor: number): string => formatMinor(BigInt(minor));
const COLUMNS: readonly PdfColumn[] = [{ label: 'Date', width: 20 }, { label: 'Entry', width: 58 },
  { label: 'Amount', width: 22, align: 'right' }];

interface Item { on: string; text: string; amount_minor: number }

function itemTable(title: string, items: readonly Item[], language: Language): PdfBlock[] {
  if (items.length === 0) return [];
  return [{ kind: 'heading', text: title }, { kind: 'table', columns: COLUMNS,
    rows: items.map((one) => [one.on === '' ? '' : dateFor(language, one.on), one.text, money(one.amount_minor)]),
    totals: [['', title, money(items.reduce((all, one) => all + one.amount_minor, 0))]] }];
}

function proofTable(report: ReconciliationReport, currency: string): PdfBlock {
  const { proof } = report;
  const rows: [string, number][] = [['Balance per bank statement', report.closing_minor],
    ['Deposits in transit', proof.deposits_in_transit_minor],
    ['Outstanding payments', -proof.outstanding_payments_minor]];
  if (proof.unmatched_minor !== 0) rows.push(['Bank lines not in the books', -proof.unmatched_minor]);
  if (proof.timing_minor !== 0) rows.push(['Timing differences', proof.timing_minor]);
  rows.push(['Balance by the statement', proof.expected_minor], ['Balance per books', proof.ledger_minor]);
  return { kind: 'table', columns: [{ label: '', width: 70 }, { label: `Amount, ${currency}`, width: 30,
    align: 'right' }], rows: rows.map(([label, minor]) => [label, money(minor)]),
  totals: [['Difference', money(proof.difference_minor)]] };
}

/** The day it was finished where the division is. */
async function finishedOn(ctx: WorkContext, { finished_at, division }: ReconciliationDetail): Promise<string> {
  const { day } = await ctx.db.one<{ day: string }>(sql`
    select ${divisionDayOf(sql`${finished_at}::timestamptz`, sql`${division}`)} as day`);
  return day;
}

export async function reportDocument(ctx: WorkContext, row: ReconciliationDetail): Promise<FileAnswer> {
  const house = await letterHead(ctx.db, row.division);
  const report = row.report!;
  const finished = row.status === 'finished' ? await finishedOn(ctx, row) : null;
  const inward = report.outstanding.filter((one) => one.amount_minor > 0);
  const outward = report.outstanding.filter((one) => one.amount_minor < 0);
  const items = (rows: readonly { posted_on: string; text: string; amount_minor: number }[]): Item[] =>
    rows.map((one) => ({ on: one.posted_on, text: one.text, amount_minor: one.amount_minor }));
  const left = report.outstanding_count - report.outstanding.length;
  const content = await renderPdf({
    title: `Bank reconciliation ${row.bank_account} ${row.to_on}`, paper: 'bank_reconciliation',
    language: house.language, sender: house.lines,
    recipient: [row.bank_name, row.bank_account], made_at: ctx.now(),
    footer: `${house.name} · Bank reconciliation ${row.bank_account}`,
    blocks: [
      { kind: 'title', text: 'Bank reconciliation' },
      { kind: 'facts', rows: [
        ['Account', `${row.bank_account}, ${row.bank_name}`], ['As of', dateFor(house.language, row.to_on)],
        ...(row.statement_number === null ? [] : [['Statement', row.statement_number] as const]),
        ['Opening balance', money(report.opening_minor)],
        ['Cleared', money(report.matched_minor + report.ticked_minor)],
        ['Status', finished ? `Finished by ${row.finished_by_name ?? ''}, ${dateFor(house.language, finished)}`
          : `Not valid: ${row.status}`]] },
      proofTable(report, row.currency),
      ...itemTable('Deposits in transit', items(inward), house.language),
      ...itemTable('Outstanding payments', items(outward), house.language),
      ...itemTable('Bank lines not in the books', report.unmatched.map((one) => ({ on: one.booked_on, text: one.text,
        amount_minor: one.amount_minor })), house.language),
      ...itemTable('Timing differences', report.timing.map((one) => ({ on: '', ...one })), house.language),
      ...(left > 0 ? [{ kind: 'text' as const, text: `${left} more entries are part of the totals above.` }] : []),
    ],
  });
  return { filename: `reconciliation-${row.to_on}.pdf`, content_type: 'application/pdf', content, inline: true };
}
