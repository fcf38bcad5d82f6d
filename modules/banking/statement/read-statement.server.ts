/** A file as the statements of one bank account: read, and compared with the account's number and currency. */
import { invalidField } from '#kit/errors.ts';
import type { BankFileRefusal, BankFormat, BankStatement, DateOrder, DecimalMark, RefusalCode,
} from '#kernel/bank-statements/bank-file.ts';
import { readBankFile, readBankSheet, type ReadOptions } from '#kernel/bank-statements/read-bank-file.ts';
import type { SheetMapping } from '#kernel/bank-statements/sheet.ts';
import { suggestMapping } from '#kernel/bank-statements/suggest-mapping.ts';
import type { PayeeAccount } from '#kernel/payment-files/payment-batch.ts';
import { readSheetRows } from '#modules/data-exchange/reading/reading.public.server.ts';
import { isNumberOf, plainNumber } from './account-numbers.ts';
import { sheetMapping } from './bank-statement.contract.ts';

export interface StatementAccount {
  id: number;
  division: string;
  currency: string;
  name: string;
  bank_account_last4: string | null;
  /** Opened where it is kept, to be compared whole. */
  own_number: PayeeAccount | null;
  /** The bank's way of writing it in its files, as a person confirmed it; without blanks and signs. */
  statement_number: string | null;
  statement_mapping: SheetMapping | null;
  statement_date_order: DateOrder | null;
}

export interface ReadRequest {
  mapping?: string | undefined;
  date_order?: DateOrder | undefined;
  decimal_mark?: DecimalMark | undefined;
  account_confirmed?: 'true' | 'false' | undefined;
}

export interface ReadStatements {
  format: BankFormat | null;
  statements: BankStatement[];
  refusal: BankFileRefusal | null;
  /** Of a sheet: its first rows and how they were read. */
  sheet: { rows: string[][]; mapping: SheetMapping } | null;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return null;
  }
}

/** Rows that a person sees when choosing columns. */
const SHOWN_ROWS = 12;
const NO_MAPPING: SheetMapping = { header_row: 1, footer_rows: 0, date_order: null, decimal_mark: null,
  amount: { kind: 'signed', amount: 0, inverted: false }, columns: { booked: 0 } };

export async function readStatements(
  file: Buffer, account: StatementAccount, request: ReadRequest, today: string,
): Promise<ReadStatements> {
  const options: ReadOptions = { today, currency: account.currency,
    date_order: request.date_order ?? account.statement_date_order, decimal_mark: request.decimal_mark ?? null };
  // A zip of anything else than a workbook is refused for what it is.
  const isWorkbook = file[0] === 0x50 && file[1] === 0x4b && file.includes('xl/workbook');
  const read = isWorkbook ? null : readBankFile(file, decode, options);
  if (read && read.refusal?.code !== 'mapping_required') {
    return fitted({ format: read.file?.format ?? null, statements: read.file?.statements ?? [], refusal: read.refusal,
      sheet: null }, account, request);
  }
  const rows = await readSheetRows(file);
  const chosen = chosenMapping(request) ?? account.statement_mapping;
  const suggested = suggestMapping(rows);
  const mapping = chosen ?? suggested?.mapping ?? NO_MAPPING;
  const sheet = { rows: rows.slice(0, SHOWN_ROWS).map(({ cells }) => cells.slice(0, 60)), mapping };
  // A proposal is confirmed by a person before anything is read by it.
  if (!chosen) return { format: 'csv', statements: [], sheet, refusal: refusalOf(null) };
  const table = readBankSheet(rows, mapping, options);
  return fitted({ format: 'csv', statements: table.file?.statements ?? [], refusal: table.refusal, sheet }, account,
    request);
}

function refusalOf(line: number | null): BankFileRefusal {
  return { code: 'mapping_required', message: 'Choose what the columns of this file hold.',
    advice: 'It is kept for the account.', line, column: null, suggestion: null };
}

function chosenMapping({ mapping }: ReadRequest): SheetMapping | null {
  if (mapping === undefined || mapping === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(mapping);
  } catch {
    throw invalidField('mapping', 'The mapping is not JSON');
  }
  const parsed = sheetMapping.safeParse(value);
  if (!parsed.success) throw invalidField('mapping', parsed.error.issues[0]?.message ?? 'Choose the columns');
  return parsed.data;
}

const masked = (text: string): string => `•••• ${plainNumber(text).slice(-4)}`;

/** Keeps the statements of this account; refuses a file of another account or currency by name. */
function fitted(read: ReadStatements, account: StatementAccount, request: ReadRequest): ReadStatements {
  if (read.refusal || read.statements.length === 0) return read;
  const own = account.bank_account_last4?.toUpperCase() ?? null;
  const numbered = read.statements.filter(({ account: { number } }) => number !== null);
  const isOne = new Set(numbered.map(({ account: { number } }) => number)).size === 1;
  const mine = own === null || (isOne && request.account_confirmed === 'true') ? read.statements
    : read.statements.filter(({ account: { number, iban } }) => number === null
      || plainNumber(number) === account.statement_number
      || isNumberOf(account.own_number, { number, iban: iban ?? null, last4: own }));
  if (mine.length === 0) return refusedNumber(read, account, { isOne, own: own! });
  if (own === null && new Set(numbered.map(({ account: { number } }) => number)).size > 1) {
    return refusedFor(read, 'wrong_account',
      'The file holds several accounts, and this bank account has no number to choose by.',
      'Enter the number of the bank account, then import the file.');
  }
  const inCurrency = mine.filter(({ currency }) => currency === null || currency === account.currency);
  if (inCurrency.length === 0) {
    return refusedFor(read, 'wrong_currency',
      `The file is in ${mine[0]?.currency}, but ${account.name} is kept in ${account.currency}.`);
  }
  return { ...read, statements: inCurrency };
}

/** One account alone may be this one written in another way, as with a check digit behind it: a person can say so. */
function refusedNumber(read: ReadStatements, account: StatementAccount, of: { isOne: boolean; own: string }):
ReadStatements {
  const shown = [...new Set(read.statements.flatMap(({ account: { number } }) => (number === null ? []
    : [masked(number)])))].slice(0, 3);
  const message = shown.includes(`•••• ${of.own}`)
    ? `The file is of another account that ends in ${of.own}, as ${account.name} does.`
    : `The file is of account ${shown.join(', ')}, but ${account.name} is •••• ${of.own}.`;
  const refused = refusedFor(read, 'wrong_account', message);
  return of.isOne ? { ...refused, refusal: { ...refused.refusal!, suggestion: 'this_account' } } : refused;
}

function refusedFor(
  read: ReadStatements, code: RefusalCode, message: string, advice = 'Choose the bank account that this file is for.',
): ReadStatements {
  return { ...read, statements: [], refusal: { code, message, advice, line: null, column: null, suggestion: null } };
}
