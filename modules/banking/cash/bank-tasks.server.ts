/**
 * Work at the bank that waits for a person, as rows of the home's task list: lines that nothing is matched with, a
 * month that is over and not reconciled, transfers and checks that are late.
 */
import { addDays, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { spell } from '#kernel/text/english.ts';
import { sql, type Sql } from '#server/sql.ts';
import { AGED_DAYS } from '../aged-days.ts';
import { UNMATCHED_COUNT } from './bank-balance.server.ts';

/** Days after the end of a month by which its accounts are reconciled. */
const RECONCILED_WITHIN = 15;
const ALIVE = sql`t.closed_on is null and t.deleted_at is null`;
/** Columns for owner, record, license and customer, amount: none of these tasks belongs to one person. */
const of = (entity: string, id: Sql, money: Sql = sql`null, null`): Sql =>
  sql`false, ${entity}, ${id}, null::bigint, null::bigint, null, ${money}`;

function unmatched(division: string): Sql {
  return sql`select 'bank_lines', u.id, 'Match ' || u.n || case u.n when 1 then ' bank line: ' else ' bank lines: ' end
      || u.name, u.bank, null::date, ${of('bank_account', sql`u.id`)}
    from (select t.id, t.name, b.name as bank, ${UNMATCHED_COUNT} as n from bank_accounts t
      join banks b on b.id = t.bank_id where t.division = ${division} and ${ALIVE}) u where u.n > 0`;
}

/** Of the month before, or an earlier one: the bank has lines in it after the last finished reconciliation. */
function unreconciled(division: string, today: string): Sql {
  const end = addDays(startOfMonth(today), -1);
  return sql`select 'reconciliation', t.id, 'Reconcile ' || t.name, b.name, ${addDays(end, RECONCILED_WITHIN)}::date,
      ${of('bank_account', sql`t.id`)}
    from bank_accounts t join banks b on b.id = t.bank_id cross join lateral bank_reconciled_balance(t.id) r
    where t.division = ${division} and ${ALIVE} and coalesce(r.to_on, '-infinity') < ${endOfMonth(end)}
      and exists (select 1 from bank_transactions x where x.bank_account_id = t.id and x.state = 'booked'
        and x.deleted_at is null and x.booked_on <= ${end} and x.booked_on > coalesce(r.to_on, '-infinity'))`;
}

function late(division: string, today: string): Sql[] {
  const before = addDays(today, -AGED_DAYS);
  return [
    sql`select 'transit', x.id, 'Transfer in transit: ' || x.number, f.name || ' to ' || t.name,
        x.sent_on + ${AGED_DAYS}::integer, ${of('bank_transfer', sql`x.id`, sql`f.currency::text, x.amount_minor`)}
      from bank_transfers x join bank_accounts f on f.id = x.from_bank_account_id
        join bank_accounts t on t.id = x.to_bank_account_id
      where x.division = ${division} and x.status = 'in_transit' and x.sent_on < ${before}`,
    sql`select 'deposit', min(p.id), 'Take to the bank: ' || count(*) || ${spell` by check or cash`},
        'Undeposited funds', min(p.paid_on) + ${AGED_DAYS}::integer, ${of('deposit_slip', sql`0::bigint`,
    sql`p.currency::text, sum(p.amount_minor)::bigint`)}
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
