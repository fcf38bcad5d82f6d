/**
 * Income that the former books had billed and not earned (event 29). Each row is an invoice that was paid before; its
 * line waits in 2100 for its days, is released like any deferred income, and can be credited before. No royalty
 * follows it: the former books shared it.
 */
import { documentLines } from '#kernel/ledger/opening-sets.ts';
import type { Currency } from '#kernel/money/money.ts';
import { releaseRows } from '#kernel/receivables/release.ts';
import { postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { OpeningSetFacts } from './bring-receivables.server.ts';

export interface OpeningDeferred {
  customer_id: number;
  billing_name: string;
  address: unknown;
  vat_number: string | null;
  number: string;
  description: string;
  currency: Currency;
  /** Above zero. */
  amount: bigint;
  base: bigint;
  rate: string;
  release_from: string;
  release_to: string;
  income_account: string;
}

/** Makes the invoice with its release and posts it; answers the invoice. */
export async function bringDeferred(ctx: WorkContext, set: OpeningSetFacts, of: OpeningDeferred):
Promise<{ type: 'invoice'; id: number; transaction_id: number }> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into invoices (kind, status, opening_set_id, customer_id, division, currency, billing_name,
      billing_address, customer_vat_number, issued_on, tax_point_on, due_on, net_minor, tax_minor, total_minor,
      prepaid_net_minor, functional_rate, functional_rate_on, notes, issued_by_id)
    values ('invoice', 'draft', ${set.set_id}, ${of.customer_id}, ${set.division}, ${of.currency}, ${of.billing_name},
      ${of.address === null ? null : JSON.stringify(of.address)}, ${of.vat_number}, ${set.as_of}, ${set.as_of},
      ${set.as_of}, ${of.amount}, 0, ${of.amount}, ${of.amount}, ${of.rate}, ${set.as_of},
      'Deferred income of the former books, paid there', ${ctx.actor.actor_id}) returning id`);
  const item = await ctx.db.one<{ id: number }>(sql`
    insert into invoice_items (invoice_id, sort, kind, description, quantity, unit_minor, net_minor, tax_minor,
      total_minor, income_type, item_class, royalty_bearing, release_rule, release_from, release_to, account_code)
    values (${id}, 0, 'fee', ${of.description}, 1, ${of.amount}, ${of.amount}, 0, ${of.amount}, 'fee', 'fee', false,
      'straight_line', ${of.release_from}, ${of.release_to}, ${of.income_account}) returning id`);
  const rows = releaseRows({ rule: 'straight_line', net_minor: of.amount, issued_on: set.as_of, performances: [],
    from: of.release_from, to: of.release_to });
  await ctx.db.exec(sql`
    insert into release_schedule (invoice_item_id, division, on_date, amount_minor, currency)
    select ${item.id}, ${set.division}, r.on_date, r.amount, ${of.currency}
    from unnest(${rows.map((row) => row.on)}::date[], ${rows.map((row) => row.amount_minor.toString())}::bigint[])
      r (on_date, amount)`);
  const { transaction_id } = await postJournal(ctx.db, { division: set.division, kind: 'opening',
    transaction_at: set.as_of, description: `Opening deferred income · ${of.number} · ${of.billing_name}`.slice(0, 500),
    source: { type: 'invoice', id, event: 'opening', attempt: 1 },
    lines: documentLines({ account: '2100', currency: of.currency, amount: -of.amount, base: -of.base,
      party: { type: 'customer', id: of.customer_id }, ...(of.rate !== '1' && { fx_rate: of.rate }),
      refs: { invoice_id: id } }) }, ctx.actor.actor_id);
  await ctx.db.exec(sql`
    update invoices set invoice_number = ${of.number}, status = 'paid', transaction_id = ${transaction_id},
      version = version + 1 where id = ${id}`);
  return { type: 'invoice', id, transaction_id };
}

/**
 * Deferred income of a set that was released or credited since, by invoice. The schedule and the invoices stay locked:
 * a release that runs beside it is either named here, or finds nothing planned.
 */
export async function deferredInTheWay(db: Queryable, setId: number): Promise<string[]> {
  await db.query(sql`
    select 1 from release_schedule r join invoice_items t on t.id = r.invoice_item_id
      join invoices v on v.id = t.invoice_id where v.opening_set_id = ${setId} order by r.id for update of r`);
  await db.query(sql`select 1 from invoices where opening_set_id = ${setId} order by id for update`);
  const rows = await db.query<{ name: string }>(sql`
    select 'invoice ' || v.invoice_number || ' is released or credited in part' as name from invoices v
    where v.opening_set_id = ${setId} and v.status <> 'void' and exists (
      select 1 from release_schedule r join invoice_items t on t.id = r.invoice_item_id
      where t.invoice_id = v.id and (r.status <> 'planned' or r.credited_minor <> 0)) order by 1 limit 200`);
  return rows.map((row) => row.name);
}

/** Reverses the postings of a set that {@link deferredInTheWay} has locked; nothing is released any more. */
export async function takeBackDeferred(ctx: WorkContext, of: { set_id: number; on: string; reason: string }):
Promise<void> {
  const invoices = await ctx.db.query<{ id: number; transaction_id: number }>(sql`
    select id, transaction_id from invoices where opening_set_id = ${of.set_id} and status <> 'void' order by id`);
  for (const invoice of invoices) {
    await reverseTransaction(ctx.db, { transaction_id: invoice.transaction_id, transaction_at: of.on,
      reason: of.reason, actor_id: ctx.actor.actor_id, document: { type: 'invoice', id: invoice.id } });
  }
  await ctx.db.exec(sql`
    update release_schedule set status = 'cancelled' where status = 'planned' and invoice_item_id in (
      select t.id from invoice_items t join invoices v on v.id = t.invoice_id where v.opening_set_id = ${of.set_id})`);
  await ctx.db.exec(sql`
    update invoices set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = ${of.reason},
      reference = invoice_number || ' (opening set ' || ${of.set_id}::bigint || ')', invoice_number = null,
      version = version + 1 where opening_set_id = ${of.set_id} and status <> 'void'`);
}
