/** Balances of bank accounts, each on its account once, and what was outstanding at the bank. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { bankOpeningsInTheWay, bringBankBalance, bringOutstanding, takeBackBankBalance }
  from '#modules/banking/banking.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { keyOf, Names, openingKind, ratesOf, valueOf, type Made, type Rates, type SetFacts }
  from '../opening-kind.server.ts';
import { moneyOf, neededText, shortText, type MoneyCells } from '../opening-rows.ts';

interface Row { account: string; hasCurrency: boolean; money: MoneyCells; reference: string; dated_on: string | null }
interface Account {
  id: number; name: string; code: string; currency: 'USD' | 'EUR' | 'GBP'; opened: boolean; reconciled: boolean;
}
interface Book {
  accounts: Names<Account>;
  rates: Rates;
  /** Accounts whose balance stood in a row before. */
  named: Set<number>;
  /** Accounts whose balance the file has, as keys of the words that name them. */
  balanced: Set<string>;
}
/** Without a reference the balance of the account. */
interface Subject { bank_account_id: number; amount: bigint; base: bigint; reference: string; dated_on: string | null }

function read(cells: Cells, set: SetFacts): Row {
  return { account: neededText(cells, 'bank_account', 200), hasCurrency: cells.text('currency').trim() !== '',
    money: moneyOf(cells, set.functional), reference: shortText(cells, 'reference', 60), dated_on: cells.date('date') };
}

async function book(db: Queryable, set: SetFacts, given: readonly Row[]): Promise<Book> {
  const accounts = new Names<Account>();
  const rows = await db.query<Account>(sql`
    select b.id, b.name, a.code, b.currency, b.opening_transaction_id is not null as opened,
      exists (select 1 from bank_reconciliations r where r.bank_account_id = b.id) as reconciled
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
    where b.division = ${set.division} and b.deleted_at is null and b.closed_on is null`);
  for (const row of rows) for (const word of [row.name, row.code]) accounts.add(word, row);
  const balanced = new Set(given.filter((row) => row.reference === '').map((row) => keyOf(row.account)));
  return { accounts, named: new Set(), balanced, rates: await ratesOf(db, set.functional,
    rows.map((row) => ({ currency: row.currency, on: set.as_of }))) };
}

function judge(row: Row, book: Book, set: SetFacts) {
  const account = book.accounts.one(row.account, 'bank_account', `open bank account of ${set.division}`);
  if (row.hasCurrency && row.money.currency !== account.currency) {
    fail('unknown_currency', `${account.name} is kept in ${account.currency}`, 'currency', row.money.currency);
  }
  if (account.opened) {
    fail('taken', `${account.name} has an opening balance already`, 'bank_account', row.account);
  }
  if (account.reconciled) fail('taken', `${account.name} was reconciled already`, 'bank_account', row.account);
  if (row.reference !== '') refuseLoose(row, book, set, account);
  else if (book.named.has(account.id)) {
    fail('taken', `${account.name} is in a row before`, 'bank_account', row.account);
  } else book.named.add(account.id);
  const { amount, base } = valueOf({ ...row.money, currency: account.currency }, set.as_of, set, book.rates);
  return { subject: { bank_account_id: account.id, amount, base, reference: row.reference, dated_on: row.dated_on },
    brought: { label: [account.name, row.reference].filter(Boolean).join(', '),
    account: account.code, currency: account.currency, amount, base } };
}

/** An outstanding item belongs to a balance of the same file, and was there on its day. */
function refuseLoose(row: Row, book: Book, set: SetFacts, account: Account): void {
  if (![row.account, account.name, account.code].some((word) => book.balanced.has(keyOf(word)))) {
    fail('missing_value', `The file has no balance of ${account.name}: a row without a reference`, 'reference',
      row.reference);
  }
  if (row.dated_on !== null && row.dated_on > set.as_of) {
    fail('unreadable_date', `The date is after ${dateInWords(set.as_of)}, the day of the opening balances`, 'date',
      row.dated_on);
  }
}

export const banksKind = openingKind<Row, Book, Subject>({
  kind: 'banks', read, book, judge,
  async post(ctx, set, rows) {
    const made: Made[] = [];
    for (const { row_no, subject } of rows) {
      const bring = subject.reference === '' ? bringBankBalance : bringOutstanding;
      const transaction_id = await bring(ctx, { ...subject, on: set.as_of });
      made.push({ row_no, type: 'bank_account', id: subject.bank_account_id, transaction_id });
    }
    return made;
  },
  inTheWay: async (db, set) => bankOpeningsInTheWay(db, await accountsOf(db, set)),
  async takeBack(ctx, set, reason) {
    for (const id of await accountsOf(ctx.db, set)) await takeBackBankBalance(ctx, { id, on: set.as_of, reason });
  },
});

async function accountsOf(db: Queryable, set: SetFacts): Promise<number[]> {
  return (await db.query<{ id: number }>(sql`
    select distinct document_id as id from opening_lines
    where opening_set_id = ${set.id} and document_type = 'bank_account'
    order by document_id`)).map((row) => row.id);
}
