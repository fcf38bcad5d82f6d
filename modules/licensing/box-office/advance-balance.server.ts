/** The running advance of a license: what was charged for it, and what its takings have still to earn (2.4). */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { AdvanceBalance } from './advance-balance.contract.ts';

/** Null where no advance was invoiced. */
export async function advanceBalance(db: Queryable, licenseId: number): Promise<AdvanceBalance | null> {
  const { charged_minor, left_minor } = await db.one<{ charged_minor: number | null; left_minor: number }>(sql`
    select sum(r.amount_minor - r.credited_minor)::bigint as charged_minor,
      coalesce(sum(r.amount_minor - r.credited_minor) filter (where r.status = 'planned'), 0)::bigint as left_minor
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where i.license_id = ${licenseId} and t.release_rule = 'as_recouped'`);
  return charged_minor === null ? null : { charged_minor, left_minor };
}
