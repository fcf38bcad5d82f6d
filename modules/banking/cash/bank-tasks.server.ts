/**
 * Work at the bank that waits for a person, as rows of the home's task list: lines that nothing is matched with, a
 * month that is over and not reconciled, transfers and checks that are late.
 */
import { addDays, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { AGED_DAYS } from '../aged-days.ts';
import { UNMATCHED_COUNT } from './bank-balance.server.ts';

/** Days after the end of a month by which its accounts are reconciled. */
const RECONCILED_WITHIN = 15;
const ALIVE = sql`t.closed_on is null and t.deleted_at is null`;

function unmatched(division: string): Sql {
  return sql`select ${todoColumns({ kind: 'bank_lines', id: sql`u.id`,
    title: sql`'Match ' || u.n || case u.n when 1 then ' bank line: ' else ' bank lines: ' end || u.name`,
    detail: sql`u.bank`, entity: sql`'bank_account'`, entity_id: sql`u.id` })}
    from (select t.id, t.name, b.name as bank, ${UNMATCHED_COUNT} as n from bank_accounts t
      join banks b on b.id = t.bank_id where t.division = ${division} and ${ALIVE}) u where u.n > 0`;
}

/** Of the month before, or an earlier one: the bank has lines in it after the last finished reconciliation. */
function unreconciled(division: string, today: string): Sql {
  const end = addDays(startOfMonth(today), -1);
  return sql`select ${todoColumns({ kind: 'reconciliation', id: sql`t.id`, title: sql`'Reconcile ' || t.name`,
    detail: sql`b.name`, due_on: sql`${addDays(end, RECONCILED_WITHIN)}`, entity: sql`'bank_account'`,
    entity_id: sql`t.id` })}
    from bank_accounts t join banks b on b.id = t.bank_id cross join lateral bank_reconciled_balance(t.id) r
    where t.division = ${division} and ${ALIVE} and coalesce(r.to_on, '-infinity') < ${endOfMonth(end)}
      and exists (select 1 from bank_transactions x where x.bank_account_id = t.id and x.state = 'booked'
        and x.deleted_at is null and x.booked_on <= ${end} and x.booked_on > coalesce(r.to_on, '-infinity'))`;
}

function late(division: string, today: string): Sql[] {
  const before = addDays(today, -AGED_DAYS);
  return [
    sql`select ${todoColumns({ kind: 'transit', id: sql`x.id`, title: sql`'Transfer in transit: ' || x.number`,
      detail: sql`f.name || ' to ' || t.name`, due_on: sql`x.sent_on + ${AGED_DAYS}::integer`,
      entity: sql`'bank_transfer'`, entity_id: sql`x.id`, currency: sql`f.currency`, minor: sql`x.amount_minor` })}
      from bank_transfers x join bank_accounts f on f.id = x.from_bank_account_id
        join bank_accounts t on t.id = x.to_bank_account_id
      where x.division = ${division} and x.status = 'in_transit' and x.sent_on < ${before}`,
    sql`select ${todoColumns({ kind: 'deposit', id: sql`min(p.id)`,
      title: sql`'Take to the bank: ' || count(*) || ${spell` by check or cash`}`, detail: sql`'Undeposited funds'`,
      due_on: sql`min(p.paid_on) + ${AGED_DAYS}::integer`, entity: sql`'deposit_slip'`, currency: sql`p.currency`,
      minor: sql`sum(p.amount_minor)` })}
      from payments p join ledger_accounts a on a.id = p.ledger_account_id
      where p.division = ${division} and p.kind = 'receipt' and p.status in ('posted', 'cleared')
        and p.deleted_at is null and a.system_key = 'undeposited' and p.paid_on < ${before}
        and not exists (select 1 from deposit_slip_items i where i.payment_id = p.id and i.holds)
      group by p.currency`,
  ];
}

export function bankTasks({ division, today }: { division: string; today: string }): Sql[] {
  return [unmatched(division), unreconciled(division, today), ...late(division, today)];
}
