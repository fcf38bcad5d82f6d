/** Postings of a bank account that no document stands behind: its opening balance (event 29) and bank entries (26). */
import { FUNCTIONAL_CURRENCY, type JournalLine, type PartyType } from '#kernel/ledger/journal.ts';
import { atRate, missingRate } from '#kernel/money/exchange.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalid, type FieldErrors } from '#kit/errors.ts';
import { postJournal, rateOn } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';

export interface EntryAccount { id: number; division: Division; currency: Currency; name: string; ledger_code: string }

export interface BankEntry {
  on: string;
  direction: 'in' | 'out';
  description: string;
  /** Positive, in the currency of the account. */
  lines: readonly { ledger_account_id: number; amount_minor: number; party_id: number | null; memo: string }[];
}

interface Counter {
  id: number;
  code: string;
  currency: string | null;
  party_types: PartyType[] | null;
  is_bank: boolean;
  allow_manual: boolean;
  active: boolean;
}

/** Lines against the bank's: each at the rate of the day, the bank's takes their sum. */
function balanced(of: EntryAccount, rate: string | null, lines: readonly (Omit<JournalLine, 'base' | 'currency'>)[]):
JournalLine[] {
  const others = lines.map((line): JournalLine => ({ ...line, currency: of.currency,
    base: rate === null ? line.amount : atRate(line.amount, rate), ...(rate === null ? {} : { fx_rate: rate }) }));
  const sum = (pick: (line: JournalLine) => bigint): bigint => others.reduce((all, line) => all + pick(line), 0n);
  return [{ account: of.ledger_code, currency: of.currency, amount: -sum((line) => line.amount),
    base: -sum((line) => line.base), ...(rate === null ? {} : { fx_rate: rate }) }, ...others];
}

/** Functional units per unit of the account's currency on a day; null in the division's own. */
async function rateOf(ctx: WorkContext, of: EntryAccount, on: string): Promise<string | null> {
  const own = FUNCTIONAL_CURRENCY[of.division];
  if (of.currency === own) return null;
  const found = await rateOn(ctx.db, of.currency, own, on);
  if (!found) {
    throw conflict('fx.no_rate', missingRate(of.currency, own, on));
  }
  return found.rate;
}

/** The balance a bank account begins with, against Opening balances. */
export async function postOpening(
  ctx: WorkContext, of: EntryAccount, opening: { amount_minor: number; on: string },
): Promise<number> {
  await refuseFutureMoney(ctx, { division: of.division, on: opening.on, field: 'opening_on' });
  const rate = await rateOf(ctx, of, opening.on);
  const { transaction_id } = await postJournal(ctx.db, { division: of.division, kind: 'opening',
    transaction_at: opening.on, description: `Opening balance of ${of.name}`,
    source: { type: 'bank_account', id: of.id, event: 'opening', attempt: 1 },
    lines: balanced(of, rate, [{ account: '3999', amount: -BigInt(opening.amount_minor) }]) }, ctx.actor.actor_id);
  return transaction_id;
}

/** Posts the exchange difference left on a foreign-currency account whose own balance is zero, as realized. */
export async function postRemainder(ctx: WorkContext, of: EntryAccount, base_minor: number, on: string): Promise<void> {
  const own = FUNCTIONAL_CURRENCY[of.division];
  const base = BigInt(base_minor);
  await postJournal(ctx.db, { division: of.division, kind: 'fx', transaction_at: on, source: null,
    description: `Exchange difference of ${of.name}`,
    lines: [{ account: of.ledger_code, currency: of.currency, amount: 0n, base: -base },
      { account: '7000', currency: own, amount: base, base }] }, ctx.actor.actor_id);
}

async function countersOf(ctx: WorkContext, of: EntryAccount, entry: BankEntry): Promise<Counter[]> {
  const rows = await ctx.db.query<Counter>(sql`
    select id, code, currency, party_types, is_bank, allow_manual, active from ledger_accounts
    where division = ${of.division} and deleted_at is null
      and id = any (${entry.lines.map((line) => line.ledger_account_id)}::bigint[])`);
  const errors: FieldErrors = {};
  const counters = entry.lines.map((line, k) => {
    const row = rows.find((one) => one.id === line.ledger_account_id);
    const refusal = !row ? 'Choose an account of the division'
      : row.is_bank ? 'Money between two bank accounts is a transfer'
        : !row.active || !row.allow_manual ? 'Documents keep this account. Choose another'
          : row.currency !== null && row.currency !== of.currency ? `This account is kept in ${row.currency}` : null;
    if (refusal !== null) errors[`lines.${k}.ledger_account_id`] = [refusal];
    if (row?.party_types && line.party_id === null) errors[`lines.${k}.party_id`] = ['Choose a party'];
    return row!;
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return counters;
}

/** Posts money in or out: a fee, interest, capital, a tax. Answers the transaction. */
export async function postEntry(ctx: WorkContext, of: EntryAccount, entry: BankEntry): Promise<number> {
  await refuseFutureMoney(ctx, { division: of.division, on: entry.on, field: 'on' });
  const counters = await countersOf(ctx, of, entry);
  const rate = await rateOf(ctx, of, entry.on);
  const sign = entry.direction === 'in' ? -1n : 1n;
  const { transaction_id } = await postJournal(ctx.db, { division: of.division, kind: 'bank_entry',
    transaction_at: entry.on, description: entry.description, source: null,
    lines: balanced(of, rate, entry.lines.map((line, k) => {
      const { code, party_types } = counters[k]!;
      const [type] = party_types ?? [];
      return { account: code, amount: sign * BigInt(line.amount_minor),
        ...(type !== undefined && line.party_id !== null ? { party: { type, id: line.party_id } } : {}),
        ...(line.memo === '' ? {} : { memo: line.memo }) };
    })) }, ctx.actor.actor_id);
  return transaction_id;
}
