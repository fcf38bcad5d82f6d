/** Balances that bank accounts bring from the former books, and the next numbers of their checks. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

/** Event of an entry that the bank did not have yet when the account was brought. */
const OUTSTANDING = 'opening_outstanding';

interface Account { id: number; division: Division; currency: Currency; name: string; code: string }

/** Posts the opening balance of a bank account against 3999 and keeps it with the account. */
export async function bringBankBalance(ctx: WorkContext, of: { bank_account_id: number; amount: bigint; base: bigint;
  on: string }): Promise<number> {
  await ctx.db.exec(sql`select 1 from bank_accounts where id = ${of.bank_account_id} for no key update`);
  const account = await ctx.db.one<Account>(sql`
    select b.id, b.division, b.currency, b.name, a.code from bank_accounts b
      join ledger_accounts a on a.id = b.ledger_account_id
    where b.id = ${of.bank_account_id} and b.opening_transaction_id is null`);
  const { attempt } = await ctx.db.one<{ attempt: number }>(sql`
    select coalesce(max(source_attempt), 0)::int + 1 as attempt from transactions
    where source_type = 'bank_account' and source_id = ${account.id} and source_event = 'opening'`);
  const { transaction_id } = await postJournal(ctx.db, { division: account.division, kind: 'opening',
    transaction_at: of.on, description: `Opening balance of ${account.name}`.slice(0, 500),
    source: { type: 'bank_account', id: account.id, event: 'opening', attempt },
    lines: documentLines({ account: account.code, currency: account.currency, amount: of.amount, base: of.base }) },
  ctx.actor.actor_id);
  await ctx.db.exec(sql`
    update bank_accounts set opening_minor = ${of.amount}, opening_on = ${of.on},
      opening_transaction_id = ${transaction_id}, version = version + 1 where id = ${account.id}`);
  await ctx.audit({ action: 'post_opening', entity: 'bank_account', entity_id: account.id,
    after: { opening_minor: Number(of.amount), opening_on: of.on, transaction_id } });
  return transaction_id;
}

/**
 * Posts an outstanding check (below zero) or a deposit in transit as an entry of its own against 3999: it stands
 * among what is outstanding until the line of the bank comes.
 */
export async function bringOutstanding(ctx: WorkContext, of: { bank_account_id: number; amount: bigint; base: bigint;
  on: string; reference: string; dated_on: string | null }): Promise<number> {
  const account = await ctx.db.one<Account>(sql`
    select b.id, b.division, b.currency, b.name, a.code from bank_accounts b
      join ledger_accounts a on a.id = b.ledger_account_id
    where b.id = ${of.bank_account_id} for no key update of b`);
  const { attempt } = await ctx.db.one<{ attempt: number }>(sql`
    select coalesce(max(source_attempt), 0)::int + 1 as attempt from transactions
    where source_type = 'bank_account' and source_id = ${account.id} and source_event = ${OUTSTANDING}`);
  const day = of.dated_on === null ? '' : ` of ${dateInWords(of.dated_on)}`;
  const { transaction_id } = await postJournal(ctx.db, { division: account.division, kind: 'opening',
    transaction_at: of.on, source: { type: 'bank_account', id: account.id, event: OUTSTANDING, attempt },
    description: `${of.amount < 0n ? 'Outstanding payment' : 'Deposit in transit'} ${of.reference}${day}`,
    lines: documentLines({ account: account.code, currency: account.currency, amount: of.amount, base: of.base }) },
  ctx.actor.actor_id);
  return transaction_id;
}

/** Bank accounts whose opening balance was matched or reconciled since, by name. */
export async function bankOpeningsInTheWay(db: Queryable, ids: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select b.name || case when exists (select 1 from bank_reconciliations r where r.bank_account_id = b.id)
        then ' was reconciled' else ' has its opening balance matched' end as name
    from bank_accounts b where b.id = any (${[...ids]}::bigint[]) and (
      exists (select 1 from bank_reconciliations r where r.bank_account_id = b.id)
      or exists (select 1 from journal_entries e join bank_match_entries m on m.ledger_line_id = e.id and m.active
          join transactions t on t.id = e.transaction_id
        where t.source_type = 'bank_account' and t.source_id = b.id
          and t.source_event in ('opening', ${OUTSTANDING})))
    order by b.name`);
  return rows.map((row) => row.name);
}

export async function takeBackBankBalance(ctx: WorkContext, of: { id: number; on: string; reason: string }):
Promise<void> {
  await ctx.db.exec(sql`select 1 from bank_accounts where id = ${of.id} for no key update`);
  const { transaction_id } = await ctx.db.one<{ transaction_id: number | null }>(sql`
    select opening_transaction_id as transaction_id from bank_accounts where id = ${of.id}`);
  if (transaction_id === null) return;
  const underWay = await ctx.db.query<{ id: number }>(sql`
    select id from transactions where source_type = 'bank_account' and source_id = ${of.id}
      and source_event = ${OUTSTANDING} and status = 'posted' and reverses_id is null order by id`);
  for (const id of [transaction_id, ...underWay.map((one) => one.id)]) {
    await reverseTransaction(ctx.db, { transaction_id: id, transaction_at: of.on, reason: of.reason,
      actor_id: ctx.actor.actor_id, document: { type: 'bank_account', id: of.id } });
  }
  await ctx.db.exec(sql`
    update bank_accounts set opening_minor = 0, opening_on = null, opening_transaction_id = null, version = version + 1
    where id = ${of.id}`);
  await ctx.audit({ action: 'reverse_opening', entity: 'bank_account', entity_id: of.id,
    after: { reason: of.reason } });
}

export interface CheckNumbers { id: number; name: string; ledger_code: string; used_through: number | null }

/** Open bank accounts of a division with the last check number that each has used. */
export function checkNumbersOf(db: Queryable, division: string): Promise<CheckNumbers[]> {
  return db.query<CheckNumbers>(sql`
    select b.id, b.name, a.code as ledger_code,
      (select max(c.check_number) from checks c where c.bank_account_id = b.id) as used_through
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
    where b.division = ${division} and b.deleted_at is null and b.closed_on is null order by b.id`);
}

/** The database refuses it where a check of the account has a number. */
export async function startCheckNumbers(ctx: WorkContext, bankAccountId: number, next: number | null): Promise<void> {
  await ctx.db.exec(sql`
    update bank_accounts set next_check_number = ${next}, version = version + 1 where id = ${bankAccountId}`);
  await ctx.audit({ action: 'update', entity: 'bank_account', entity_id: bankAccountId,
    after: { next_check_number: next } });
}
