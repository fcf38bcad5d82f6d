/**
 * The shared result of every bank format: statements with their lines, or one typed refusal for the whole file
 * (accounting.md 4.1). A flag is kept with the statement; a refusal imports nothing.
 */
import type { IsoDate } from '../calendar/calendar.ts';

export type BankFormat =
  'ofx' | 'qif' | 'csv' | 'camt.052' | 'camt.053' | 'camt.054' | 'mt940' | 'mt942' | 'bai2';

/** camt.052, camt.054, MT942 and interim BAI2 tell lines in advance; the statement of the day has the last word. */
export type StatementKind = 'statement' | 'advance';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';
export type DecimalMark = '.' | ',';

export const STATEMENT_FLAGS = [
  'balance_mismatch', 'missing_fitid', 'duplicate_fitid', 'pending_skipped', 'non_monetary_skipped',
  'control_total_mismatch', 'record_count_mismatch', 'future_date', 'closing_after_last_line',
] as const;
export type StatementFlag = (typeof STATEMENT_FLAGS)[number];

/** A flag with how many lines or records it concerns and a sentence for the preview. */
export interface FlagNote {
  flag: StatementFlag;
  count: number;
  message: string;
}

export interface Balance {
  /** null where the format gives an amount without a day. */
  on: IsoDate | null;
  amount_minor: bigint;
}

/** A part of a batch that the bank booked in one sum, or of a split. */
export interface LineDetail {
  amount_minor: bigint | null;
  name: string;
  memo: string;
  reference: string;
}

export interface BankLine {
  booked_on: IsoDate;
  value_on: IsoDate | null;
  /** Minor units of the statement's currency; positive is money in. */
  amount_minor: bigint;
  name: string;
  memo: string;
  reference: string;
  /** The bank's own id of the line (FITID, AcctSvcrRef, a mapped column); null where the format has none. */
  bank_id: string | null;
  end_to_end_id: string | null;
  check_number: string | null;
  /** The bank's code of the kind of transaction, as written. */
  type: string;
  counterparty_account: string | null;
  /** Balance after this line, as the file states it. */
  balance_minor: bigint | null;
  /** Amount instructed in another currency, as written. For information only. */
  original: { amount: string; currency: string } | null;
  details: LineDetail[];
  /** The line of the file where it begins, as an editor numbers it. */
  source_line: number;
}

export interface StatementAccount {
  iban: string | null;
  number: string | null;
  /** Routing number, sort code, BIC or bank code, as written. */
  bank: string | null;
  name: string | null;
}

export interface BankStatement {
  kind: StatementKind;
  account: StatementAccount;
  /** ISO 4217; null where the file names none and the account's is taken. */
  currency: string | null;
  /** The bank's number or id of the statement. */
  number: string | null;
  from: IsoDate | null;
  to: IsoDate | null;
  opening: Balance | null;
  closing: Balance | null;
  lines: BankLine[];
  flags: FlagNote[];
}

export const REFUSAL_CODES = [
  'file_empty', 'file_pdf', 'file_archive', 'file_protected', 'file_workbook', 'file_web_page', 'file_binary',
  'not_a_bank_file', 'wrong_format', 'truncated', 'malformed', 'too_deep', 'doctype', 'no_cash_statement',
  'bank_error', 'line_incomplete', 'date_unreadable', 'amount_unreadable', 'amount_precision', 'amount_too_large',
  'unknown_currency', 'wrong_currency', 'wrong_account', 'sign_unknown', 'both_columns_filled', 'column_missing',
  'mapping_required',
  'date_order_required', 'decimal_mark_required',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export interface BankFileRefusal {
  code: RefusalCode;
  /** Says in a sentence what is wrong. */
  message: string;
  /** Says in a sentence what to do. */
  advice: string;
  /** Line and column of the file, as an editor numbers them; null where the whole file is meant. */
  line: number | null;
  column: number | null;
  /** Answer suggested by the file itself, for a question about dates or decimals; or one that a person can give. */
  suggestion: DateOrder | DecimalMark | 'this_account' | null;
}

export interface BankFile {
  format: BankFormat;
  statements: BankStatement[];
}

export type BankFileResult = { file: BankFile; refusal: null } | { file: null; refusal: BankFileRefusal };

interface Place {
  line?: number | null;
  column?: number | null;
  advice?: string;
  suggestion?: DateOrder | DecimalMark | null;
}

/** Thrown inside the readers only; `readBankFile` answers it as data. */
export class BankFileRefused extends Error {
  readonly refusal: BankFileRefusal;

  constructor(code: RefusalCode, message: string, place: Place = {}) {
    super(message);
    this.refusal = { code, message, advice: place.advice ?? ADVICE[code], line: place.line ?? null,
      column: place.column ?? null, suggestion: place.suggestion ?? null };
  }
}

/** A refusal to throw, at a line of the file where one is to blame. */
export function refused(code: RefusalCode, message: string, place: number | Place | null = null): BankFileRefused {
  return new BankFileRefused(code, message, typeof place === 'number' ? { line: place } : place ?? {});
}

const DOWNLOAD_AGAIN = 'Download the file from the bank again and choose the new one.';
const ASK_THE_BANK = 'Nothing was imported. Ask the bank for a corrected file, or choose another format.';
const CHOOSE_STATEMENT = 'Choose a statement as OFX, QFX, QIF, CSV, CAMT, MT940 or BAI2.';

/** Default advice for each refusal, used where the refusing code has nothing better to say. */
const ADVICE: Readonly<Record<RefusalCode, string>> = {
  file_empty: DOWNLOAD_AGAIN,
  file_pdf: `Ask the bank for the statement as data. ${CHOOSE_STATEMENT}`,
  file_archive: 'Unpack it and choose the statement inside.',
  file_protected: 'Save a copy without a password and choose that.',
  file_workbook: 'Save it as CSV or as an Excel workbook (.xlsx) and choose that file.',
  file_web_page: `Download the statement as a file instead of saving the page. ${CHOOSE_STATEMENT}`,
  file_binary: CHOOSE_STATEMENT,
  not_a_bank_file: CHOOSE_STATEMENT,
  wrong_format: CHOOSE_STATEMENT,
  truncated: `The end is missing. ${DOWNLOAD_AGAIN}`,
  malformed: DOWNLOAD_AGAIN,
  too_deep: ASK_THE_BANK,
  doctype: ASK_THE_BANK,
  no_cash_statement: 'Choose a statement of a bank account or a credit card.',
  bank_error: 'Sign in to the bank again and repeat the download.',
  line_incomplete: ASK_THE_BANK,
  date_unreadable: ASK_THE_BANK,
  amount_unreadable: ASK_THE_BANK,
  amount_precision: ASK_THE_BANK,
  amount_too_large: ASK_THE_BANK,
  unknown_currency: ASK_THE_BANK,
  wrong_currency: 'Choose the bank account that is kept in this currency.',
  wrong_account: 'Choose the bank account that the file belongs to.',
  sign_unknown: ASK_THE_BANK,
  both_columns_filled: 'Check which columns hold money in and money out.',
  column_missing: 'Choose the columns of this file and save them for the account.',
  mapping_required: 'Choose which column holds the date, the amount and the text.',
  date_order_required: 'Choose whether the day or the month comes first. It is kept for the account.',
  decimal_mark_required: 'Choose whether a point or a comma separates the decimals. It is kept for the account.',
};

/** A line with nothing but what every format has; readers fill in the rest. */
export function newLine(booked_on: IsoDate, amount_minor: bigint, source_line: number): BankLine {
  return { booked_on, value_on: null, amount_minor, name: '', memo: '', reference: '', bank_id: null,
    end_to_end_id: null, check_number: null, type: '', counterparty_account: null, balance_minor: null, original: null,
    details: [], source_line };
}

export function newStatement(kind: StatementKind): BankStatement {
  return { kind, account: { iban: null, number: null, bank: null, name: null }, currency: null, number: null,
    from: null, to: null, opening: null, closing: null, lines: [], flags: [] };
}

/** Longest text that is kept of a line; the file itself is kept whole. */
const MAX_TEXT = 4000;

/** White space collapses; control characters count as white space. Linear in the text. */
export function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.slice(0, MAX_TEXT * 4).replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim().slice(0, MAX_TEXT);
}

/** A filled text, or null: how optional references are kept. */
export function filled(text: string | null | undefined): string | null {
  const plain = plainText(text ?? '');
  return plain === '' ? null : plain;
}
