/**
 * OFX and QFX, SGML 1.x and XML 2.x (OFX 2.3, sections 3, 11). One tolerant reader for both: banks leave tags open,
 * close them by another name and write a bare `&`. Only aggregates with cash lines are read; what is missing refuses
 * the file.
 */
import { currencyCode, plainAmount, short } from './amount-text.ts';
import {
  BankFileRefused, refused, filled, newLine, newStatement, plainText, type BankLine, type BankStatement,
} from './bank-file.ts';
import { compactDay } from './day-text.ts';
import { decodeEntities } from './entities.ts';
import { lineAt, LineCounter } from './file-text.ts';
import { addFlag } from './statement-checks.ts';

/** Aggregates whose nesting matters; credit card and bank names are the same place. Everything else is a leaf. */
const AGGREGATES: Readonly<Record<string, string>> = {
  OFX: 'OFX', SONRS: 'SONRS', STATUS: 'STATUS', STMTTRNRS: 'TRNRS', CCSTMTTRNRS: 'TRNRS',
  STMTRS: 'STMTRS', CCSTMTRS: 'STMTRS', BANKACCTFROM: 'ACCT', CCACCTFROM: 'ACCT',
  BANKTRANLIST: 'LIST', BANKTRANLISTP: 'LISTP', STMTTRN: 'TRN', STMTTRNP: 'TRNP', LEDGERBAL: 'LEDGERBAL',
  AVAILBAL: 'AVAILBAL', BAL: 'BAL', BALLIST: 'BALLIST', PAYEE: 'PAYEE', CURRENCY: 'CURRENCY',
  ORIGCURRENCY: 'ORIGCURRENCY', BANKACCTTO: 'ACCTTO', CCACCTTO: 'ACCTTO', EXTDBANKACCTTO: 'ACCTTO',
  IMAGEDATA: 'IMAGEDATA', INVSTMTRS: 'INV', INVACCTFROM: 'INVACCT', INVBANKTRAN: 'INVTRAN', INVTRANLIST: 'INVLIST',
  FI: 'FI', MKTGINFO: 'MKTGINFO', REWARDINFO: 'REWARDINFO', LOANSTMTRS: 'LOAN', SECLIST: 'SECLIST',
};

type Values = Map<string, string>;

interface OpenTag {
  kind: string;
  at: number;
}

interface OfxState {
  text: string;
  lines: LineCounter;
  stack: OpenTag[];
  statements: BankStatement[];
  statement: BankStatement | null;
  line: Values | null;
  lineAt: number;
  account: Values;
  balance: Values;
  status: Values;
  bankMessage: string | null;
  sawInvestment: boolean;
}

/** A name after `<`, up to the end of the tag. Anything else behind a `<` is text. */
const TAG = /(\/?)([A-Za-z][A-Za-z0-9._-]{0,63})(?![A-Za-z0-9._-])\s{0,64}(\/?)\s{0,64}>/y;

/** Reads the statements of an OFX text. */
export function readOfx(text: string): BankStatement[] {
  const start = text.search(/<OFX>/i);
  if (start < 0) throw refused('truncated', 'The file has a header of OFX and nothing behind it.');
  const state: OfxState = { text, lines: new LineCounter(text), stack: [], statements: [], statement: null, line: null,
    lineAt: 0, account: new Map(), balance: new Map(), status: new Map(), bankMessage: null, sawInvestment: false };
  const ended = readTags(state, start);
  if (!ended) {
    throw refused('truncated', 'The file ends before its end mark (</OFX>).', lineAt(text, text.length));
  }
  if (state.statements.length === 0) throw noStatement(state);
  return state.statements;
}

function noStatement(state: OfxState): BankFileRefused {
  if (state.bankMessage !== null) {
    return refused('bank_error',
      `The bank answered with an error instead of a statement: “${short(state.bankMessage)}”`);
  }
  return refused('no_cash_statement', state.sawInvestment
    ? 'The file holds a statement of investments, not of a bank account.'
      : 'The file holds no statement of an account.');
}

/** Whether `</OFX>` was reached. */
function readTags(state: OfxState, start: number): boolean {
  const { text } = state;
  let at = start;
  let pending: { name: string; from: number; at: number } | null = null;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) return false;
    const special = skipSpecial(text, open);
    if (special !== null) {
      at = special;
      continue;
    }
    TAG.lastIndex = open + 1;
    const tag = TAG.exec(text);
    if (!tag) {
      at = open + 1;
      continue;
    }
    const name = (tag[2] ?? '').toUpperCase();
    if (pending) leaf(state, pending.name, text.slice(pending.from, open), pending.at);
    pending = null;
    at = TAG.lastIndex;
    const kind = AGGREGATES[name];
    if (tag[1] === '/') {
      if (name === 'OFX') {
        closeDownTo(state, 0);
        return true;
      }
      if (kind) closeTag(state, kind);
    } else if (kind) {
      if (tag[3] === '') openTag(state, kind, open);
    } else if (tag[3] === '') {
      pending = { name, from: at, at: open };
    }
  }
}

/** The position behind a comment or an instruction; null where there is none. Refuses a DOCTYPE. */
function skipSpecial(text: string, open: number): number | null {
  if (text.startsWith('<!--', open)) {
    const end = text.indexOf('-->', open);
    return end < 0 ? text.length : end + 3;
  }
  if (text.startsWith('<?', open)) {
    const end = text.indexOf('?>', open);
    return end < 0 ? open + 2 : end + 2;
  }
  if (/^<!(DOCTYPE|ENTITY)/i.test(text.slice(open, open + 10))) {
    throw refused('doctype', 'The file declares a document type of its own, which no statement needs.',
      lineAt(text, open));
  }
  return null;
}

const MAX_DEPTH = 64;

function openTag(state: OfxState, kind: string, at: number): void {
  // A new line or statement closes what a bank forgot to close.
  if (kind === 'TRN' || kind === 'TRNP') {
    const open = state.stack.findIndex((tag) => tag.kind === 'TRN' || tag.kind === 'TRNP');
    if (open >= 0) closeDownTo(state, open);
  }
  if (state.stack.length >= MAX_DEPTH) {
    throw refused('too_deep', 'The tags of the file are nested deeper than a statement can be.',
      state.lines.at(at));
  }
  state.stack.push({ kind, at });
  if (kind === 'INV') state.sawInvestment = true;
  if (kind === 'STMTRS') {
    state.statement = newStatement('statement');
  }
  if (kind === 'ACCT') state.account = new Map();
  if (kind === 'LEDGERBAL') state.balance = new Map();
  if (kind === 'STATUS') state.status = new Map();
  if (kind === 'TRN' && state.statement) {
    state.line = new Map();
    state.lineAt = at;
  }
}

function closeTag(state: OfxState, kind: string): void {
  const open = state.stack.findLastIndex((tag) => tag.kind === kind);
  if (open >= 0) closeDownTo(state, open);
}

function closeDownTo(state: OfxState, depth: number): void {
  while (state.stack.length > depth) {
    const tag = state.stack.pop();
    if (tag) closed(state, tag);
  }
}

function closed(state: OfxState, { kind, at }: OpenTag): void {
  const { statement } = state;
  if (kind === 'STATUS') noteStatus(state);
  if (!statement) return;
  if (kind === 'ACCT') takeAccount(state, statement);
  if (kind === 'LEDGERBAL') takeBalance(state, statement, at);
  if (kind === 'TRNP') addFlag(statement, 'pending_skipped', 'Lines that the bank has not booked yet are left out.');
  if (kind === 'TRN' && state.line) {
    statement.lines.push(lineOf(state.line, statement, state.lines.at(state.lineAt)));
    state.line = null;
  }
  if (kind === 'STMTRS') {
    // A frame without account, line and balance says nothing of any account.
    if (statement.account.number !== null || statement.lines.length > 0
      || statement.closing) state.statements.push(statement);
    state.statement = null;
  }
}

function noteStatus(state: OfxState): void {
  const code = state.status.get('CODE') ?? '0';
  if (state.status.get('SEVERITY')?.toUpperCase() !== 'ERROR' && code === '0') return;
  if (state.status.get('SEVERITY')?.toUpperCase() === 'ERROR') {
    state.bankMessage ??= state.status.get('MESSAGE') || `error ${code}`;
  }
}

/** Stores a value by the aggregate that encloses it. */
function leaf(state: OfxState, name: string, raw: string, at: number): void {
  const kind = state.stack.at(-1)?.kind;
  const value = plainText(decodeEntities(raw.replace(/<!\[CDATA\[|\]\]>/g, '')));
  if (kind === 'STATUS') state.status.set(name, value);
  if (!state.statement) return;
  if (kind === 'STMTRS' && name === 'CURDEF') {
    state.statement.currency = currencyCode(value, state.lines.at(at));
  }
  if (kind === 'ACCT') state.account.set(name, value);
  if (kind === 'LEDGERBAL') state.balance.set(name, value);
  if (kind === 'LIST' && (name === 'DTSTART' || name === 'DTEND')) takePeriod(state, name, value);
  if (!state.line) return;
  if (kind === 'TRN') setOnce(state, name, value, at);
  else if (kind === 'PAYEE' || kind === 'ACCTTO' || kind === 'CURRENCY' || kind === 'ORIGCURRENCY') {
    state.line.set(`${kind}.${name}`, value);
  }
}

/** A date or amount that comes twice in one line is a line whose end the bank forgot. */
function setOnce(state: OfxState, name: string, value: string, at: number): void {
  if (state.line?.has(name) && (name === 'TRNAMT' || name === 'DTPOSTED' || name === 'FITID')) {
    throw refused('malformed', `A line has ${name} twice: its end is missing.`, state.lines.at(at));
  }
  state.line?.set(name, value);
}

function takePeriod(state: OfxState, name: 'DTSTART' | 'DTEND', value: string): void {
  if (!state.statement || value === '') return;
  try {
    state.statement[name === 'DTSTART' ? 'from' : 'to'] = compactDay(value, null);
  } catch (error) {
    // The period is for information: the lines carry the dates that count.
    if (!(error instanceof BankFileRefused)) throw error;
  }
}

function takeAccount({ account }: OfxState, statement: BankStatement): void {
  const number = filled(account.get('ACCTID'));
  const plain = number?.replace(/[\s-]/g, '').toUpperCase() ?? '';
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain);
  statement.account = { iban: isIban ? plain : null, number, bank: filled(account.get('BANKID')), name: null };
}

function takeBalance(state: OfxState, statement: BankStatement, at: number): void {
  const amount = state.balance.get('BALAMT') ?? '';
  const day = state.balance.get('DTASOF') ?? '';
  if (amount === '') return;
  const line = state.lines.at(at);
  statement.closing = { amount_minor: plainAmount(amount, 'either', statement.currency, line),
    on: day === '' ? null : compactDay(day, line) };
}

function lineOf(values: Values, statement: BankStatement, line: number): BankLine {
  const amount = values.get('TRNAMT') ?? '';
  const day = values.get('DTPOSTED') ?? '';
  if (amount === '') throw refused('line_incomplete', 'A line has no amount.', { line });
  if (day === '') throw refused('line_incomplete', 'A line has no date.', { line });
  const currency = currencyCode(values.get('CURRENCY.CURSYM'), line);
  if (currency && statement.currency && currency !== statement.currency) {
    throw refused('wrong_currency', `A line is in ${currency}, but the account is kept in ${statement.currency}.`,
      { line });
  }
  const read = newLine(compactDay(day, line), plainAmount(amount, 'either', statement.currency, line), line);
  const available = values.get('DTAVAIL') ?? '';
  return { ...read, value_on: available === '' ? null : compactDay(available, line),
    name: values.get('NAME') || values.get('PAYEE.NAME') || '', memo: values.get('MEMO') ?? '',
    reference: values.get('REFNUM') ?? '', bank_id: filled(values.get('FITID')),
    check_number: filled(values.get('CHECKNUM')), type: values.get('TRNTYPE') ?? '',
    counterparty_account: filled(values.get('ACCTTO.ACCTID')), original: originalOf(values) };
}

function originalOf(values: Values): BankLine['original'] {
  const currency = filled(values.get('ORIGCURRENCY.CURSYM'));
  return currency === null ? null : { amount: values.get('ORIGCURRENCY.CURRATE') ?? '', currency };
}
