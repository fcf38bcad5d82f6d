/**
 * Work that needs a person: open tasks, applications with a promised answer, offers about to expire, box-office reports
 * to accept, runs that open unpaid, materials to order and to ship, bank work. One statement, with each part only if
 * the person may read it.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { closingTasks } from '#modules/accounting/accounting.public.server.ts';
import { bankTasks } from '#modules/banking/banking.public.server.ts';
import { setMissing } from '#modules/licensing/licensing.public.server.ts';
import { billTasks, payableTasks, returnedTasks } from '#modules/payables/payables.public.server.ts';
import { salesTaxTasks, taxServiceTasks, vatNumberTasks, vatReturnTasks }
  from '#modules/taxation/taxation.public.server.ts';
import { materialsToOrder, parcelTasks } from '#modules/stock/stock.public.server.ts';
import { yearEndTasks } from '#modules/taxation/year-end.public.server.ts';
import { waitingFor } from '#modules/approvals/approvals.public.server.ts';
import type { Principal } from '#server/principal.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { TODO_KINDS, type Dashboard, type TodoRow } from './dashboard.contract.ts';

/** Days ahead that count as this week. */
export const WEEK = 7;
/** Rows of each kind that are handed out; the counts know all of them. */
const SHOWN = 4;
/** Limit when all of them are requested. */
const MOST = 200;

interface Scope {
  division: string;
  today: string;
  all: boolean;
  user_id: number;
  user: Principal;
  /** May read applications; licences and their takings. */
  applications: boolean;
  licenses: boolean;
  /** May read orders of materials and what customers ask to read. */
  materials: boolean;
  /** May read what the banks say. */
  banks: boolean;
  /** May ask for what closes a month. */
  closing: boolean;
  /** May change bills. */
  bills: boolean;
  /** May pay. */
  payments: boolean;
}

type Todo = NonNullable<Dashboard['todo']>;
type CountedTodo = TodoRow & { total: number; total_late: number; total_mine: number };

/** A task about an application or a report that stands in the list itself would say the same twice. */
function tasks({ division, today, user_id: user }: Scope): Sql {
  const license = sql`coalesce(t.license_id, case t.entity when 'license' then t.entity_id end)`;
  return sql`select ${todoColumns({ kind: 'task', id: sql`t.id`, title: sql`t.title`,
    detail: sql`coalesce(c.name, l.title_on_license, '')`, due_on: sql`t.due_on`,
    mine: sql`coalesce(t.assignee_id = ${user}, false)`, entity: sql`t.entity`, entity_id: sql`t.entity_id`,
    license_id: license, customer_id: sql`coalesce(l.customer_id, t.customer_id)`, phase: sql`l.phase` })}
    from tasks t left join licenses l on l.id = ${license}
      left join customers c on c.id = coalesce(l.customer_id, t.customer_id)
    where t.status = 'open' and coalesce(t.division, ${division}) = ${division}
      and coalesce(t.due_on, ${today}::date) <= ${addDays(today, WEEK)}
      and not exists (select 1 from license_applications a where t.entity = 'license_application'
        and a.id = t.entity_id and a.status in ('submitted', 'in_review'))
      and not exists (select 1 from box_office_reports b where t.entity = 'box_office_report'
        and b.id = t.entity_id and b.status in ('submitted', 'queried'))`;
}

/** The clock of a promised answer rests while the customer is asked (domain.md 1.2). */
function applications({ division, user_id: user }: Scope): Sql {
  return sql`select ${todoColumns({ kind: 'application', id: sql`a.id`,
    title: sql`'Answer ' || a.number || coalesce(': ' || (select s.title from license_application_shows x
      join shows s on s.id = x.show_id where x.license_application_id = a.id order by x.rank limit 1), '')`,
    detail: sql`c.name`, due_on: sql`a.sla_due_at at time zone d.timezone`,
    mine: sql`coalesce(a.license_rep_id = ${user}, false)`, entity: sql`'license_application'`, entity_id: sql`a.id`,
    customer_id: sql`a.customer_id` })}
    from license_applications a join customers c on c.id = a.customer_id join divisions d on d.code = a.division
    where a.division = ${division} and a.status in ('submitted', 'in_review') and a.sla_paused_at is null`;
}

/** Requests to read a title that wait for an answer; no date was promised. */
const perusals = ({ division }: Scope): Sql => sql`select ${todoColumns({ kind: 'perusal', id: sql`p.id`,
  title: sql`'Lend ' || s.title`, detail: sql`c.name`, entity_id: sql`p.id`, customer_id: sql`p.customer_id` })}
  from perusals p join customers c on c.id = p.customer_id join shows s on s.id = p.show_id
  where p.division = ${division} and p.status = 'requested'`;

/** One row for all of them: they are decided in the inbox. */
function approvals({ division, user }: Scope): Sql[] {
  const waiting = waitingFor(user);
  if (waiting === null) return [];
  return [sql`select ${todoColumns({ kind: 'approval', id: sql`0`,
    title: sql`n || case n when 1 then ' approval' else ' approvals' end || ' waiting for you'`,
    detail: sql`'Oldest requested by ' || coalesce(oldest, 'the system')`, mine: sql`true` })}
    from (select count(*) as n, (array_agg(u.first_name || ' ' || u.last_name order by w.asked_at))[1] as oldest
      from ${waiting} w left join users u on u.id = w.asked_by_id
      where w.division is null or w.division = ${division}) counted where n > 0`];
}

/** One row for all of them: mail that names no conversation is of no division. */
const unplacedMail = (): Sql => sql`select ${todoColumns({ kind: 'unplaced_mail', id: sql`0`,
  title: sql`n || case n when 1 then ' email' else ' emails' end || ' without a production'`,
  detail: sql`'Latest from ' || latest`, entity: sql`'inbound_mail'` })}
    from (select count(*) as n, (array_agg(sender_email order by id desc))[1] as latest
      from inbound_mails where outcome = 'unplaced') counted where n > 0`;

function licenses({ division, today, user_id: user }: Scope): Sql[] {
  const from = sql`from licenses l join customers c on c.id = l.customer_id join divisions d on d.code = l.division
    where l.division = ${division} and l.deleted_at is null`;
  const licence = { detail: sql`c.name`, mine: sql`coalesce(l.license_rep_id = ${user}, false)`,
    entity: sql`'license'`, entity_id: sql`l.id`, license_id: sql`l.id`, customer_id: sql`l.customer_id`,
    phase: sql`l.phase`, currency: sql`l.currency` };
  // Executing says here what it could not order, however far the day is on which it leaves.
  const notOrdered = sql`(select nullif(i.note, '') from license_checklist_items i
    where i.license_id = l.id and i.key = 'materials_ordered' and i.status = 'open')`;
  return [
    sql`select ${todoColumns({ ...licence, kind: 'offer', id: sql`l.id`,
      title: sql`'Offer expires: ' || l.title_on_license`, due_on: sql`l.offer_expires_at at time zone d.timezone`,
      minor: sql`l.grand_total_minor` })} ${from}
      and l.phase = 'sent' and (l.offer_expires_at at time zone d.timezone)::date <= ${addDays(today, WEEK)}`,
    sql`select ${todoColumns({ ...licence, kind: 'opening', id: sql`l.id`,
      title: sql`'Opens unpaid: ' || l.title_on_license`, due_on: sql`l.first_performance_on`,
      minor: sql`l.balance_minor` })} ${from} and l.phase in ('accepted', 'licensed') and l.balance_minor > 0
      and l.first_performance_on between ${today} and ${addDays(today, WEEK)}`,
    sql`select ${todoColumns({ ...licence, kind: 'materials', id: sql`l.id`,
      title: sql`'Order the materials: ' || l.title_on_license`, due_on: sql`l.ship_on`,
      detail: sql`c.name || coalesce(': ' || ${notOrdered}, '')` })} ${from}
      and l.phase in ('licensed', 'in_production')
      and (l.ship_on <= ${addDays(today, WEEK)} or ${notOrdered} is not null)
      and (${materialsToOrder(sql`l.id`)} or ${setMissing(sql`l.id`)})`,
    sql`select ${todoColumns({ ...licence, kind: 'report', id: sql`b.id`,
      title: sql`case when b.held then 'Answer the held return: ' when b.status = 'queried' then 'Settle the question: '
        else 'Accept box office: ' end || l.title_on_license`, minor: sql`b.gross_minor` })}
    from box_office_reports b join licenses l on l.id = b.license_id join customers c on c.id = l.customer_id
    where b.division = ${division} and b.status in ('submitted', 'queried')`,
  ];
}

/** The list, the most overdue first, and how many there are of each kind. */
export async function todoOf(ctx: WorkContext, scope: Scope): Promise<Todo | null> {
  const parts = [...(scope.licenses ? [tasks(scope), unplacedMail(), ...licenses(scope)] : []),
    ...(scope.applications ? [applications(scope)] : []),
    ...(scope.materials ? [perusals(scope), ...parcelTasks(scope)] : []),
    ...(scope.banks ? bankTasks(scope) : []), ...(scope.closing ? closingTasks(scope) : []),
    ...(scope.closing ? [...await salesTaxTasks(ctx.db, scope), ...await vatReturnTasks(ctx.db, scope),
      ...await yearEndTasks(ctx, scope),
      ...taxServiceTasks(scope), ...vatNumberTasks(scope)] : []),
    ...(scope.bills ? billTasks(scope) : []),
    ...(scope.payments ? [...payableTasks(scope), ...returnedTasks(scope)] : []),
    ...approvals(scope)];
  if (parts.length === 0) return null;
  const union = parts.reduce((all, part) => sql`${all} union all ${part}`);
  const rows = await ctx.db.query<CountedTodo>(sql`
    with todo as (${union}),
    ranked as (
      select *, coalesce(due_on < ${scope.today}, false) as late,
        row_number() over (partition by kind order by mine desc, due_on nulls last, id) as place,
        count(*) over (partition by kind)::int as total,
        count(*) filter (where mine) over (partition by kind)::int as total_mine,
        count(*) filter (where due_on < ${scope.today}) over (partition by kind)::int as total_late
      from todo)
    select * from ranked where place <= ${scope.all ? MOST : SHOWN} order by due_on nulls last, kind, id`);
  const counts = TODO_KINDS.flatMap((kind) => {
    const row = rows.find((one) => one.kind === kind);
    return row ? [{ kind, total: row.total, late: row.total_late, mine: row.total_mine }] : [];
  });
  return { rows, counts };
}

/** Runs that open within a week, the nearest first, paid or not. */
export async function openingsOf(
  ctx: WorkContext, { division, today }: Pick<Scope, 'division' | 'today'>,
): Promise<NonNullable<Dashboard['openings']>> {
  const rows = await ctx.db.query<NonNullable<Dashboard['openings']>['rows'][number] & { total: number }>(sql`
    select l.id as license_id, l.customer_id, l.phase, l.title_on_license as title, c.name as customer_name,
      l.first_performance_on as opens_on, l.currency, l.balance_minor, count(*) over ()::int as total
    from licenses l join customers c on c.id = l.customer_id
    where l.division = ${division} and l.deleted_at is null and l.phase in ('accepted', 'licensed', 'in_production')
      and l.first_performance_on between ${today} and ${addDays(today, WEEK)}
    order by l.first_performance_on, l.id limit ${SHOWN}`);
  return { total: rows[0]?.total ?? 0, rows };
}
