/** Bank's side of an account `t`, beside its ledger: the balance, the last statement, lines without a match. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

const LIVE = sql`x.bank_account_id = t.id and x.state = 'booked' and x.deleted_at is null`;

/** The last statement under the alias `ls`. */
export const LAST_STATEMENT = sql`left join lateral (
  select s.id, s.to_on, s.closing_minor from bank_statements s
  where s.bank_account_id = t.id and s.kind = 'statement' and s.taken_back_at is null and s.to_on is not null
  order by s.to_on desc, s.id desc limit 1) ls on true`;

/**
 * The closing balance of the last statement with what was entered by hand since; without one the opening balance and
 * all lines; null where the bank has said nothing.
 */
export const BANK_BALANCE = sql`(case when ls.closing_minor is not null then ls.closing_minor + coalesce((
    select sum(x.amount_minor) from bank_transactions x where ${LIVE} and x.booked_on > ls.to_on), 0)
  else (select t.opening_minor + sum(x.amount_minor) from bank_transactions x where ${LIVE}) end)::bigint`;

export const UNMATCHED_COUNT = sql`(select count(*)::int from bank_transactions x where ${LIVE} and not exists (
  select 1 from bank_match_lines m where m.bank_transaction_id = x.id and m.active))`;

export interface AccountBalances {
  bank_account_id: number;
  name: string;
  bank_name: string;
  currency: 'USD' | 'EUR' | 'GBP';
  ledger_minor: number;
  bank_minor: number | null;
  unmatched_count: number;
  last_statement_on: string | null;
}

/** Open accounts of a division, the default of each currency first. */
export function accountBalances(ctx: Pick<WorkContext, 'db'>, division: string): Promise<AccountBalances[]> {
  return ctx.db.query<AccountBalances>(sql`
    select t.id as bank_account_id, t.name, n.name as bank_name, t.currency,
      (select coalesce(sum(b.debit_minor - b.credit_minor), 0)::bigint from ledger_balances b
        where b.ledger_account_id = t.ledger_account_id and b.currency = t.currency) as ledger_minor,
      ${BANK_BALANCE} as bank_minor, ${UNMATCHED_COUNT} as unmatched_count, ls.to_on::text as last_statement_on
    from bank_accounts t join banks n on n.id = t.bank_id ${LAST_STATEMENT}
    where t.division = ${division} and t.closed_on is null and t.deleted_at is null
    order by t.currency, t.is_default desc, t.name collate "und-x-icu", t.id`);
}
