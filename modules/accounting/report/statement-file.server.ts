/** A statement as a paper that a board is handed, and as a workbook. */
import { dateFor, periodFor } from '#kernel/calendar/calendar.ts';
import { formatPermille } from '#kernel/ledger/statement-columns.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor, minorToDecimal } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { LetterHead } from '#modules/system/letter-head.public.server.ts';
import type { PdfBlock, PdfColumn, PdfInput } from '#server/pdf.ts';
import { workbook, type SheetCell } from '#server/write-workbook.ts';
import { checkLabels } from './check-words.ts';
import { isBalance } from './statement-shape.server.ts';
import type { StatementTable } from './statement-table.contract.ts';

type Row = StatementTable['rows'][number];

/** Columns of amounts beside each other on a page that lies on its long side; an upright one holds three. */
const WIDE = 7;
const UPRIGHT = 3;

const daysOf = (table: StatementTable, language: Language): string => (isBalance(table)
  ? dateFor(language, table.to) : periodFor(language, table.from, table.to));
const hasCodes = (table: StatementTable): boolean => table.statement === 'trial_balance';
const labelOf = (table: StatementTable, row: Row): string =>
  (hasCodes(table) && row.code !== null ? `${row.code} ${row.title}` : row.title);
const amountText = (row: Row, minor: number): string => (row.kind === 'group' ? '' : formatMinor(BigInt(minor)));

interface PrintedColumn { title: string; cell: (row: Row) => string }

function printedColumns(table: StatementTable): PrintedColumn[] {
  const amounts = table.columns.map((column, index): PrintedColumn => ({ title: column.title,
    cell: (row) => amountText(row, row.amounts[index]!) }));
  if (!table.has_change) return amounts;
  return [...amounts, { title: 'Change', cell: (row) => (row.change_minor === null ? ''
    : formatMinor(BigInt(row.change_minor))) },
  { title: 'Change in %', cell: (row) => (row.change_permille === null ? ''
    : formatPermille(BigInt(row.change_permille))) }];
}

/** One table for as many columns as a page holds. */
function tablesOf(table: StatementTable): PdfBlock[] {
  const printed = printedColumns(table);
  const strong = table.rows.flatMap((row, index) => (row.kind === 'line' ? [] : [index]));
  const parts = Array.from({ length: Math.ceil(printed.length / WIDE) }, (_, at) =>
    printed.slice(at * WIDE, (at + 1) * WIDE));
  return parts.flatMap((columns, index): PdfBlock[] => {
    const heads: PdfColumn[] = [{ label: '', width: 34 }, ...columns.map((one): PdfColumn =>
      ({ label: one.title, width: 14, align: 'right' }))];
    return [...(index === 0 ? [] : [{ kind: 'page' as const }]), { kind: 'table', columns: heads, strong,
      rows: table.rows.map((row) => [labelOf(table, row), ...columns.map((one) => one.cell(row))]) }];
  });
}

function checksText(table: StatementTable, language: Language): string {
  const words = checkLabels(spellIn(language));
  const failed = table.checks.filter((one) => !one.ok).map((one) => words[one.name] ?? one.name);
  if (failed.length > 0) return `This statement does not add up. Failed: ${failed.join('; ')}.`;
  return table.checks.length === 0 ? '' : 'From the posted books. Every check of the statement passed.';
}

export function statementPaper(table: StatementTable, house: LetterHead, now: Date): PdfInput {
  const { language } = house;
  const said = checksText(table, language);
  return { title: table.title, paper: 'financial_statement', language, sender: house.lines, recipient: [], made_at: now,
    landscape: printedColumns(table).length > UPRIGHT, footer: `${house.name} · ${table.title}`,
    blocks: [{ kind: 'title', text: table.title },
      { kind: 'facts', rows: [[isBalance(table) ? 'As of' : 'Period', daysOf(table, language)],
        ['Amounts in', table.currency], ...(table.part === null ? [] : [['Of', table.part] as const])] },
      ...tablesOf(table), ...table.notes.map((text) => ({ kind: 'text' as const, text, muted: true })),
      ...(said === '' ? [] : [{ kind: 'text' as const, text: said, muted: true }])] };
}

export function statementWorkbook(table: StatementTable): AsyncGenerator<Buffer> {
  const header = ['Account', 'Name', ...table.columns.map((one) => `${one.title}, ${table.currency}`),
    ...(table.has_change ? [`Change, ${table.currency}`, 'Change in %'] : [])];
  const text = (words: string): SheetCell => ({ kind: 'text', text: words });
  const money = (minor: number | null): SheetCell => (minor === null ? text('')
    : { kind: 'money', text: minorToDecimal(BigInt(minor)) });
  async function* rows(): AsyncGenerator<SheetCell[]> {
    for (const row of table.rows) {
      const none = row.kind === 'group';
      yield [text(row.code ?? ''), text(row.title), ...row.amounts.map((minor) => money(none ? null : minor)),
        ...(table.has_change ? [money(row.change_minor), row.change_permille === null ? text('')
          : { kind: 'number' as const, text: String(row.change_permille / 10) }] : [])];
    }
    for (const note of table.notes) yield [text(''), text(note), ...header.slice(2).map(() => text(''))];
  }
  return workbook(table.title, header, rows());
}
