/**
 * Positive pay: the bank pays a check only when its number and amount are in a file of ours. A layout is a table, so a
 * bank's own can be defined; the two that stand here are as published and were not checked at a bank.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { formatMinor, minorToDecimal, sum } from '../money/money.ts';
import { FileDraft } from './file-draft.ts';
import type { FileIssue, TextChange } from './payment-batch.ts';

export interface CheckEvent {
  event: 'issue' | 'void';
  number: number;
  /** The day printed on the check; of a void the day it was voided. */
  on: IsoDate;
  amount_minor: bigint;
  payee: string;
}

export type DateForm = 'MMDDYY' | 'MMDDYYYY' | 'YYYYMMDD' | 'YYMMDD' | 'MM/DD/YYYY' | 'YYYY-MM-DD';
/** 'point': 123.45; 'implied': 12345, two decimals without a mark. */
export type AmountForm = 'point' | 'implied';

export interface LayoutColumn {
  /** `issues` and `total` belong to header and trailer; `text` is written as it stands. */
  field: 'code' | 'account' | 'number' | 'amount' | 'date' | 'payee' | 'text' | 'issues' | 'voids' | 'count' | 'total';
  /** Width of a fixed column, most characters of a delimited one; null for as long as it is. */
  width: number | null;
  align?: 'left' | 'right';
  pad?: ' ' | '0';
  text?: string;
}

export interface PositivePayLayout {
  name: string;
  kind: 'delimited' | 'fixed';
  /** Of a delimited layout: one character. */
  delimiter: string;
  date: DateForm;
  amount: AmountForm;
  codes: { issue: string; void: string };
  columns: readonly LayoutColumn[];
  header: readonly LayoutColumn[] | null;
  trailer: readonly LayoutColumn[] | null;
  line_end: '\r\n' | '\n';
}

const column = (field: LayoutColumn['field'], width: number | null = null): LayoutColumn => ({ field, width });
const digitsOf = (field: LayoutColumn['field'], width: number): LayoutColumn =>
  ({ field, width, align: 'right', pad: '0' });
const blank = (width: number): LayoutColumn => ({ field: 'text', width, text: '' });

/** I or C, account, number, MMDDYY, 123.45, payee of at most 40 (positivepaymaker.com/formats). */
export const CHASE_LAYOUT: PositivePayLayout = {
  name: 'Chase', kind: 'delimited', delimiter: ',', date: 'MMDDYY', amount: 'point', codes: { issue: 'I', void: 'C' },
  columns: [column('code'), column('account'), column('number'), column('date'), column('amount'), column('payee', 40)],
  header: null, trailer: null, line_end: '\r\n',
};

/** 100 characters: account 1 to 12, code 13, number 16 to 25, amount 26 to 37, day 38 to 45, payee 47 to 100. */
export const ASCENDER_LAYOUT: PositivePayLayout = {
  name: 'Ascender', kind: 'fixed', delimiter: '', date: 'YYYYMMDD', amount: 'implied', codes: { issue: '', void: '2' },
  columns: [digitsOf('account', 12), column('code', 1), blank(2), digitsOf('number', 10), digitsOf('amount', 12),
    column('date', 8), blank(1), column('payee', 54)],
  header: null, trailer: null, line_end: '\r\n',
};

export type PositivePayResult =
  | { text: string; issued_minor: bigint; voided_minor: bigint; issues: readonly []; changes: readonly TextChange[] }
  | { text: null; issues: readonly FileIssue[]; changes: readonly TextChange[] };

/** Reasons why a layout that a person defined cannot be written. */
export function layoutIssues(layout: PositivePayLayout): string[] {
  const { kind, delimiter, columns, header, trailer } = layout;
  const all = [...columns, ...(header ?? []), ...(trailer ?? [])];
  const issues: string[] = [];
  if (kind === 'delimited' && (delimiter.length !== 1 || /[\w\r\n"]/.test(delimiter))) {
    issues.push('The separator is one sign that is no letter, digit or quotation mark.');
  }
  if (all.some(({ width }) => width !== null && (!Number.isInteger(width) || width < 1 || width > 500))) {
    issues.push('The width of a column is 1 to 500.');
  }
  if (kind === 'fixed' && all.some(({ width }) => width === null)) {
    issues.push('Each column of a fixed layout has a width.');
  }
  for (const needed of ['number', 'amount'] as const) {
    if (!columns.some(({ field }) => field === needed)) issues.push(`The layout has no column for the ${needed}.`);
  }
  if (layout.codes.issue === layout.codes.void || !columns.some(({ field }) => field === 'code')) {
    issues.push('Issues and voids need codes of their own in a column.');
  }
  if (columns.some(({ field }) => ['issues', 'voids', 'count', 'total'].includes(field))) {
    issues.push('Counts and totals belong to the first and the last line.');
  }
  return issues;
}

/** The file: by number, each void behind its issue. */
export function writePositivePay(
  events: readonly CheckEvent[], account: string, layout: PositivePayLayout, written_on: IsoDate,
): PositivePayResult {
  const draft = new FileDraft('nacha');
  for (const issue of layoutIssues(layout)) draft.refuse(null, 'file', issue);
  const order = (one: CheckEvent): number => 2 * one.number + (one.event === 'issue' ? 0 : 1);
  const sorted = [...events].sort((a, b) => order(a) - order(b));
  checkEvents(draft, sorted);
  if (draft.issues.length > 0) return { text: null, issues: draft.issues, changes: draft.changes };
  const lines = sorted.map((event) => lineOf(draft, layout, layout.columns, valuesOf(draft, layout, account, event),
    named(event)));
  const totals = (of: 'issue' | 'void'): bigint =>
    sum(sorted.filter(({ event }) => event === of).map(({ amount_minor }) => amount_minor));
  const [issued_minor, voided_minor] = [totals('issue'), totals('void')];
  const count = (of: 'issue' | 'void'): string => String(sorted.filter(({ event }) => event === of).length);
  const values = { account, date: dayIn(layout.date, written_on), issues: count('issue'), voids: count('void'),
    count: String(sorted.length), total: amountIn(layout.amount, issued_minor - voided_minor) };
  const ends = (columns: readonly LayoutColumn[] | null): string[] =>
    columns ? [lineOf(draft, layout, columns, values, null)] : [];
  const statesTotal = [...layout.header ?? [], ...layout.trailer ?? []].some(({ field }) => field === 'total');
  if (issued_minor < voided_minor && statesTotal) {
    draft.refuse(null, 'amount', 'More was voided than issued, which the total of this layout cannot say.');
  }
  const all = [...ends(layout.header), ...lines, ...ends(layout.trailer)];
  if (draft.issues.length > 0) return { text: null, issues: draft.issues, changes: draft.changes };
  return { text: all.map((line) => `${line}${layout.line_end}`).join(''), issued_minor, voided_minor, issues: [],
    changes: draft.changes };
}

function named({ number, payee }: CheckEvent): { id: string; payee: string } {
  return { id: String(number), payee: `Check ${number} (${payee})` };
}

function checkEvents(draft: FileDraft, events: readonly CheckEvent[]): void {
  if (events.length === 0) draft.refuse(null, 'items', 'No check was issued or voided.');
  events.forEach((event, index) => {
    const before = events[index - 1];
    if (before?.number === event.number && before.event === event.event) {
      draft.refuse(named(event), 'items', event.event === 'issue' ? 'it is issued twice.' : 'it is voided twice.');
    }
    if (before?.number === event.number && before.amount_minor !== event.amount_minor) {
      draft.refuse(named(event), 'amount', `it is issued over ${formatMinor(before.amount_minor)} and voided over `
        + `${formatMinor(event.amount_minor)}.`);
    }
    if (event.amount_minor <= 0n) draft.refuse(named(event), 'amount', 'the amount must be above zero.');
  });
}

type Values = Partial<Record<LayoutColumn['field'], string>>;

function valuesOf(draft: FileDraft, layout: PositivePayLayout, account: string, event: CheckEvent): Values {
  const width = layout.columns.find(({ field }) => field === 'payee')?.width ?? 500;
  const payee = draft.text(named(event), 'payee', event.payee, width);
  return { code: layout.codes[event.event], account, number: String(event.number),
    amount: amountIn(layout.amount, event.amount_minor), date: dayIn(layout.date, event.on), payee };
}

function lineOf(
  draft: FileDraft, layout: PositivePayLayout, columns: readonly LayoutColumn[], values: Values,
  of: { id: string; payee: string } | null,
): string {
  const cells = columns.map((one) => {
    const value = one.field === 'text' ? one.text ?? '' : values[one.field] ?? '';
    if (one.width !== null && value.length > one.width) {
      draft.refuse(of, one.field === 'amount' ? 'amount' : 'file',
        `“${value}” is longer than the ${one.width} characters of its column.`);
    }
    if (layout.kind === 'delimited') return separable(draft, layout.delimiter, value, one, of);
    const width = one.width ?? 0;
    return one.align === 'right' ? value.padStart(width, one.pad ?? ' ') : value.padEnd(width, one.pad ?? ' ');
  });
  return cells.join(layout.kind === 'delimited' ? layout.delimiter : '');
}

/** No sign of a value may be taken for the separator, and none for a quotation. */
function separable(
  draft: FileDraft, delimiter: string, value: string, { field }: LayoutColumn, of: { id: string; payee: string } | null,
): string {
  if (!value.includes(delimiter) && !value.includes('"')) return value;
  const plain = value.replaceAll(delimiter, ' ').replaceAll('"', '').replace(/ {2,}/g, ' ').trim();
  if (field === 'payee') draft.note(of, 'payee', value, plain, ['symbols']);
  return plain;
}

function amountIn(form: AmountForm, minor: bigint): string {
  return form === 'point' ? minorToDecimal(minor) : String(minor);
}

function dayIn(form: DateForm, on: IsoDate): string {
  const [year = '', month = '', day = ''] = on.split('-');
  return form.replace('YYYY', year).replace('YY', year.slice(2)).replace('MM', month).replace('DD', day);
}
