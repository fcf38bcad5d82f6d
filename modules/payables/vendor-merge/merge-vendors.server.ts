/**
 * Two entries for one vendor become one. Posted bills and payments keep the entry that they were posted under, since
 * the ledger is never rewritten; they are read, paid and reported as those of the remaining vendor. Drafts and
 * recurring bills go over. Payments on their way to either of the two come first.
 */
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { foldVendor, lockVendorPair, refuseOtherTaxpayer, vendorAndMerged }
  from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { vendorMergeEndpoints } from './vendor-merge.contract.ts';

/** 409 that names the run, or the payment outside of one. */
async function refusePaymentsOnTheirWay(ctx: WorkContext, id: number): Promise<void> {
  const waiting = await ctx.db.maybeOne<{ number: string; run: string | null; is_check: boolean }>(sql`
    select p.number, n.number as run, p.method = 'check' as is_check
    from payments p left join payment_runs n on n.id = p.payment_run_id
    where p.vendor_id in ${vendorAndMerged(id)} and p.direction = 'out' and p.status in ('draft', 'approved')
      and p.deleted_at is null order by n.id nulls last, p.id limit 1`);
  if (!waiting) return;
  const { number, run } = waiting;
  throw conflict('vendor.payment_waits', run === null
    ? `Payment ${number} is not posted yet. Merge the vendors once it is paid, or void it first.`
    : `Payment run ${run} is not done yet. Merge the vendors once it is paid, or take the payment out of it first.`,
  { payment: number, run });
}

/** Submitted bills are approved as they were submitted; goods are billed by the vendor that they were received from. */
async function refuseUnfinished(ctx: WorkContext, id: number): Promise<void> {
  const bill = await ctx.db.maybeOne<{ number: string }>(sql`
    select number from bills where vendor_id = ${id} and status = 'submitted' and deleted_at is null
    order by id limit 1`);
  if (bill) {
    throw conflict('vendor.bill_submitted', `Bill ${bill.number} awaits approval. Approve or decline it first.`,
      { bill: bill.number });
  }
  const goods = await ctx.db.maybeOne(sql`
    select 1 from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id
    where a.system_key = 'grni' and e.party_type = 'vendor' and e.party_id = ${id} and not e.is_revaluation
    group by a.id, e.currency having sum(e.amount_minor) <> 0 limit 1`);
  if (goods) {
    throw conflict('vendor.goods_not_billed', 'Goods received from this vendor are not billed yet. Enter their bill '
      + 'first.');
  }
}

async function mergeVendor(ctx: WorkContext, id: number, body: BodyOf<typeof vendorMergeEndpoints.merge>) {
  const own = await ctx.db.maybeOne<{ version: number }>(sql`
    select version from vendors where id = ${id} and deleted_at is null`);
  if (!own) throw refuse('not_found');
  if (own.version !== body.version) throw stale(own);
  if (body.into_vendor_id === id) throw invalidField('into_vendor_id', 'Choose another vendor');
  const pair = await lockVendorPair(ctx, [id, body.into_vendor_id]);
  if (!pair) throw invalidField('into_vendor_id', 'This vendor does not exist');
  const [from, into] = pair;
  if (from.version !== body.version) throw stale(from);
  if (!into.active) throw invalidField('into_vendor_id', `${into.name} is inactive`);
  refuseOtherTaxpayer(ctx, from, into);
  await refusePaymentsOnTheirWay(ctx, id);
  await refusePaymentsOnTheirWay(ctx, into.id);
  await refuseUnfinished(ctx, id);
  const by = ctx.actor.actor_id;
  const drafts = await ctx.db.exec(sql`
    update bills set vendor_id = ${into.id}, last_changed_by_id = ${by}, version = version + 1
    where vendor_id = ${id} and status = 'draft'`);
  const recurring = await ctx.db.exec(sql`
    update bill_schedules set vendor_id = ${into.id}, last_changed_by_id = ${by}, version = version + 1
    where vendor_id = ${id}`);
  const { is_bank_waiting } = await foldVendor(ctx, from, into);
  const facts = { drafts, recurring, bank_details_wait: is_bank_waiting };
  await ctx.audit({ action: 'merge_into', entity: 'vendor', entity_id: id, before: { name: from.name },
    after: { into_vendor: `${into.number} ${into.name}` } });
  await ctx.audit({ action: 'merge', entity: 'vendor', entity_id: into.id,
    after: { merged_vendor: `${from.number} ${from.name}`, ...facts } });
  return { id: into.id, name: into.name, drafts, recurring, is_bank_waiting };
}

export const vendorMergeRoutes: Route[] = serve(vendorMergeEndpoints, {
  merge: async (ctx, { params, body }) => ({ data: await mergeVendor(ctx, params.id, body) }),
});
