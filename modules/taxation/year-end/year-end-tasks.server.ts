/** Year-end forms that have to be prepared, for the home and as notifications. */
import { FORM_TITLES, formsOf, type YearEndForm } from '#kernel/tax/year-end-forms.ts';
import { DIVISIONS, type Division } from '#kernel/money/division.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch, type BatchRun } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { todoColumns } from '#server/todo-columns.ts';
import { draftsOf, yearFacts } from './year-end-facts.server.ts';

/** Last month of the next year in which forms of a year are asked for. */
const LAST_MONTH = 3;

/**
 * Day by which payees have a form: January 31 of 1099s (Instructions for Forms 1099-MISC and 1099-NEC), March 15 of
 * 1042-S (Instructions for Form 1042-S). The UK and the EU set none for statements of royalties.
 */
const DUE: Readonly<Record<YearEndForm, string | null>> = { '1099_nec': '01-31', '1099_misc': '01-31',
  '1042_s': '03-15', royalties: null };

interface DueForm { form: YearEndForm; year: number; title: string; payees: number; due_on: string | null;
  href: string }

/** Forms of the year that ended, of which some are due and none is prepared; from January 1 through March. */
async function formsDue(ctx: WorkContext, division: Division, today: string): Promise<DueForm[]> {
  const year = Number(today.slice(0, 4)) - 1;
  if (Number(today.slice(5, 7)) > LAST_MONTH) return [];
  const made = new Set((await ctx.db.query<{ form: string }>(sql`
    select distinct form from year_end_filings where division = ${division} and tax_year = ${year}`))
    .map((row) => row.form));
  const forms = formsOf(division).filter((form) => !made.has(form));
  if (forms.length === 0) return [];
  const facts = await yearFacts(ctx, { division, year });
  return forms.map((form) => ({ form, year, title: `Prepare ${FORM_TITLES[form]} of ${year}`,
    payees: draftsOf(facts, form).length, due_on: DUE[form] && `${year + 1}-${DUE[form]}`,
    href: `/admin/finance/taxes-vat/year-end-forms?division=${division}&year=${year}&form=${form}` }))
    .filter((due) => due.payees > 0);
}

/** As rows of the home's task list; prepared forms wait among the approvals. */
export async function yearEndTasks(
  ctx: WorkContext, { division, today }: { division: string; today: string },
): Promise<Sql[]> {
  const due = await formsDue(ctx, division as Division, today);
  if (due.length === 0) return [];
  return [sql`select ${todoColumns({ kind: 'year_end', id: sql`y.place`, title: sql`y.title`,
    detail: sql`y.payees || case y.payees when 1 then ' payee' else ' payees' end`, due_on: sql`y.due_on`,
    href: sql`y.href` })}
    from unnest(${due.map((one) => one.title)}::text[], ${due.map((one) => one.payees)}::int[],
      ${due.map((one) => one.due_on)}::date[], ${due.map((one) => one.href)}::text[])
      with ordinality y (title, payees, due_on, href, place)`];
}

/** Tells those who may prepare them, once for each form and year. */
export function remindOfYearEnd(ports: Ports): Promise<BatchRun> {
  return runBatch(ports, { job: 'remind-of-year-end', items: DIVISIONS, facts: (division) => ({ division }) },
    async (ctx, division) => {
      let told = 0;
      for (const due of await formsDue(ctx, division, await ctx.today(division))) {
        told += await notifyStaff(ctx, { kind: 'closing.due', title: `${due.title} for ${division}`, href: due.href,
          key: `closing.due/year_end/${division}/${due.year}/${due.form}` });
      }
      return told;
    });
}
