/**
 * Opening balances of agreements from the former books (event 29): royalties owed (2200), unrecouped advances (1150)
 * and reserves held (2205), each against 3999. Statements take them as their own: the balance appears on one statement,
 * the advance is recouped and the reserve released with the next statement.
 */
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import { enterOpening, removeOpening } from '#modules/catalogue/agreement/brought-forward.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

/** `balance`: + what we owe; the others are above zero. */
export interface OpeningRoyalty {
  agreement_id: number;
  royaltor_id: number;
  words: string;
  division: Division;
  currency: Currency;
  amount: bigint;
  base: bigint;
  rate: string;
  on: string;
}
export interface OpeningAgreement {
  id: number;
  royaltor_id: number;
  royaltor: string;
  show_code: string;
  title: string;
  contract_no: string;
  currency: Currency;
  status: 'draft' | 'active' | 'ended';
  opened: boolean;
}
type PostedOpening = { type: string; id: number; transaction_id: number };
type ReversedOpening = { id: number; on: string; reason: string };

/** Agreements of a division that can bring balances: all but the house's own part. */
export function openingAgreements(db: Queryable, division: string): Promise<OpeningAgreement[]> {
  return db.query<OpeningAgreement>(sql`
    select g.id, g.royaltor_id, r.name as royaltor, s.show_code, s.title, g.contract_no, g.currency, g.status,
      g.opening_transaction_id is not null or g.opening_balance_minor <> 0 as opened
    from show_royaltors g join royaltors r on r.id = g.royaltor_id join shows s on s.id = g.show_id
    where g.payer_division = ${division} and g.role <> 'house' and g.deleted_at is null order by g.id`);
}

async function postOn(ctx: WorkContext, of: OpeningRoyalty, account: '1150' | '2200' | '2205',
  source: { type: string; id: number; attempt?: number }): Promise<number> {
  const sign = account === '1150' ? 1n : -1n;
  const { transaction_id } = await postJournal(ctx.db, { division: of.division, kind: 'opening',
    transaction_at: of.on, description: `Brought forward, ${of.words}`.slice(0, 500),
    source: { type: source.type, id: source.id, event: 'opening', attempt: source.attempt ?? 1 },
    lines: documentLines({ account, currency: of.currency, amount: sign * of.amount, base: sign * of.base,
      party: { type: 'royaltor', id: of.royaltor_id }, ...(of.rate !== '1' && { fx_rate: of.rate }) }) },
  ctx.actor.actor_id);
  return transaction_id;
}

export async function bringRoyaltorBalance(ctx: WorkContext, of: OpeningRoyalty): Promise<PostedOpening> {
  await ctx.db.exec(sql`select 1 from show_royaltors where id = ${of.agreement_id} for update`);
  const { attempt } = await ctx.db.one<{ attempt: number }>(sql`
    select coalesce(max(source_attempt), 0)::int + 1 as attempt from transactions
    where source_type = 'show_royaltor' and source_id = ${of.agreement_id} and source_event = 'opening'`);
  const id = of.agreement_id;
  const transaction_id = await postOn(ctx, of, '2200', { type: 'show_royaltor', id, attempt });
  await enterOpening(ctx, { agreement_id: id, on: of.on, transaction_id, balance_minor: of.amount,
    carried_minor: of.base });
  await ctx.audit({ action: 'post_opening', entity: 'show_royaltor', entity_id: id,
    after: { on: of.on, balance_minor: Number(of.amount), transaction_id } });
  return { type: 'show_royaltor', id, transaction_id };
}

/** An advance paid by the former books: recouped as any other. */
export async function bringAdvance(ctx: WorkContext, of: OpeningRoyalty): Promise<PostedOpening> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into royalty_advances (show_royaltor_id, division, currency, amount_minor, due_event, due_on, status,
      paid_on, paid_functional_minor)
    values (${of.agreement_id}, ${of.division}, ${of.currency}, ${of.amount}, 'date', ${of.on}, 'paid', ${of.on},
      ${of.base}) returning id`);
  return { type: 'royalty_advance', id, transaction_id: await postOn(ctx, of, '1150', { type: 'royalty_advance',
    id }) };
}

/** A reserve withheld by the former books: released whole with the next statement of its agreement. */
export async function bringReserve(ctx: WorkContext, of: OpeningRoyalty): Promise<PostedOpening> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into royalty_reserves (show_royaltor_id, statement_id, division, currency, taken_minor,
      taken_functional_minor)
    values (${of.agreement_id}, null, ${of.division}, ${of.currency}, ${of.amount}, ${of.base}) returning id`);
  await ctx.db.exec(sql`
    insert into royalty_reserve_releases (royalty_reserve_id, periods_later, amount_minor)
    values (${id}, 1, ${of.amount})`);
  return { type: 'royalty_reserve', id, transaction_id: await postOn(ctx, of, '2205', { type: 'royalty_reserve',
    id }) };
}

/** Rows locked, then read: a statement that runs beside it is named, or waits until they are taken back. */
async function namesOf(db: Queryable, lock: ReturnType<typeof sql>, query: ReturnType<typeof sql>): Promise<string[]> {
  await db.query(lock);
  return (await db.query<{ name: string }>(query)).map((row) => row.name);
}

/** Of these agreements, advances or reserves: what a statement has used, by name. The rows stay locked. */
export const royaltiesInTheWay = {
  show_royaltor: (db: Queryable, ids: readonly number[]): Promise<string[]> => namesOf(db, sql`
    select 1 from show_royaltors where id = any (${[...ids]}::bigint[]) order by id for update`, sql`
    select r.name || ', ' || s.title || ' is on a statement' as name from show_royaltors g
      join royaltors r on r.id = g.royaltor_id join shows s on s.id = g.show_id
    where g.id = any (${[...ids]}::bigint[]) and (g.opening_statement_id is not null or exists (
      select 1 from royalty_statements m where m.show_royaltor_id = g.id and m.opening_minor <> 0
        and m.status <> 'void')) order by 1`),
  royalty_advance: (db: Queryable, ids: readonly number[]): Promise<string[]> => namesOf(db, sql`
    select 1 from royalty_advances where id = any (${[...ids]}::bigint[]) order by id for update`, sql`
    select r.name || ', ' || s.title || ': its advance is recouped in part' as name from royalty_advances a
      join show_royaltors g on g.id = a.show_royaltor_id join royaltors r on r.id = g.royaltor_id
      join shows s on s.id = g.show_id
    where a.id = any (${[...ids]}::bigint[]) and (a.recouped_minor <> 0 or exists (
      select 1 from royalty_recoupments c where c.royalty_advance_id = a.id)) order by 1`),
  royalty_reserve: (db: Queryable, ids: readonly number[]): Promise<string[]> => namesOf(db, sql`
    select 1 from royalty_reserves where id = any (${[...ids]}::bigint[]) order by id for update`, sql`
    select r.name || ', ' || s.title || ': its reserve is released' as name from royalty_reserves v
      join show_royaltors g on g.id = v.show_royaltor_id join royaltors r on r.id = g.royaltor_id
      join shows s on s.id = g.show_id
    where v.id = any (${[...ids]}::bigint[]) and v.released_minor <> 0 and v.taken_back_on is null order by 1`),
};
export type RoyaltyDocument = keyof typeof royaltiesInTheWay;

/** Reverses what an agreement, an advance or a reserve brought. */
export async function takeBackRoyalty(ctx: WorkContext, type: RoyaltyDocument, of: ReversedOpening & {
  transaction_id: number }): Promise<void> {
  await reverseTransaction(ctx.db, { transaction_id: of.transaction_id, transaction_at: of.on, reason: of.reason,
    actor_id: ctx.actor.actor_id, document: { type, id: of.id } });
  if (type === 'show_royaltor') {
    await removeOpening(ctx, of.id);
    await ctx.audit({ action: 'reverse_opening', entity: 'show_royaltor', entity_id: of.id,
      after: { reason: of.reason } });
  } else if (type === 'royalty_advance') {
    await ctx.db.exec(sql`
      update royalty_advances set status = 'cancelled', paid_on = null, paid_functional_minor = 0,
        version = version + 1 where id = ${of.id}`);
  } else {
    await ctx.db.exec(sql`
      update royalty_reserves set released_minor = taken_minor, released_functional_minor = taken_functional_minor,
        taken_back_on = ${of.on} where id = ${of.id}`);
  }
}
