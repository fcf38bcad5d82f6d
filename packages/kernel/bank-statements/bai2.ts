/**
 * BAI2, Cash Management Balance Reporting Specifications version 2: groups by day, accounts, details with their
 * continuations. The type code is the sign. Real files disagree with their own control totals: a mismatch is flagged.
 */
import { currencyCode, exactMinor, short } from './amount-text.ts';
import {
  BankFileRefused, refused, filled, newLine, newStatement, plainText, type BankLine, type BankStatement,
} from './bank-file.ts';
import { shortDay } from './day-text.ts';
import { addFlag } from './statement-checks.ts';

/** A logical record: its first line and the continuations (88) behind it. */
interface BaiRecord {
  code: string;
  /** Without code and end mark. */
  body: string;
  more: string[];
  line: number;
  /** Physical records, as the trailers count them. */
  count: number;
}

const RECORD = /^(01|02|03|16|49|88|98|99)(?:,|\/|$)/;
/** Some banks send several records on a line. */
const NEXT = /\/\s+(?=(?:01|02|03|16|49|88|98|99),)/;

interface BaiState {
  statements: BankStatement[];
  group: { day: string | null; dayText: string; currency: string | null; interim: boolean; accounts: number;
    total: bigint;
    records: number; } | null;
  account: { statement: BankStatement; total: bigint; records: number } | null;
  fileTotal: bigint;
  groups: number;
  ended: boolean;
}

/** Reads the statements of a BAI2 text: one per account and day. */
export function readBai2(text: string): BankStatement[] {
  const records = readRecords(text);
  const state: BaiState = { statements: [], group: null, account: null, fileTotal: 0n, groups: 0, ended: false };
  for (const record of records) takeRecord(state, record, records);
  if (!state.ended) throw refused('truncated', 'The file ends before its trailer (record 99).');
  if (state.statements.length === 0) throw refused('no_cash_statement', 'The file holds no account.');
  return state.statements;
}

function readRecords(text: string): BaiRecord[] {
  const records: BaiRecord[] = [];
  text.split(/\r\n|\n|\r/).forEach((physical, index) => {
    for (const raw of physical.split(NEXT)) {
      const part = raw.trim();
      if (part === '') continue;
      const code = RECORD.exec(part)?.[1];
      const body = withoutEnd(code === undefined ? part : part.slice(3));
      const last = records.at(-1);
      if (code !== undefined && code !== '88') records.push({ code, body, more: [], line: index + 1, count: 1 });
      else if (!last) throw refused('malformed', 'The file does not begin with a header (record 01).',
        { line: index + 1 });
      else {
        last.more.push(body);
        if (code === '88') last.count += 1;
      }
    }
  });
  return records;
}

function withoutEnd(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

function takeRecord(state: BaiState, record: BaiRecord, records: BaiRecord[]): void {
  const out = (message: string): BankFileRefused => refused('malformed', message, record.line);
  switch (record.code) {
    case '01': return;
    case '02': return openGroup(state, record);
    case '03':
      if (!state.group) throw out('An account (record 03) is outside a group (record 02).');
      if (state.account) throw out('An account (record 03) begins before the trailer of the one above (record 49).');
      return openAccount(state, record);
    case '16':
      if (!state.account) throw out('A line (record 16) is outside an account (record 03).');
      return takeDetail(state, record);
    case '49': return closeAccount(state, record);
    case '98': return closeGroup(state, record);
    case '99': return closeFile(state, record, records);
    default: throw out('A record has an unknown code.');
  }
}

function openGroup(state: BaiState, record: BaiRecord): void {
  if (state.account) throw refused('malformed', 'A group (record 02) begins inside an account.', record.line);
  const fields = allFields(record);
  const dayText = fields[3]?.trim() ?? '';
  state.groups += 1;
  state.group = { day: shortDay(dayText), dayText, currency: currencyCode(fields[5], record.line), accounts: 0,
    total: 0n,
    // Interim data of the day are followed by the final ones.
    interim: fields[6]?.trim() === '1' || fields[6]?.trim() === '3', records: record.count };
}

function allFields({ body, more }: BaiRecord): string[] {
  return [body, ...more].join(',').split(',');
}

/** Signed or unsigned digits. Amounts carry the decimals of their currency without a mark: they are minor units. */
function baiAmount(text: string, line: number): bigint | null {
  const plain = text.trim();
  if (plain === '') return null;
  if (plain.length > 32 || !/^[+-]?\d+$/.test(plain)) {
    throw refused('amount_unreadable', `“${short(plain)}” is not an amount.`, { line });
  }
  return BigInt(plain.replace('+', ''));
}

/** An amount that is kept, within what an amount can be. */
function withinLimit(minor: bigint, line: number): bigint {
  return minor < 0n ? -exactMinor(String(-minor), '', 'JPY', line) : exactMinor(String(minor), '', 'JPY', line);
}

function openAccount(state: BaiState, record: BaiRecord): void {
  const { group } = state;
  if (!group) return;
  const statement = newStatement(group.interim ? 'advance' : 'statement');
  const fields = allFields(record);
  statement.account.number = filled(fields[0]);
  statement.currency = currencyCode(fields[1], record.line) ?? group.currency ?? 'USD';
  const account = { statement, total: 0n, records: record.count };
  let at = 2;
  while (at < fields.length) {
    const type = fields[at]?.trim() ?? '';
    if (type === '') {
      at += 1;
      continue;
    }
    const amount = baiAmount(fields[at + 1] ?? '', record.line);
    account.total += amount ?? 0n;
    if (amount !== null && type === '010') statement.opening = { on: group.day,
      amount_minor: withinLimit(amount, record.line) };
    if (amount !== null && type === '015') statement.closing = { on: group.day,
      amount_minor: withinLimit(amount, record.line) };
    at = behindFunds(fields, at + 3);
  }
  state.account = account;
  group.accounts += 1;
}

/** The position behind a funds type and what belongs to it: V a date and a time, S three amounts, D a list of days. */
function behindFunds(fields: readonly string[], at: number): number {
  const type = fields[at]?.trim().toUpperCase() ?? '';
  if (type === 'V') return at + 3;
  if (type === 'S') return at + 4;
  if (type === 'D') {
    const days = Number(fields[at + 1]);
    return at + 2 + (Number.isInteger(days) && days > 0 && days <= fields.length ? days * 2 : 0);
  }
  return at + 1;
}

function takeDetail(state: BaiState, record: BaiRecord): void {
  const { account, group } = state;
  if (!account || !group) return;
  const fields = record.body.split(',');
  // A record that ends before its references goes on with fields; behind them, everything is text.
  const texts = [...record.more];
  while (texts.length > 0 && fields.length < behindFunds(fields, 2)
    + 2) fields.push(...(texts.shift() ?? '').split(','));
  const { statement } = account;
  const code = fields[0]?.trim() ?? '';
  const amount = baiAmount(fields[1] ?? '', record.line);
  account.records += record.count;
  account.total += amount ?? 0n;
  const sign = signOf(code, record.line);
  if (sign === 0n) return addFlag(statement, 'non_monetary_skipped', 'Records that carry no money are left out.');
  if (amount === null) throw refused('line_incomplete', 'A line has no amount.', record.line);
  if (!group.day) {
    throw group.dayText === '' ? refused('line_incomplete', 'The group of a line has no date.', record.line)
      : refused('date_unreadable', `“${short(group.dayText)}” is not a date.`, record.line);
  }
  const at = behindFunds(fields, 2);
  statement.lines.push({ ...newLine(group.day, withinLimit(amount * sign, record.line), record.line),
    ...textsOf(fields, at, texts), type: code,
    value_on: fields[2]?.trim().toUpperCase() === 'V' ? shortDay(fields[3]?.trim() ?? '') : null });
}

function textsOf(fields: readonly string[], at: number, texts: readonly string[]): Pick<BankLine,
  'memo' | 'reference'> {
  const bank = plainText(fields[at] ?? '');
  const customer = plainText(fields[at + 1] ?? '');
  return { reference: bank || customer, memo: plainText([fields.slice(at + 2).join(','), ...texts].join(' ')) };
}

/** 100 to 399 are credits, 400 to 699 debits; 890 and 900 and above carry no money. */
function signOf(code: string, line: number): 1n | -1n | 0n {
  const type = /^\d{3}$/.test(code) ? Number(code) : 0;
  if (type >= 100 && type <= 399) return 1n;
  if (type >= 400 && type <= 699) return -1n;
  if (type === 890 || type >= 900) return 0n;
  throw refused('sign_unknown', `The type code ${short(code)} does not say whether money came in or went out.`,
    { line });
}

function compareTotals(statement: BankStatement | undefined, record: BaiRecord,
  found: { total: bigint; counts: [number, bigint | number][] }): void {
  if (!statement) return;
  const fields = allFields(record);
  const stated = baiAmount(fields[0] ?? '', record.line);
  if (stated !== null && stated !== found.total) {
    addFlag(statement, 'control_total_mismatch', 'A control total of the file is not the sum of its records.');
  }
  for (const [at, count] of found.counts) {
    const text = fields[at]?.trim() ?? '';
    if (/^\d{1,9}$/.test(text) && BigInt(text) !== BigInt(count)) {
      addFlag(statement, 'record_count_mismatch', 'A number of records is not the one that the file states.');
    }
  }
}

function closeAccount(state: BaiState, record: BaiRecord): void {
  const { account, group } = state;
  if (!account || !group) throw refused('malformed', 'A trailer (record 49) is outside an account.',
    record.line);
  account.records += record.count;
  compareTotals(account.statement, record, { total: account.total, counts: [[1, account.records]] });
  group.records += account.records;
  group.total += statedOr(record, account.total);
  state.statements.push(account.statement);
  state.account = null;
}

/** Trailers add up what the trailers below them state. */
function statedOr(record: BaiRecord, total: bigint): bigint {
  return baiAmount(allFields(record)[0] ?? '', record.line) ?? total;
}

function closeGroup(state: BaiState, record: BaiRecord): void {
  const { group, account } = state;
  if (!group || account) throw refused('malformed', 'A trailer (record 98) is in the wrong place.', record.line);
  group.records += record.count;
  compareTotals(state.statements.at(-1), record,
    { total: group.total, counts: [[1, group.accounts], [2, group.records]] });
  state.fileTotal += statedOr(record, group.total);
  state.group = null;
}

function closeFile(state: BaiState, record: BaiRecord, records: BaiRecord[]): void {
  if (state.group || state.account) throw refused('truncated', 'A trailer of a group or an account is missing.',
    record.line);
  const count = records.reduce((all, one) => all + one.count, 0);
  compareTotals(state.statements.at(-1), record, { total: state.fileTotal, counts: [[1, state.groups], [2, count]] });
  state.ended = true;
}
