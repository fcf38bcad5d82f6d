/** Recurring bills: endpoints with their handlers, and the work that waits at them. */
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { billScheduleEndpoints } from './bill-schedule.contract.ts';
import { changeSchedule, endSchedule, enterSchedule, pauseSchedule, resumeSchedule, skipDay }
  from './save-schedule.server.ts';
import { scheduleOf, schedulePage } from './schedule-rows.server.ts';

interface Step { params: { id: number }; body: { version: number } }

/** The schedule after a step. */
const after = (step: (ctx: Ctx, id: number, version: number) => Promise<void>) =>
  async (ctx: Ctx, { params, body }: Step) => {
    await step(ctx, params.id, body.version);
    return { data: await scheduleOf(ctx, params.id) };
  };

export const billScheduleRoutes: Route[] = serve(billScheduleEndpoints, {
  list: (ctx, { query }) => schedulePage(ctx, query, billScheduleEndpoints.list.path),
  show: async (ctx, { params }) => ({ data: await scheduleOf(ctx, params.id) }),
  create: async (ctx, { body }) => ({ data: await scheduleOf(ctx, await enterSchedule(ctx, body)) }),
  async update(ctx, { params, body }) {
    await changeSchedule(ctx, params.id, body);
    return { data: await scheduleOf(ctx, params.id) };
  },
  pause: after(pauseSchedule),
  resume: after(resumeSchedule),
  skip: after(skipDay),
  end: after(endSchedule),
});

/** Rows of the home's task list: drafts that a schedule made and nobody has submitted, and days without a draft. */
export function billTasks({ division }: { division: string }): Sql[] {
  return [
    sql`select ${todoColumns({ kind: 'recurring_bill', id: sql`b.id`,
      title: sql`'Check and submit ' || b.number || ': ' || s.name`, detail: sql`v.name`, due_on: sql`b.billed_on`,
      entity: sql`'bill'`, entity_id: sql`b.id`, currency: sql`b.currency`, minor: sql`b.total_minor` })}
      from bill_schedule_days d join bill_schedules s on s.id = d.bill_schedule_id join bills b on b.id = d.bill_id
        join vendors v on v.id = b.vendor_id
      where b.division = ${division} and b.status = 'draft' and b.deleted_at is null`,
    sql`select ${todoColumns({ kind: 'recurring_bill', id: sql`-s.id`,
      title: sql`'Recurring bill not made: ' || s.name`, detail: sql`s.failure`, due_on: sql`s.next_on`,
      entity: sql`'bill_schedule'`, entity_id: sql`s.id` })}
      from bill_schedules s where s.division = ${division} and s.failure is not null`,
  ];
}
