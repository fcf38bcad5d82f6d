/**
 * Rows of the home's task list: payments and prenotes that came back, until the payee's bank details are confirmed;
 * payments that the bank made although they were taken out, until a person has decided; runs that the job could not
 * post; corrections of bank details.
 */
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns, type TodoColumns } from '#server/todo-columns.ts';
import { OPEN_CORRECTIONS } from '../prenote/bank-corrections.server.ts';
import { payeeName } from '../disbursement/disbursement-store.server.ts';

/** Stored bank details that nobody has verified since. */
const DOUBTED = sql`(select 'vendor' as party_type, id, name from vendors
    where bank_account_encrypted is not null and bank_verified_at is null
  union all select 'customer', id, name from customers
    where bank_account_encrypted is not null and bank_verified_at is null
  union all select 'royaltor', id, name from royaltors
    where bank_account_encrypted is not null and bank_verified_at is null)`;

const columns = (of: Omit<TodoColumns, 'kind'>): Sql => todoColumns({ kind: 'returned_payment', ...of });
const PAYMENT = { id: sql`p.id`, title: sql`'Payment came back: ' || p.number`, entity: sql`'payment'`,
  entity_id: sql`p.id`, currency: sql`p.currency` };

export function returnedTasks({ division }: { division: string }): Sql[] {
  return [
    sql`select ${columns({ ...PAYMENT, detail: sql`concat_ws(', ', o.name, nullif(p.reversal_reason, ''))`,
      due_on: sql`p.outcome_on`, minor: sql`p.amount_minor` })}
      from payments p join ${DOUBTED} o on o.party_type = p.party_type and o.id = case p.party_type
        when 'vendor' then ${currentVendor(sql`p.party_id`)} else p.party_id end
      where p.division = ${division} and p.direction = 'out' and p.outcome = 'rejected' and p.deleted_at is null
        and not exists (select 1 from payments n where n.party_type = p.party_type and n.party_id = p.party_id
          and n.direction = 'out' and n.outcome = 'rejected' and n.id > p.id)`,
    sql`select ${columns({ ...PAYMENT, detail: sql`concat_ws(', ', o.name, nullif(x.reason, ''))`,
      due_on: sql`x.outcome_on`, minor: sql`x.amount_minor` })}
      from payment_run_exits x join payments p on p.id = x.payment_id
        join ${DOUBTED} o on o.party_type = p.party_type and o.id = p.party_id
      where p.division = ${division} and p.kind = 'refund' and p.status in ('draft', 'approved') and x.doubted
        and not exists (select 1 from payment_run_exits n where n.payment_id = x.payment_id and n.id > x.id)`,
    sql`select ${columns({ id: sql`x.payment_run_id`, title: sql`'Paid although taken out: ' || p.number`,
      detail: sql`concat_ws(', ', ${payeeName}, 'taken out of ' || n.number)`, due_on: sql`x.paid_on`,
      entity: sql`'payment_run'`, entity_id: sql`x.payment_run_id`, currency: sql`p.currency`,
      minor: sql`x.amount_minor` })}
      from payment_run_exits x join payments p on p.id = x.payment_id join payment_runs n on n.id = x.payment_run_id
      where n.division = ${division} and x.paid_on is not null and x.decision is null`,
    payAgain(division),
    sql`select ${columns({ id: sql`t.id`, title: sql`'Correct bank details: ' || o.name`, detail: sql`t.words`,
      due_on: sql`t.due_on`, entity: sql`'ach_prenote'`, entity_id: sql`t.id` })}
      from ${OPEN_CORRECTIONS} where t.division = ${division}`,
    sql`select ${columns({ id: sql`n.id`, title: sql`'Not posted: ' || n.number`, detail: sql`n.failure`,
      due_on: sql`n.value_on`, entity: sql`'payment_run'`, entity_id: sql`n.id`, currency: sql`n.currency`,
      minor: sql`select coalesce(sum(p.amount_minor), 0) from payments p
        where p.payment_run_id = n.id and p.status = 'approved'` })}
      from payment_runs n
      where n.division = ${division} and n.failure is not null and n.status in ('approved', 'exported')`,
    sql`select ${columns({ id: sql`-a.id`, title: sql`'Prenote came back: ' || o.name`, detail: sql`a.reason`,
      due_on: sql`a.returned_on`, entity: sql`'ach_prenote'`, entity_id: sql`a.id` })}
      from ach_prenotes a join bank_accounts b on b.id = a.bank_account_id
        join ${DOUBTED} o on o.party_type = a.party_type and o.id = a.party_id
      where b.division = ${division} and a.returned_on is not null
        and not exists (select 1 from ach_prenotes n where n.party_type = a.party_type and n.party_id = a.party_id
          and n.id > a.id)`,
  ];
}

/** Came back for a reason that does not concern the account: a row for each run, until they are in another payment. */
const payAgain = (division: string): Sql => sql`
  select ${columns({ id: sql`n.id`,
    title: sql`'Pay again: ' || count(*) || case count(*) when 1 then ' payment' else ' payments' end
      || ' of ' || n.number`, detail: sql`min(x.reason)`, due_on: sql`max(x.outcome_on)`,
    entity: sql`'payment_run'`, entity_id: sql`n.id`, currency: sql`n.currency`, minor: sql`sum(x.amount_minor)` })}
  from payment_run_exits x join payment_runs n on n.id = x.payment_run_id join payments p on p.id = x.payment_id
  where n.division = ${division} and x.outcome = 'rejected' and not x.doubted and x.decision is distinct from 'paid'
    and not exists (select 1 from payment_run_exits y where y.payment_id = x.payment_id and y.id > x.id)
    and (p.kind = 'refund' and p.status = 'approved' and p.payment_run_id is null
      or exists (select 1 from payment_parts y join payable_items i on i.id = y.open_item_id
        where y.id = any (x.part_ids) and i.free_minor <> 0))
  group by n.id`;
