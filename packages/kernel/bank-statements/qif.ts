/**
 * QIF (Quicken Interchange Format). The order of day and month stands nowhere in the file: it is asked once and kept
 * with the account (accounting.md 4.1). ISO dates need no order.
 */
import type { IsoDate } from '../calendar/calendar.ts';
import { sheetAmount } from './amount-text.ts';
import {
  BankFileRefused, refused, filled, newLine, newStatement, plainText, type BankLine, type BankStatement,
    type DateOrder,
  type DecimalMark, type LineDetail,
} from './bank-file.ts';
import { dayRefused, orderedDay, orderFor } from './day-text.ts';

export interface QifOptions {
  date_order: DateOrder | null;
  decimal_mark: DecimalMark | null;
  /** The account's currency: the format names none. */
  currency: string | null;
}

/** Sections of an account's lines; investments and the lists beside them are no cash. */
const CASH = /^!type:\s*(bank|cash|ccard|oth ?a|oth ?l)\b/i;
const INVESTMENT = /^!type:\s*(invst|security|prices)\b/i;

interface QifRecord {
  line: number;
  fields: Map<string, string>;
  splits: LineDetail[];
}

interface Section {
  account: string | null;
  records: QifRecord[];
}

/** Reads the statements of a QIF text: one per account. */
export function readQif(text: string, options: QifOptions): BankStatement[] {
  const { sections, sawInvestment } = readSections(text);
  if (sections.length === 0) {
    throw refused('no_cash_statement', sawInvestment
      ? 'The file holds investments, not lines of a bank account.' : 'The file holds no lines of a bank account.');
  }
  const days = sections.flatMap(({ records }) => records.map(({ fields }) => fields.get('D') ?? ''));
  const first = sections.flatMap(({ records }) => records).find(({ fields }) => fields.has('D'))?.line ?? null;
  const order = orderFor(days, options.date_order, first);
  return sections.map((section) => statementOf(section, order, options));
}

/** Reader state: in the lines of an account, in the description of one, or in a section that is skipped. */
type Mode = 'cash' | 'account' | 'other';

interface Reader {
  mode: Mode;
  section: Section | null;
  account: string | null;
  record: QifRecord | null;
  sections: Section[];
  sawInvestment: boolean;
}

function readSections(text: string): { sections: Section[]; sawInvestment: boolean } {
  const reader: Reader = { mode: 'other', section: null, account: null, record: null, sections: [],
    sawInvestment: false };
  const lines = text.split(/\r\n|\n|\r/);
  lines.forEach((raw, index) => {
    const line = raw.trim();
    if (line === '') return;
    if (line.startsWith('!')) startSection(reader, line, index + 1);
    else if (line === '^') endRecord(reader);
    else if (reader.mode === 'account') {
      if (line.startsWith('N')) reader.account = filled(line.slice(1));
    } else if (reader.mode === 'cash') takeField(reader, line, index + 1);
  });
  if (reader.record) {
    throw refused('truncated', 'The last line has no end mark (^).', lines.length);
  }
  return { sections: reader.sections, sawInvestment: reader.sawInvestment };
}

function startSection(reader: Reader, line: string, number: number): void {
  if (/^!(option|clear):/i.test(line)) return;
  if (reader.record) {
    throw refused('malformed', 'A section begins before the line above it has its end mark (^).', number);
  }
  if (INVESTMENT.test(line)) reader.sawInvestment = true;
  reader.mode = /^!account/i.test(line) ? 'account' : CASH.test(line) ? 'cash' : 'other';
  if (reader.mode !== 'cash') return;
  reader.section = { account: reader.account, records: [] };
  const same = reader.sections.find(({ account }) => account === reader.account);
  if (same) reader.section = same;
  else reader.sections.push(reader.section);
}

function endRecord(reader: Reader): void {
  if (reader.record) reader.section?.records.push(reader.record);
  reader.record = null;
}

/** Fields that a line has once; twice means that an end mark is missing. */
const ONCE = new Set(['D', 'T', 'P', 'N']);

function takeField(reader: Reader, line: string, number: number): void {
  reader.record ??= { line: number, fields: new Map(), splits: [] };
  const { fields, splits } = reader.record;
  const code = line[0] ?? '';
  const value = line.slice(1).trim();
  if (code === 'S') splits.push({ amount_minor: null, name: plainText(value), memo: '', reference: '' });
  else if (code === 'E' || code === '$') {
    const split = splits.at(-1);
    if (split && code === 'E') split.memo = plainText(value);
    // The amount of a part is read with the line, when the decimal mark is known.
    if (split && code === '$') split.reference = value;
  } else if (ONCE.has(code) && fields.has(code)) {
    // A date behind a part of a split is the part's own.
    if (code === 'D' && splits.length > 0) return;
    throw refused('malformed', `A line has ${code} twice: its end mark (^) is missing.`, number);
  } else fields.set(code, value);
}

function statementOf(section: Section, order: DateOrder | null, options: QifOptions): BankStatement {
  const statement = newStatement('statement');
  statement.account.name = section.account;
  statement.currency = options.currency;
  for (const record of section.records) {
    const line = lineOf(record, order, options);
    const isOpening = /^opening balance$/i.test(line.name) && /^\[.*\]$/.test(record.fields.get('L') ?? '');
    if (isOpening && statement.opening === null) {
      statement.opening = { on: line.booked_on, amount_minor: line.amount_minor };
      statement.account.name ??= filled((record.fields.get('L') ?? '').slice(1, -1));
    } else statement.lines.push(line);
  }
  return statement;
}

function dayOf({ fields, line }: QifRecord, order: DateOrder | null): IsoDate {
  const text = fields.get('D') ?? '';
  const day = orderedDay(text, order);
  if (!day) throw dayRefused(text, line);
  return day;
}

function lineOf(record: QifRecord, order: DateOrder | null, options: QifOptions): BankLine {
  const { fields, line } = record;
  const read = (text: string): bigint | null => sheetAmount(text, options.decimal_mark, options.currency, line);
  const amount = read(fields.get('T') || fields.get('U') || '');
  if (amount === null) throw refused('line_incomplete', 'A line has no amount.', { line });
  const number = fields.get('N') ?? '';
  return { ...newLine(dayOf(record, order), amount, line), name: plainText(fields.get('P') ?? ''),
    memo: plainText(fields.get('M') ?? ''), reference: plainText(number),
    check_number: /^\d{1,12}$/.test(number) ? number : null,
    details: record.splits.map((split) => ({ ...split, amount_minor: partOf(split.reference, options),
      reference: '' })) };
}

/** The amount of a part, for information: one that cannot be read leaves the line as it is. */
function partOf(text: string, options: QifOptions): bigint | null {
  try {
    return sheetAmount(text, options.decimal_mark, options.currency, null);
  } catch (error) {
    if (error instanceof BankFileRefused) return null;
    throw error;
  }
}
