/** Rows of the home's task list, one each: bills that fall due, runs whose file is not written, checks that wait. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { BASE as CHECKS, STATE as CHECK_STATE } from './check/check-store.server.ts';

/** Days ahead in which a bill counts as due soon, and a run's file as to be sent. */
const SOON = 7;
const counted = (n: Sql, one: string, many: string): Sql => sql`${n} || case ${n} when 1 then ${one}::text
  else ${many}::text end`;
/** `href`: the screen where the work is done. */
const row = (id: number, title: Sql, detail: Sql, due: Sql, href: string): Sql => sql`select ${todoColumns({
  kind: 'payable', id: sql`${id}::bigint`, title, detail, due_on: due, href: sql`${href}::text` })}`;

/** Bills that nobody holds and no run has taken yet. */
const bills = ({ division, today }: { division: string; today: string }): Sql => sql`
  ${row(1, counted(sql`n`, ' bill to pay within a week', ' bills to pay within a week'),
    sql`'First: ' || name`, sql`due_on`, `/admin/accounts-payable/invoices?division=${division}`)}
  from (select count(*) as n, min(i.due_date) as due_on, (array_agg(v.name order by i.due_date, i.id))[1] as name
    from payable_items i join bills b on i.document_type = 'bill' and b.id = i.document_id
      join vendors v on v.id = b.vendor_id
    where i.division = ${division} and b.hold_reason is null and i.free_minor > 0
      and i.due_date <= ${addDays(today, SOON)}) due where n > 0`;

const runs = ({ division, today }: { division: string; today: string }): Sql => sql`
  ${row(2, counted(sql`n`, ' payment run to send to the bank', ' payment runs to send to the bank'),
    sql`'First: ' || number`, sql`value_on`,
    `/admin/accounts-payable/payment-runs?status=approved&division=${division}`)}
  from (select count(*) as n, min(value_on) as value_on, (array_agg(number order by value_on, id))[1] as number
    from payment_runs where division = ${division} and status = 'approved' and method <> 'check'
      and value_on <= ${addDays(today, SOON)}) waiting where n > 0`;

/** As the division spells it: the text is put together here, not on a screen. */
const checkWord = (division: string): string => (['UK', 'EU'].includes(division) ? 'cheque' : 'check');

const checks = ({ division }: { division: string }): Sql => sql`
  ${row(3, counted(sql`n`, ` ${checkWord(division)} to print`, ` ${checkWord(division)}s to print`),
    sql`'First from ' || name`, sql`null::date`, `/admin/checking?state=ready&division=${division}`)}
  from (select count(*) as n, (array_agg(b.name order by t.id))[1] as name
    from ${CHECKS} join bank_accounts b on b.id = t.bank_account_id
    where t.division = ${division} and t.status = 'queued' and ${CHECK_STATE} = 'ready') ready where n > 0`;

export const payableTasks = (of: { division: string; today: string }): Sql[] => [bills(of), runs(of), checks(of)];
