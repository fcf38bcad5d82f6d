/**
 * MT940 (customer statement) and MT942 (interim report), as SWIFT defines the fields and as banks write them. Pages of
 * one statement (60M, 62M) are joined; an entry date takes the year nearest to its value date; nothing reads a clock.
 */
import { addMonths, diffDays, type IsoDate } from '../calendar/calendar.ts';
import { currencyCode, plainAmount, short } from './amount-text.ts';
import {
  BankFileRefused, refused, filled, newLine, newStatement, plainText, type Balance, type BankFormat,
    type BankLine,
  type BankStatement,
} from './bank-file.ts';
import { isoDay, shortDay } from './day-text.ts';
import { readDetails } from './mt940-details.ts';
import { addFlag } from './statement-checks.ts';

interface Field {
  tag: string;
  /** The value with its continuation lines. */
  lines: string[];
  line: number;
}

const TAG = /^:(\d{2}[A-Z]?|NS):/;

export interface MtFile {
  format: BankFormat;
  statements: BankStatement[];
}

/** Reads the statements of an MT940 or MT942 text. */
export function readMt940(text: string): MtFile {
  const messages = splitMessages(readFields(text));
  const interim = messages.some((fields) => fields.some(({ tag }) => /^(34F|13|13D|90[CD])$/.test(tag)))
    && !messages.some((fields) => fields.some(({ tag }) => /^6[02][FM]$/.test(tag)));
  const pages = messages.map((fields) => readMessage(fields, interim));
  return { format: interim ? 'mt942' : 'mt940', statements: joinPages(pages) };
}

/** The fields of the text block; the SWIFT envelope ({1:...}) and the end marks are passed over. */
function readFields(text: string): Field[] {
  const fields: Field[] = [];
  let current: Field | null = null;
  text.split(/\r\n|\n|\r/).forEach((raw, index) => {
    const line = raw.startsWith('{') ? raw.slice(raw.lastIndexOf('{4:') < 0 ? raw.length : raw.lastIndexOf('{4:') + 3)
      : raw;
    const tag = TAG.exec(line);
    if (tag) {
      current = { tag: tag[1] ?? '', lines: [line.slice(tag[0].length)], line: index + 1 };
      fields.push(current);
    } else if (/^-(\}.*)?$/.test(line.trim()) || line.startsWith('{')) {
      current = { tag: '-', lines: [], line: index + 1 };
      fields.push(current);
    } else if (current && current.tag !== '-' && line !== '') current.lines.push(line);
  });
  return fields;
}

/** A message begins with :20:, or, where banks leave it out, with the first field behind an end mark. */
function splitMessages(fields: Field[]): Field[][] {
  const messages: Field[][] = [];
  let current: Field[] = [];
  let closed = false;
  const end = (): void => {
    if (current.length > 0) messages.push(current);
    current = [];
    closed = false;
  };
  for (const field of fields) {
    if (field.tag === '-' || field.tag === '20' || (closed && /^(25P?|60[FM])$/.test(field.tag))) end();
    if (field.tag !== '-') current.push(field);
    if (field.tag === '62F' || field.tag === '62M') closed = true;
  }
  end();
  return messages;
}

interface Page {
  statement: BankStatement;
  /** The balance is one between pages (M). */
  opensAsPage: boolean;
  closesAsPage: boolean;
  number: string;
}

function readMessage(fields: Field[], interim: boolean): Page {
  const statement = newStatement(interim ? 'advance' : 'statement');
  const page: Page = { statement, opensAsPage: false, closesAsPage: false, number: '' };
  const opening = fields.find(({ tag }) => tag === '60F' || tag === '60M');
  const closing = fields.find(({ tag }) => tag === '62F' || tag === '62M');
  if (!interim && (!opening || !closing)) {
    throw refused('truncated', opening ? 'A statement has no closing balance (:62F:).'
      : 'A statement has no opening balance (:60F:).', fields[0]?.line ?? null);
  }
  const floor = fields.find(({ tag }) => tag === '34F');
  statement.currency = currencyCode((opening?.lines[0] ?? '').slice(7, 10).match(/^[A-Z]{3}/)?.[0]
    ?? floor?.lines[0]?.slice(0, 3), opening?.line ?? floor?.line ?? null);
  for (const field of fields) takeHead(page, field);
  takeLines(statement, fields);
  if (interim) checkTotals(statement, fields);
  return page;
}

function takeHead(page: Page, field: Field): void {
  const { statement } = page;
  const value = field.lines.join('').trim();
  if (field.tag === '25' || field.tag === '25P') statement.account = accountOf(value);
  if (field.tag === '28' || field.tag === '28C') {
    page.number = value.split('/')[0]?.trim() ?? '';
    statement.number = filled(value);
  }
  if (field.tag === '60F' || field.tag === '60M') {
    statement.opening = balanceOf(field, statement);
    page.opensAsPage = field.tag === '60M';
  }
  if (field.tag === '62F' || field.tag === '62M') {
    statement.closing = balanceOf(field, statement);
    page.closesAsPage = field.tag === '62M';
  }
}

/** ':25:' holds an IBAN, or bank code and account number with a slash, each perhaps with the currency behind. */
function accountOf(value: string): BankStatement['account'] {
  const plain = value.replace(/\s/g, '').toUpperCase();
  const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}/.exec(plain.split('/').at(-1) ?? '')?.[0] ?? null;
  if (iban) return { iban: iban.replace(/(?<=\d)[A-Z]{3}$/, ''), number: filled(plain), bank: null, name: null };
  const [first = '', ...rest] = plain.replace(/(?<=\d)[A-Z]{3}$/, '').split('/');
  return rest.length === 0 ? { iban: null, number: filled(first), bank: null, name: null }
    : { iban: null, number: filled(rest.join('/')), bank: filled(first), name: null };
}

const BALANCE = /^([CD])(\d{6})([A-Z]{3})?(\d{1,20}(?:,\d{0,15})?)\s*$/;

function balanceOf(field: Field, statement: BankStatement): Balance {
  const text = (field.lines[0] ?? '').trim();
  const [, mark, date = '', code, amount = ''] = BALANCE.exec(text.slice(0, 64)) ?? [];
  if (mark === undefined) throw refused('amount_unreadable', `“${short(text)}” is not a balance.`, field.line);
  const day = dayOfMonthEnd(date);
  if (!day) throw refused('date_unreadable', `“${date}” is not a date.`, field.line);
  const currency = currencyCode(code, field.line) ?? statement.currency;
  if (currency !== statement.currency) {
    throw refused('wrong_currency', `A balance is in ${currency}, but the account is kept in ${statement.currency}.`,
      field.line);
  }
  const minor = plainAmount(amount, ',', currency, field.line);
  return { on: day, amount_minor: mark === 'D' ? -minor : minor };
}

/** German banks count interest in months of 30 days and write 29 and 30 February: the last day of that month. */
function dayOfMonthEnd(text: string): IsoDate | null {
  return shortDay(text)
    ?? (/^\d{2}02(29|30)$/.test(text) ? shortDay(`${text.slice(0, 4)}28`) && lastOfFebruary(text) : null);
}

function lastOfFebruary(text: string): IsoDate | null {
  return shortDay(`${text.slice(0, 4)}29`) ?? shortDay(`${text.slice(0, 4)}28`);
}

function takeLines(statement: BankStatement, fields: Field[]): void {
  let line: BankLine | null = null;
  let isPending = false;
  for (const field of fields) {
    if (field.tag === '61') {
      const read = lineOf(field, statement);
      isPending = read === null;
      line = read;
      if (isPending) addFlag(statement, 'pending_skipped', 'Lines that the bank only expects are left out.');
      if (read) statement.lines.push(read);
    } else if ((field.tag === '86' || field.tag === 'NS') && line) {
      Object.assign(line, readDetails(field.tag, field.lines, line));
    } else if (/^6[245]/.test(field.tag) || field.tag.startsWith('90')) line = null;
  }
}

/**
 * ':61:': value date, entry date, mark, funds code, amount, type, the customer's and the bank's reference. RC takes
 * money out, RD brings it back. The lengths are bounded, so that no line is read twice.
 */
const LINE = new RegExp(String.raw`^(\d{6})(\d{4}|\s{4})?\s{0,4}(RC|RD|EC|ED|C|D)([A-Z])?\s{0,4}`
  + String.raw`(\d{1,20}(?:,\d{0,15})?)(?:([A-Z][A-Z0-9]{3})(.*))?$`);

function lineOf(field: Field, statement: BankStatement): BankLine | null {
  const [first = '', ...more] = field.lines;
  const text = first.trim();
  const match = LINE.exec(text.slice(0, 200));
  if (!match) throw unreadableLine(text, field.line);
  const [, valueText = '', entryText = '', mark = '', , amount = '', type = '', references = ''] = match;
  const value = dayOfMonthEnd(valueText);
  if (!value) throw refused('date_unreadable', `“${valueText}” is not a date.`, field.line);
  const minor = plainAmount(amount, ',', statement.currency, field.line);
  if (mark.startsWith('E')) return null;
  const signed = mark === 'D' || mark === 'RC' ? -minor : minor;
  const at = references.indexOf('//');
  const customer = plainText(at < 0 ? references : references.slice(0, at));
  const bank = plainText(at < 0 ? '' : references.slice(at + 2));
  const own = /^NONREF$/i.test(customer) ? '' : customer;
  const extra = plainText(more.join(' '));
  return { ...newLine(entryDay(entryText, value, field.line), signed, field.line), value_on: value,
    reference: own || bank, type: plainText(type), memo: extra, name: '',
    check_number: type.endsWith('CHK') && /^\d{1,12}$/.test(own) ? own : null };
}

function unreadableLine(text: string, line: number): BankFileRefused {
  if (text === '') return refused('line_incomplete', 'A line (:61:) is empty.', { line });
  const dated = /^\d{6}/.test(text);
  return refused(dated ? 'amount_unreadable' : 'date_unreadable',
    `“${short(text)}” is not a line with ${dated ? 'an amount' : 'a date'}.`, { line });
}

/** Month and day in the year that brings them nearest to the value date. */
function entryDay(text: string, value: IsoDate, line: number): IsoDate {
  if (text.trim() === '') return value;
  const month = Number(text.slice(0, 2));
  const day = Number(text.slice(2, 4));
  let nearest: IsoDate | null = null;
  for (const months of [-12, 0, 12]) {
    const year = Number(addMonths(value, months).slice(0, 4));
    const found = isoDay(year, month, day) ?? (month === 2 && (day === 29 || day === 30) ? isoDay(year, 2, 28) : null);
    if (found && (nearest === null
      || Math.abs(diffDays(found, value)) < Math.abs(diffDays(nearest, value)))) nearest = found;
  }
  if (nearest) return nearest;
  throw refused('date_unreadable', `“${text}” is not a day of the year.`, { line });
}

/** :90D: and :90C: of an interim report: number and sum of debits and credits. */
function checkTotals(statement: BankStatement, fields: Field[]): void {
  for (const field of fields) {
    const match = /^(\d{1,5})([A-Z]{3})(\d{1,15}(?:,\d{0,15})?)$/.exec((field.lines[0] ?? '').trim().slice(0, 64));
    if (!match || !/^90[CD]$/.test(field.tag)) continue;
    const lines = statement.lines.filter(({ amount_minor }) => (amount_minor < 0n) === (field.tag === '90D'));
    const total = lines.reduce((all, line) => all + line.amount_minor, 0n);
    const stated = plainAmount(match[3] ?? '', ',', statement.currency, field.line);
    if (lines.length !== Number(match[1])) addFlag(statement, 'record_count_mismatch',
      'The number of lines is not the one that the file states.');
    if ((total < 0n ? -total : total) !== stated) {
      addFlag(statement, 'control_total_mismatch', 'The control total of the file is not the sum of its lines.');
    }
  }
}

/** Pages of one statement become one: 60F of the first, 62F of the last. A break between two pages is flagged. */
function joinPages(pages: Page[]): BankStatement[] {
  const joined: Page[] = [];
  for (const page of pages) {
    const before = joined.at(-1);
    const goesOn = before && page.opensAsPage && before.closesAsPage
      && before.statement.account.number === page.statement.account.number;
    if (!goesOn) {
      joined.push(page);
      continue;
    }
    const { statement } = before;
    if (statement.closing?.amount_minor !== page.statement.opening?.amount_minor) {
      addFlag(statement, 'balance_mismatch', 'A page does not begin with the balance that the page before ends with.');
    }
    for (const line of page.statement.lines) statement.lines.push(line);
    for (const note of page.statement.flags) addFlag(statement, note.flag, note.message, note.count);
    statement.closing = page.statement.closing;
    before.closesAsPage = page.closesAsPage;
  }
  return joined.map(({ statement, number, opensAsPage }) =>
    (opensAsPage || number === '' ? statement : { ...statement, number: filled(number) }));
}
