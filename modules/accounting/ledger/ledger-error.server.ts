/**
 * Refusals of the ledger's functions (SQLSTATE LG001, message "ACCT_CODE about") as errors of the product. The text is
 * for people; the code stays in `facts.ledger` for programs and logs.
 */
import { bookPeriodInWords, dateInWords } from '#kernel/calendar/calendar.ts';
import { refuse, type ErrorCode } from '#kit/errors.ts';

const TEXTS: Record<string, readonly [ErrorCode, string]> = {
  ACCT_ACCOUNT_CURRENCY: ['invalid', 'An account takes lines of its own currency only.'],
  ACCT_ACCOUNT_INACTIVE: ['invalid', 'An account of this posting is switched off.'],
  ACCT_ACCOUNT_IN_USE: ['in_use', 'The account has postings: it can be switched off, not changed or removed.'],
  ACCT_ACCOUNT_UNKNOWN: ['invalid', 'The chart of this division has no such account.'],
  ACCT_ALLOCATED: ['conflict', 'This is applied to something else. Take the application back first.'],
  ACCT_ALLOCATION: ['conflict', 'These two cannot be applied to each other.'],
  ACCT_ATTEMPT: ['conflict', 'The former posting of this event has to be reversed first.'],
  ACCT_BANK: ['invalid', 'Money on a bank account is a receipt, payment, transfer or bank entry. Record it there: '
    + 'Banking, Bank accounts.'],
  ACCT_BANK_IN_USE: ['in_use', 'The bank account still has a balance or payments that wait.'],
  ACCT_BANK_KEPT: ['in_use', 'This ledger account belongs to a bank account. Change it there: Banking, Bank accounts.'],
  ACCT_BANK_MATCHED: ['conflict', 'The entry is matched with a bank line. Undo the match first.'],
  ACCT_BANK_USED: ['in_use', 'The bank account has postings. Close it instead.'],
  ACCT_BASE_AMOUNT: ['invalid', 'In the currency of the division both amounts of a line are equal.'],
  ACCT_CURRENCY_UNBALANCED: ['invalid', 'Debits and credits of a foreign currency differ.'],
  ACCT_DIVISION: ['invalid', 'There is no such division.'],
  ACCT_DOCUMENT: ['posted_document', 'This entry belongs to a document. Reverse it there.'],
  ACCT_EXCEPTION: ['invalid', 'An exception from a lock ends within 31 days.'],
  ACCT_FOUR_EYES: ['four_eyes', 'A second person has to confirm this.'],
  ACCT_HARD_LOCK: ['period_locked', 'The hard lock never moves back.'],
  ACCT_HEADER_CIRCLE: ['invalid', 'A header cannot stand below itself.'],
  ACCT_HEADER_IN_USE: ['in_use', 'The header still has accounts or headers below it.'],
  ACCT_IMMUTABLE: ['posted_document', 'A posted document is never changed. Credit it or reverse it.'],
  ACCT_INTERCOMPANY: ['invalid', 'A posting between divisions has one equal side in each of two divisions.'],
  ACCT_KIND: ['invalid', 'There is no such kind of posting.'],
  ACCT_LINE: ['invalid', 'A line lacks its amount or currency.'],
  ACCT_MANUAL: ['invalid', 'Journals cannot be written on accounts that documents keep.'],
  ACCT_NO_CODE: ['conflict', 'The chart has no free code for another bank account.'],
  ACCT_NO_PERIOD: ['period_locked', 'There is no accounting period on this date.'],
  ACCT_NUMBER: ['conflict', 'Numbers of this series are in use already.'],
  ACCT_OPENING: ['conflict', 'The opening balances account must be zero before the first period is closed.'],
  ACCT_OVER_APPLIED: ['conflict', 'More would be applied than is open.'],
  ACCT_PARTY: ['invalid', 'An account of this posting needs a party of its kind.'],
  ACCT_PERIOD_LOCKED: ['period_locked', 'The accounting period is closed.'],
  ACCT_REVERSAL_DATE: ['invalid', 'A reversal is dated on or after the original.'],
  ACCT_STATUS: ['conflict', 'This is not possible in the current state.'],
  ACCT_SYSTEM_ACCOUNT: ['in_use', 'The product itself needs this account.'],
  ACCT_TOO_FEW_LINES: ['invalid', 'A posting has at least two lines.'],
  ACCT_UNBALANCED: ['invalid', 'Debits and credits differ.'],
  ACCT_VERSION: ['stale', 'Someone changed this since you opened it.'],
};

/** Runs a call of the ledger and turns its refusals into errors of the product; anything else passes through. */
export async function asLedgerCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw ledgerError(error) ?? error;
  }
}

const LOCKS: Record<string, string> = { sales: 'Sales are', purchase: 'Purchases are', tax: 'Taxes are',
  bank: 'Bank accounts are' };

/** "Bank accounts are locked through May 31, 2026.", "May 2026 is closed. …": what is locked, and the way on. */
function lockText(about: string): string | null {
  const [, month, state] = /^\w+ (\d{6}) is (closed|locked)$/.exec(about) ?? [];
  if (month !== undefined) {
    return `${bookPeriodInWords(Number(month))} is ${state}. Choose a date in an open period, or ask to reopen it in `
      + 'Accounting, Periods.';
  }
  const [, kind = '', day] = /^\w+ (sales|purchase|tax|bank) is locked through (\d{4}-\d\d-\d\d)$/.exec(about) ?? [];
  return day === undefined ? null : `${LOCKS[kind]} locked through ${dateInWords(day)}. Choose a later date.`;
}

/** "The entry is matched with the bank line of November 20, 2026.": which line it is. */
function matchText(ledger: string, about: string): string | null {
  const [, day] = /^(\d{4}-\d\d-\d\d) bank line \d+$/.exec(about) ?? [];
  return ledger !== 'ACCT_BANK_MATCHED' || day === undefined ? null
    : `The entry is matched with the bank line of ${dateInWords(day)}. Undo the match first.`;
}

function ledgerError(error: unknown): Error | null {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== 'LG001' || !message) return null;
  const [ledger = '', ...about] = message.split(' ');
  const known = TEXTS[ledger];
  if (!known) return null;
  const text = about.join(' ');
  return refuse(known[0], lockText(text) ?? matchText(ledger, text) ?? known[1], { ledger, about: text });
}
