/** The trial balance: lines of accounts without documents are posted, those with documents are met on 3999. */
import type { Party, PartyType } from '#kernel/ledger/journal.ts';
import { carrierOf, imbalances, trialBalanceLines, type Imbalance, type TrialLine,
} from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict } from '#kit/errors.ts';
import { postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { partiesBy, type FoundParty } from '../find-parties.server.ts';
import {
  openingKind, ratesOf, valueOf, type OpeningAmount, type Names, type Rates, type SetFacts,
} from '../opening-kind.server.ts';
import { moneyOf, neededText, shortText, signedAmount, type MoneyCells } from '../opening-rows.ts';

interface Row { code: string; money: MoneyCells; party: string; memo: string }
interface Account {
  code: string; name: string; currency: string | null; party_types: PartyType[] | null; is_bank: boolean;
  active: boolean;
}
interface Book {
  accounts: Map<string, Account>;
  parties: Map<PartyType, Names<FoundParty>>;
  rates: Rates;
}

/** Debit and credit in two columns, or one amount. */
function amountOf(cells: Cells): bigint | null {
  const [debit, credit, amount] = [signedAmount(cells, 'debit'), signedAmount(cells, 'credit'),
    signedAmount(cells, 'amount')];
  const filled = [debit, credit].filter((side) => side !== null && side !== 0n);
  if (filled.length > 0 && amount !== null && amount !== 0n && amount !== (debit ?? 0n) - (credit ?? 0n)) {
    fail('unreadable_amount', 'Debit, credit and amount do not agree', 'amount', cells.text('amount'));
  }
  if (filled.length === 2) fail('unreadable_amount', 'Debit and credit are both filled', 'credit', '');
  return filled.length === 0 && amount !== null ? amount
    : debit === null && credit === null ? null : (debit ?? 0n) - (credit ?? 0n);
}

function read(cells: Cells, set: SetFacts): Row {
  const amount = amountOf(cells);
  const code = neededText(cells, 'account', 40);
  if (amount === null) fail('missing_value', 'Debit and credit are empty', 'debit', '');
  const money = moneyOf(cells, set.functional, amount);
  // A value in the books is written without its sign beside debits and credits.
  const base = money.base !== null && money.base < 0n !== amount < 0n ? -money.base : money.base;
  return { code, money: { ...money, base }, party: shortText(cells, 'party', 200),
    memo: shortText(cells, 'memo', 500) };
}

async function book(db: Queryable, set: SetFacts, rows: readonly Row[]): Promise<Book> {
  const accounts = await db.query<Account>(sql`
    select code, name, currency, party_types, is_bank, active from ledger_accounts
    where division = ${set.division} and deleted_at is null`);
  const types = new Set(accounts.flatMap((account) => account.party_types ?? []));
  return { accounts: new Map(accounts.map((account) => [account.code, account])),
    parties: rows.some((row) => row.party !== '') ? await partiesBy(db, types) : new Map(),
    rates: await ratesOf(db, set.functional, rows.map((row) => ({ currency: row.money.currency, on: set.as_of }))) };
}

function judge(row: Row, { accounts, parties, rates }: Book, set: SetFacts):
{ brought: OpeningAmount; subject: TrialLine } {
  const account = accounts.get(row.code);
  if (!account) {
    return fail('unknown', `The chart of ${set.division} has no account ${row.code.slice(0, 40)}. Add it first`,
      'account', row.code);
  }
  if (!account.active) fail('unknown', `Account ${account.code} is switched off`, 'account', row.code);
  const is_carried = carrierOf(account) !== null;
  const { amount, base } = valueOf(row.money, set.as_of, set, rates);
  if (!is_carried && account.currency !== null && account.currency !== row.money.currency) {
    fail('unknown_currency', `Account ${account.code} is kept in ${account.currency}`, 'currency', row.money.currency);
  }
  const party = is_carried ? null : partyOf(row, account, parties);
  return { brought: { label: [`${account.code} ${account.name}`, party?.name ?? row.memo]
    .filter((part) => part !== '').join(' · '), account: account.code, currency: row.money.currency, amount, base,
  is_carried },
  subject: { account: account.code, is_carried, currency: row.money.currency, amount, base,
    ...(party && { party: { type: party.type, id: party.id } satisfies Party }),
    ...(row.memo !== '' && { memo: row.memo }) } };
}

function partyOf(row: Row, account: Account, parties: Book['parties']) {
  const [type, ...others] = account.party_types ?? [];
  if (type === undefined) return null;
  if (row.party === '') {
    return fail('missing_value', `Account ${account.code} asks for a ${[type, ...others].join(' or ')
      .replaceAll('_', ' ')}`, 'party', '');
  }
  const last = others.at(-1) ?? type;
  for (const one of [type, ...others]) {
    try {
      return { type: one, ...parties.get(one)!.one(row.party, 'party', one.replaceAll('_', ' ')) };
    } catch (error) {
      if (one === last) throw error;
    }
  }
  return null;
}

const inWords = (off: readonly Imbalance[]): string => off.map(({ currency, by_minor }) =>
  `${currency} ${(Number(by_minor < 0n ? -by_minor : by_minor) / 100).toFixed(2)} too much ${
    by_minor > 0n ? 'debit' : 'credit'}`).join(', ');

/** Reason why a trial balance cannot be posted; null if it is in balance. */
export function offBalance(lines: readonly TrialLine[], functional: Currency): string | null {
  const off = imbalances(lines, functional);
  return off.length === 0 ? null : `The trial balance does not balance: ${inWords(off)}. Correct the file.`;
}

export const ledgerKind = openingKind<Row, Book, TrialLine>({
  kind: 'ledger', read, book, judge,
  async post(ctx, set, rows) {
    const lines = trialBalanceLines(rows.map((row) => row.subject), set.functional);
    if (lines.length < 2) throw conflict('opening_set.nothing', 'Nothing is left to post. Check the amounts.');
    const { transaction_id } = await postJournal(ctx.db, { division: set.division, kind: 'opening',
      transaction_at: set.as_of, description: 'Opening balances: trial balance',
      source: { type: 'opening_set', id: set.id, event: 'posted', attempt: 1 }, lines }, ctx.actor.actor_id);
    return [{ row_no: 0, type: 'opening_set', id: set.id, transaction_id }];
  },
  inTheWay: () => Promise.resolve([]),
  async takeBack(ctx: WorkContext, set, reason) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      select transaction_id as id from opening_sets where id = ${set.id}`);
    await reverseTransaction(ctx.db, { transaction_id: id, transaction_at: set.as_of, reason,
      actor_id: ctx.actor.actor_id, document: { type: 'opening_set', id: set.id } });
  },
});

