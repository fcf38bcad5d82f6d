/** Open items of a vendor as of a day, by division and currency, against its part of the control account. */
import { isOverdue } from '#kernel/receivables/payment-terms.ts';
import { refuse } from '#kit/errors.ts';
import { diffDays } from '#kernel/calendar/calendar.ts';
import { AGING_BUCKETS, agingBucket } from '#kernel/receivables/aging.ts';
import { vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { openPayables, type OpenPayable } from '../aging/open-payables.server.ts';
import type { VendorAccount, VendorOpenItem, VendorStatement } from './vendor-account.contract.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
export interface VendorHead { id: number; name: string; division: string }

/** 404 where there is none; its first division names the day and the paper. */
export async function vendorHead(ctx: Pick<WorkContext, 'db'>, id: number): Promise<VendorHead> {
  const row = await ctx.db.maybeOne<VendorHead>(sql`
    select id, name, divisions[1] as division from vendors where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

export async function vendorStatement(ctx: Reader, id: number, day: string | undefined): Promise<VendorStatement> {
  const vendor = await vendorHead(ctx, id);
  const asOf = day ?? await ctx.today(vendor.division);
  const items = (await openPayables(ctx, sql`i.party_type = 'vendor' and i.party_id in ${vendorAndMerged(id)}`, asOf))
    .filter((item) => item.open_minor !== 0);
  const names = await documentsOf(ctx, items);
  const accounts = await ctx.db.query<Pick<VendorAccount, 'division' | 'currency' | 'ledger_minor'>>(sql`
    select e.division, e.currency, (-sum(e.amount_minor))::bigint as ledger_minor
    from posted_entries e join ledger_accounts l on l.id = e.ledger_account_id and l.system_key = 'ap'
    where e.party_type = 'vendor' and e.party_id in ${vendorAndMerged(id)} and e.transaction_at <= ${asOf}
      and not e.is_revaluation
    group by e.division, e.currency order by e.division, e.currency`);
  return { vendor_id: id, vendor_name: vendor.name, as_of: asOf, accounts: accounts.map((account) => accountOf(account,
    items.filter((item) => item.division === account.division && item.currency === account.currency), names, asOf)) };
}

type Named = Pick<VendorOpenItem, 'id' | 'document' | 'reference' | 'bill_id' | 'hold_reason'>;

async function documentsOf(ctx: Pick<WorkContext, 'db'>, items: readonly OpenPayable[]): Promise<Map<number, Named>> {
  const rows = await ctx.db.query<Named>(sql`
    select i.id, coalesce(d.number, t.description) as document, coalesce(b.vendor_number, '') as reference,
      b.id as bill_id, b.hold_reason
    from open_items i join transactions t on t.id = i.transaction_id
      left join bills b on i.document_type = 'bill' and b.id = i.document_id
      left join lateral ledger_document(i.document_type, i.document_id) d on true
    where i.id = any (${items.map((item) => item.id)}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

function accountOf(
  account: Pick<VendorAccount, 'division' | 'currency' | 'ledger_minor'>, items: readonly OpenPayable[],
  names: ReadonlyMap<number, Named>, asOf: string,
): VendorAccount {
  const owed = items.filter((item) => item.owed);
  const sum = (of: readonly OpenPayable[]): number => of.reduce((all, item) => all + item.open_minor, 0);
  const total = sum(items);
  return {
    ...account, open_minor: sum(owed), overdue_minor: sum(owed.filter((item) => isOverdue(item.due_date, asOf))),
    unapplied_minor: sum(items.filter((item) => !item.owed)), total_minor: total, ties: total === account.ledger_minor,
    ages: AGING_BUCKETS.map((bucket) => {
      const own = owed.filter((item) => agingBucket(item.due_date, asOf) === bucket);
      return { bucket, count: own.length, minor: sum(own) };
    }),
    items: items.map((item) => ({ ...names.get(item.id)!, transaction_id: item.transaction_id,
      opened_on: item.opened_on, due_on: item.due_date, original_minor: item.original_minor,
      open_minor: item.open_minor, days_late: item.owed ? Math.max(0, diffDays(item.due_date, asOf)) : 0 })),
  };
}
