/**
 * Rows of a CSV file or a workbook, read with the mapping that is saved for the account. Nothing is guessed here:
 * `suggestMapping` proposes, a person confirms.
 */
import { currencyCode, sheetAmount, short } from './amount-text.ts';
import {
  refused, filled, newLine, newStatement, plainText, type BankLine, type BankStatement, type DateOrder,
  type DecimalMark,
} from './bank-file.ts';
import { dayRefused, orderedDay, orderFor } from './day-text.ts';
import { addFlag, checkRunning } from './statement-checks.ts';

/** A row of a sheet, numbered as a spreadsheet numbers it. Blank rows are left out. */
export interface SheetRow {
  row_no: number;
  cells: readonly string[];
}

/** A column by its head, or by its position from 0 where the file has no heads. */
export type ColumnRef = string | number;

export type AmountColumns =
  | { kind: 'signed'; amount: ColumnRef; inverted: boolean }
  /** Money in and money out in columns of their own; some banks write money out with a minus. */
  | { kind: 'in_and_out'; money_in: ColumnRef; money_out: ColumnRef; out_is_negative: boolean }
  /** The sign stands in another column: D/C, S/H, Af/Bij. */
  | { kind: 'marked'; amount: ColumnRef; mark: ColumnRef; out_marks: readonly string[]; in_marks: readonly string[] };

export interface SheetMapping {
  /** Row of the heads, null where the file has none. */
  header_row: number | null;
  /** Rows at the end that hold totals or remarks. */
  footer_rows: number;
  date_order: DateOrder | null;
  decimal_mark: DecimalMark | null;
  amount: AmountColumns;
  columns: {
    booked: ColumnRef;
    value?: ColumnRef | undefined;
    name?: ColumnRef | undefined;
    /** Joined by one space. */
    memo?: readonly ColumnRef[] | undefined;
    reference?: ColumnRef | undefined;
    bank_id?: ColumnRef | undefined;
    check_number?: ColumnRef | undefined;
    counterparty_account?: ColumnRef | undefined;
    currency?: ColumnRef | undefined;
    account?: ColumnRef | undefined;
    balance?: ColumnRef | undefined;
    status?: ColumnRef | undefined;
  };
}

/** Text banks put in place of a date or a status while a line is not booked. */
const PENDING = new Set(['pending', 'vorgemerkt', 'en attente', 'pendiente', 'in behandeling', 'in attesa', 'reserved',
  'authorised', 'authorized']);

type Cells = (ref: ColumnRef | undefined) => string;

interface MappedRow {
  row: SheetRow;
  cell: Cells;
}

/** Reads the statements of a sheet: one per account and currency that it names. */
export function readSheet(
  rows: readonly SheetRow[], mapping: SheetMapping, currency: string | null,
): BankStatement[] {
  const mapped = mapRows(rows, mapping);
  const order = orderFor(mapped.map(({ cell }) => cell(mapping.columns.booked)), mapping.date_order,
    mapped[0]?.row.row_no ?? null);
  const found = new Map<string, BankStatement>();
  let last: { line: BankLine; statement: BankStatement } | null = null;
  const skipped = new Map<string, number>();
  const { columns } = mapping;
  for (const { row, cell } of mapped) {
    if (isContinuation(cell, mapping)) {
      const more = memoOf(cell, mapping);
      if (last && more !== '') last.line.memo = plainText(`${last.line.memo} ${more}`);
      continue;
    }
    const unit = currencyCode(cell(columns.currency), row.row_no) ?? currency;
    // A quotation mark that the bank forgot to close is no part of an account number.
    const account = cell(columns.account).replace(/"/g, '');
    const key = `${account}\n${unit ?? ''}`;
    if (isPending(cell, mapping)) {
      skipped.set(key, (skipped.get(key) ?? 0) + 1);
      last = null;
      continue;
    }
    const statement = found.get(key) ?? statementFor(account, unit);
    found.set(key, statement);
    const line = lineOf(row, cell, { mapping, order, currency: unit });
    statement.lines.push(line);
    last = { line, statement };
  }
  return closeSheets(found, skipped, currency);
}

function closeSheets(
  found: Map<string, BankStatement>, skipped: Map<string, number>, currency: string | null,
): BankStatement[] {
  for (const [key, count] of skipped) {
    const statement = found.get(key) ?? statementFor(key.split('\n')[0] ?? '', filled(key.split('\n')[1]));
    found.set(key, statement);
    addFlag(statement, 'pending_skipped', 'Lines that the bank has not booked yet are left out.', count);
  }
  if (found.size === 0) found.set('', statementFor('', currency));
  const statements = [...found.values()];
  for (const statement of statements) takeBalances(statement);
  return statements;
}

function statementFor(account: string, currency: string | null): BankStatement {
  const statement = newStatement('statement');
  const plain = account.replace(/[\s-]/g, '').toUpperCase();
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain);
  statement.account = { iban: isIban ? plain : null, number: filled(account), bank: null, name: null };
  statement.currency = currency;
  return statement;
}

/** The rows below the heads with their cells by reference. Refuses a file without a mapped column. */
function mapRows(rows: readonly SheetRow[], mapping: SheetMapping): MappedRow[] {
  const head = mapping.header_row === null ? null : rows.find(({ row_no }) => row_no === mapping.header_row);
  if (mapping.header_row !== null && !head) {
    throw refused('column_missing', `Row ${mapping.header_row}, which should hold the heads, is empty.`);
  }
  const heads = new Map<string, number>();
  head?.cells.forEach((text, index) => {
    const name = headName(text);
    if (!heads.has(name)) heads.set(name, index);
  });
  for (const ref of refsOf(mapping)) {
    if (typeof ref === 'string' && !heads.has(headName(ref))) {
      throw refused('column_missing', `The file has no column “${short(ref)}”.`, mapping.header_row);
    }
  }
  const below = rows.filter(({ row_no }) => row_no > (mapping.header_row ?? 0));
  const kept = mapping.footer_rows > 0 ? below.slice(0, -mapping.footer_rows) : below;
  return kept.map((row) => ({ row, cell: (ref) => {
    if (ref === undefined) return '';
    return (row.cells[typeof ref === 'number' ? ref : heads.get(headName(ref)) ?? -1] ?? '').trim();
  } }));
}

function headName(text: string): string {
  return plainText(text).toLowerCase();
}

function refsOf({ amount, columns }: SheetMapping): ColumnRef[] {
  const { memo = [], ...others } = columns;
  const amounts = amount.kind === 'signed' ? [amount.amount]
    : amount.kind === 'marked' ? [amount.amount, amount.mark] : [amount.money_in, amount.money_out];
  return [...memo, ...amounts, ...Object.values(others).filter((ref) => ref !== undefined)];
}

/** A row with neither date nor amount goes on with the text of the line above: banks break long texts so. */
function isContinuation(cell: Cells, mapping: SheetMapping): boolean {
  const { amount } = mapping;
  const amounts = amount.kind === 'in_and_out' ? [amount.money_in, amount.money_out] : [amount.amount];
  return cell(mapping.columns.booked) === '' && amounts.every((ref) => cell(ref) === '');
}

function isPending(cell: Cells, { columns }: SheetMapping): boolean {
  return PENDING.has(cell(columns.booked).toLowerCase()) || PENDING.has(cell(columns.status).toLowerCase());
}

function memoOf(cell: Cells, { columns }: SheetMapping): string {
  return plainText((columns.memo ?? []).map((ref) => cell(ref)).filter((text) => text !== '').join(' '));
}

interface LineRules {
  mapping: SheetMapping;
  order: DateOrder | null;
  currency: string | null;
}

function lineOf(row: SheetRow, cell: Cells, { mapping, order, currency }: LineRules): BankLine {
  const { columns } = mapping;
  const line = row.row_no;
  const booked = orderedDay(cell(columns.booked), order);
  if (!booked) throw dayRefused(cell(columns.booked), line);
  const balance = sheetAmount(cell(columns.balance), mapping.decimal_mark, currency, line);
  const memo = memoOf(cell, mapping);
  return { ...newLine(booked, amountOf(cell, mapping, currency, line), line),
    value_on: cell(columns.value) === '' ? null : orderedDay(cell(columns.value), order),
    name: plainText(cell(columns.name)), memo, reference: plainText(cell(columns.reference)),
    bank_id: filled(cell(columns.bank_id)), check_number: filled(cell(columns.check_number)),
    counterparty_account: filled(cell(columns.counterparty_account)), balance_minor: balance };
}

function amountOf(cell: Cells, mapping: SheetMapping, currency: string | null, line: number): bigint {
  const { amount } = mapping;
  const read = (ref: ColumnRef): bigint | null => sheetAmount(cell(ref), mapping.decimal_mark, currency, line);
  const some = (minor: bigint | null): bigint => {
    if (minor === null) throw refused('line_incomplete', 'A row has no amount.', { line });
    return minor;
  };
  switch (amount.kind) {
    case 'signed': return amount.inverted ? -some(read(amount.amount)) : some(read(amount.amount));
    case 'marked': return markedAmount(some(read(amount.amount)), cell(amount.mark), amount, line);
    case 'in_and_out': {
      const moneyIn = read(amount.money_in);
      const moneyOut = read(amount.money_out);
      if (moneyIn === null && moneyOut === null) return some(null);
      if ((moneyIn ?? 0n) !== 0n && (moneyOut ?? 0n) !== 0n) {
        throw refused('both_columns_filled', 'A row has money in and money out.', { line });
      }
      return (moneyIn ?? 0n) + (amount.out_is_negative ? moneyOut ?? 0n : -(moneyOut ?? 0n));
    }
  }
}

function markedAmount(
  minor: bigint, mark: string, { out_marks, in_marks }: { out_marks: readonly string[]; in_marks: readonly string[] },
  line: number,
): bigint {
  const has = (marks: readonly string[]): boolean => marks.some((one) => one.toLowerCase() === mark.toLowerCase());
  if (has(out_marks)) return -minor;
  if (has(in_marks)) return minor;
  throw refused('sign_unknown', `“${short(mark)}” does not say whether money came in or went out.`, { line });
}

/** The balances that a balance column states: before the first and after the last line in the order of time. */
function takeBalances(statement: BankStatement): void {
  const { lines } = statement;
  if (!lines.some(({ balance_minor }) => balance_minor !== null)) return;
  const inTime = isNewestFirst(lines) ? [...lines].reverse() : lines;
  const first = inTime.findIndex(({ balance_minor }) => balance_minor !== null);
  const stated = inTime[first];
  if (stated && stated.balance_minor !== null) {
    const before = inTime.slice(0, first + 1).reduce((all, line) => all + line.amount_minor, 0n);
    statement.opening = { on: inTime[0]?.booked_on ?? null, amount_minor: stated.balance_minor - before };
  }
  let after = 0n;
  for (const line of [...inTime].reverse()) {
    if (line.balance_minor !== null) {
      statement.closing = { on: inTime.at(-1)?.booked_on ?? null, amount_minor: line.balance_minor + after };
      break;
    }
    after += line.amount_minor;
  }
  checkRunning(statement, inTime);
}

/** Newest first by the dates; on one day, by the direction in which more running balances agree. */
function isNewestFirst(lines: readonly BankLine[]): boolean {
  const first = lines[0];
  const last = lines.at(-1);
  if (!first || !last || first.booked_on !== last.booked_on) return (first?.booked_on ?? '') > (last?.booked_on ?? '');
  let up = 0;
  let down = 0;
  for (let at = 1; at < lines.length; at += 1) {
    const [above, below] = [lines[at - 1], lines[at]];
    if (!above || !below || above.balance_minor === null || below.balance_minor === null) continue;
    if (above.balance_minor + below.amount_minor === below.balance_minor) up += 1;
    if (below.balance_minor + above.amount_minor === above.balance_minor) down += 1;
  }
  return down > up;
}
