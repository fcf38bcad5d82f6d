/**
 * ISO 20022 camt.053 (statement), camt.052 and camt.054 (advance notices), versions .01 to .13. The versions differ
 * in wrappers (`Sts/Cd`, `Dbtr/Pty`, `BICFI`), which are read by structure.
 */
import { sum } from '../money/money.ts';
import { currencyCode, plainAmount } from './amount-text.ts';
import {
  refused, filled, newStatement, type Balance, type BankFormat, type BankLine, type BankStatement,
} from './bank-file.ts';
import { dayOf, entryLines, type CamtEntry, readEntry } from './camt-entry.ts';
import { compactDay } from './day-text.ts';
import { addFlag } from './statement-checks.ts';
import { all, at, readXml, textAt, type XmlElement } from './xml.ts';

const MESSAGES: Readonly<Record<string, BankFormat>> = {
  BkToCstmrStmt: 'camt.053', BkToCstmrAcctRpt: 'camt.052', BkToCstmrDbtCdtNtfctn: 'camt.054',
};
const STATEMENTS = new Set(['Stmt', 'Rpt', 'Ntfctn']);

export interface CamtFile {
  format: BankFormat;
  statements: BankStatement[];
}

/** Reads the statements, reports or notifications of a camt message. */
export function readCamt(text: string): CamtFile {
  const found: { element: XmlElement; entries: CamtEntry[] }[] = [];
  let entries: CamtEntry[] = [];
  let format: BankFormat | null = null;
  readXml(text, (element, parents) => {
    const parent = parents.at(-1)?.name ?? '';
    if (element.name === 'Ntry' && STATEMENTS.has(parent)) {
      entries.push(readEntry(element));
      return true;
    }
    if (STATEMENTS.has(element.name) && messageOf(parent)) {
      format = messageOf(parent);
      found.push({ element, entries });
      entries = [];
      return true;
    }
    format ??= messageOf(element.name);
    return false;
  });
  if (format === null || found.length === 0) {
    throw refused('no_cash_statement', 'The message holds no statement of an account.');
  }
  const kind = format === 'camt.053' ? 'statement' : 'advance';
  return { format, statements: joinPages(found.map((one) => statementOf(one.element, one.entries, kind))) };
}

/** 'BkToCstmrAcctRptV01' is how the first version names it. */
function messageOf(name: string): BankFormat | null {
  return MESSAGES[name.replace(/V\d\d$/, '')] ?? null;
}

interface Page {
  statement: BankStatement;
  id: string;
  isLast: boolean;
}

function statementOf(element: XmlElement, entries: CamtEntry[], kind: BankStatement['kind']): Page {
  const statement = newStatement(kind);
  const balances = all(element, 'Bal');
  statement.currency = currencyOf(element, balances, entries);
  statement.account = accountOf(element);
  const id = filled(textAt(element, 'Id'));
  statement.number = filled(textAt(element, 'ElctrncSeqNb')) ?? filled(textAt(element, 'LglSeqNb')) ?? id;
  statement.from = dayAt(element, 'FrToDt', 'FrDtTm') ?? dayAt(element, 'FrToDt', 'FrDt');
  statement.to = dayAt(element, 'FrToDt', 'ToDtTm') ?? dayAt(element, 'FrToDt', 'ToDt');
  statement.opening = balanceOf(balances, ['OPBD', 'PRCD'], statement, 'first');
  statement.closing = balanceOf(balances, ['CLBD'], statement, 'last');
  takeEntries(statement, entries);
  checkTotals(statement, element, entries);
  const last = textAt(element, 'StmtPgntn', 'LastPgInd') || textAt(element, 'RptPgntn', 'LastPgInd');
  return { statement, id: id ?? '', isLast: last !== 'false' && last !== '0' };
}

function takeEntries(statement: BankStatement, entries: CamtEntry[]): void {
  for (const entry of entries) {
    if (entry.status === 'PDNG' || entry.status === 'FUTR') {
      addFlag(statement, 'pending_skipped', 'Lines that the bank has not booked yet are left out.');
    } else if (entry.status === 'INFO') {
      addFlag(statement, 'non_monetary_skipped', 'Informational entries are left out.');
    } else {
      if (entry.currency && statement.currency && entry.currency !== statement.currency) {
        throw refused('wrong_currency',
          `An entry is in ${entry.currency}, but the account is kept in ${statement.currency}.`, entry.line);
      }
      for (const line of entryLines(entry)) statement.lines.push(line);
    }
  }
}

function currencyOf(element: XmlElement, balances: XmlElement[], entries: CamtEntry[]): string | null {
  const stated = currencyCode(textAt(element, 'Acct', 'Ccy'), element.line);
  if (stated) return stated;
  const booked = balances.find((balance) => /^(OPBD|PRCD|CLBD)$/.test(codeOf(balance)));
  const unit = (balance: XmlElement | undefined): string | null =>
    currencyCode(at(balance, 'Amt')?.attributes.get('Ccy'), balance?.line ?? null);
  return unit(booked) ?? entries.find(({ currency }) => currency !== null)?.currency ?? unit(balances[0]);
}

function codeOf(balance: XmlElement): string {
  return textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') || textAt(balance, 'Tp', 'Cd');
}

function accountOf(element: XmlElement): BankStatement['account'] {
  const account = at(element, 'Acct');
  const iban = filled(textAt(account, 'Id', 'IBAN'));
  const other = filled(textAt(account, 'Id', 'Othr', 'Id')) ?? filled(textAt(account, 'Id', 'PrtryAcct', 'Id'))
    ?? filled(textAt(account, 'Id', 'BBAN')) ?? filled(textAt(account, 'Id', 'UPIC'));
  const institution = at(account, 'Svcr', 'FinInstnId');
  const plain = (iban ?? other ?? '').replace(/[\s-]/g, '').toUpperCase();
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain);
  return { iban: isIban ? plain : null, number: iban ?? other,
    bank: filled(textAt(institution, 'BICFI')) ?? filled(textAt(institution, 'BIC')),
    name: filled(textAt(account, 'Nm')) ?? filled(textAt(account, 'Ownr', 'Nm')) };
}

function dayAt(element: XmlElement, ...path: string[]): string | null {
  const found = at(element, ...path);
  return found && found.text.trim() !== '' ? compactDay(found.text, found.line) : null;
}

/** The balance of the first code that the statement has: the earliest of the openings, the latest of the closings. */
function balanceOf(
  balances: XmlElement[], codes: readonly string[], statement: BankStatement, which: 'first' | 'last',
): Balance | null {
  for (const code of codes) {
    const read = balances.filter((balance) => codeOf(balance) === code).map((balance) => readBalance(balance,
      statement));
    const sorted = read.sort((a, b) => (a.on ?? '').localeCompare(b.on ?? ''));
    const found = which === 'first' ? sorted[0] : sorted.at(-1);
    if (found) return found;
  }
  return null;
}

function readBalance(balance: XmlElement, statement: BankStatement): Balance {
  const amount = at(balance, 'Amt');
  const currency = currencyCode(amount?.attributes.get('Ccy'), balance.line);
  if (currency && statement.currency && currency !== statement.currency) {
    addFlag(statement, 'balance_mismatch',
      `A balance is in ${currency}, but the account is kept in ${statement.currency}.`);
  }
  const minor = plainAmount(amount?.text ?? '', '.', currency ?? statement.currency, balance.line);
  return { on: dayOf(balance, 'Dt'), amount_minor: textAt(balance, 'CdtDbtInd') === 'DBIT' ? -minor : minor };
}

/** `TxsSummry`: banks count all entries or only those booked, so either agrees. */
function checkTotals(statement: BankStatement, element: XmlElement, entries: CamtEntry[]): void {
  const total = at(element, 'TxsSummry', 'TtlNtries');
  const booked = entries.filter(({ status }) => status === 'BOOK' || status === '');
  const count = textAt(total, 'NbOfNtries');
  if (/^\d{1,9}$/.test(count) && Number(count) !== entries.length && Number(count) !== booked.length) {
    addFlag(statement, 'record_count_mismatch', `The file says ${Number(count)} entries and holds ${entries.length}.`);
  }
  const stated = textAt(total, 'Sum');
  if (stated === '') return;
  const minor = plainAmount(stated, '.', statement.currency, total?.line ?? null);
  const unsigned = (some: CamtEntry[]): bigint =>
    sum(some.map(({ amount_minor }) => (amount_minor < 0n ? -amount_minor : amount_minor)));
  if (minor !== unsigned(entries) && minor !== unsigned(booked)) {
    addFlag(statement, 'control_total_mismatch', 'The control total of the file is not the sum of its entries.');
  }
}

/** Pages of one statement (same account and id, not the last page) are one statement. */
function joinPages(pages: Page[]): BankStatement[] {
  const joined: Page[] = [];
  for (const page of pages) {
    const before = joined.at(-1);
    const same = before && !before.isLast && before.id !== '' && before.id === page.id
      && before.statement.account.number === page.statement.account.number;
    if (!same) {
      joined.push(page);
      continue;
    }
    for (const line of page.statement.lines as BankLine[]) before.statement.lines.push(line);
    for (const note of page.statement.flags) addFlag(before.statement, note.flag, note.message, note.count);
    before.statement.closing = page.statement.closing ?? before.statement.closing;
    before.statement.to = page.statement.to ?? before.statement.to;
    before.isLast = page.isLast;
  }
  return joined.map(({ statement }) => statement);
}
