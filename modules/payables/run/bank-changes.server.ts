/** Payees of a run whose bank details are not those of their last settled payment: both, masked, for the approver. */
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { RunPayment } from './payment-run.contract.ts';

type BankChange = NonNullable<RunPayment['bank_change']>;

const personName = (column: Sql): Sql => sql`
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${column})`;
const detailsOf = (type: string, table: Sql, id: Sql): Sql => sql`
  select o.party_type, o.party_id, t.id as own_id, t.bank_account_last4, t.bank_country, t.bank_holder,
    t.bank_details_version, t.bank_details_changed_at, t.bank_details_changed_by_id, t.bank_verified_at,
    t.bank_verified_by_id, t.bank_verified_note
  from own o join ${table} t on o.party_type = ${type} and t.id = ${id}`;

/** As it was before the first change since; null where nothing was paid. */
const before = (field: 'bank_country' | 'bank_holder'): Sql => sql`
  case when z.payee_last4 is null then null when jsonb_exists(c.before, ${field}) then c.before ->> ${field}
    else to_jsonb(d) ->> ${field} end`;

/** By `party_type:party_id`. What the audit has of the account before is kept without its number. */
export async function bankChangesIn(ctx: Pick<WorkContext, 'db'>, runId: number): Promise<Map<string, BankChange>> {
  const rows = await ctx.db.query<BankChange & { key: string }>(sql`
    with own as (select distinct party_type, party_id from payments
        where payment_run_id = ${runId} and status <> 'void'),
      details as (${detailsOf('vendor', sql`vendors`, currentVendor(sql`o.party_id`))}
        union all ${detailsOf('royaltor', sql`royaltors`, sql`o.party_id`)}
        union all ${detailsOf('customer', sql`customers`, sql`o.party_id`)})
    select d.party_type || ':' || d.party_id as key, z.payee_last4 as old_last4,
      ${before('bank_country')} as old_country, ${before('bank_holder')} as old_holder,
      d.bank_account_last4 as new_last4, d.bank_country as new_country, d.bank_holder as new_holder,
      ${personName(sql`d.bank_details_changed_by_id`)} as changed_by_name, d.bank_details_changed_at as changed_at,
      ${personName(sql`d.bank_verified_by_id`)} as verified_by_name, d.bank_verified_at as verified_at,
      d.bank_verified_note as note
    from details d
      left join lateral (select p.payee_last4, p.payee_version, coalesce(n.approved_at, p.approved_at) as approved_at
        from payments p left join payment_runs n on n.id = p.payment_run_id
        where p.party_type = d.party_type and p.party_id = d.own_id and p.direction = 'out' and p.outcome = 'settled'
          and p.payee_version is not null order by 3 desc, p.id desc limit 1) z on true
      left join lateral (select e.before from audit_events e where e.entity = d.party_type and e.entity_id = d.own_id
          and e.action in ('set_bank_details', 'clear_bank_details') and e.created_at > z.approved_at
        order by e.id limit 1) c on true
    where d.bank_account_last4 is not null and d.bank_details_version is distinct from z.payee_version`);
  return new Map(rows.map(({ key, ...change }) => [key, change]));
}
