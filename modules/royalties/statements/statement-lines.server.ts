/** The sections of a statement: what it prints by licence and what stands behind its other figures (domain.md 3.6). */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage, type Language } from '#kernel/money/division.ts';
import type { Statement } from '#kernel/royalties/statement-types.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { Subject } from './statement-subjects.server.ts';

/** Section of an income type. */
export const SECTION_OF = sql`case when a.income_type in ('streaming', 'video') then 'streaming'
  when a.income_type in ('rental', 'sale', 'digital', 'add_on', 'perusal', 'late_fee') then 'sales_and_rentals'
  else 'performances' end`;

/** Advances as their receiver knows them, by id: the show and the day of the payment. */
async function namesOfAdvances(db: Queryable, ids: readonly number[], language: Language):
Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; title: string; on: string }>(sql`
    select a.id, s.title, coalesce(a.paid_on, a.due_on, a.created_at::date) as on
    from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id join shows s on s.id = g.show_id
    where a.id = any (${[...ids]}::bigint[])`);
  return new Map(rows.map((row) => [row.id, `Advance of ${dateFor(language, row.on)} on ${row.title}, recouped`]));
}

/** Texts are in the English of the division whose statement it is. */
export async function writeStatementLines(
  ctx: WorkContext, statementId: number, statement: Statement, subject: Subject,
): Promise<void> {
  const { division } = await ctx.db.one<{ division: string }>(sql`
    select division from royalty_statements where id = ${statementId}`);
  const language = documentLanguage(division);
  const advances = await namesOfAdvances(ctx.db, statement.recoupments.map((one) => one.advance_id), language);
  await ctx.db.exec(sql`
    insert into royalty_statement_lines (royalty_statement_id, section, sort, description, license_id, show_royaltor_id,
      period_from, period_to, performances, gross_minor, base_minor, rate_ppm, amount_minor)
    select ${statementId}, ${SECTION_OF}, row_number() over (order by l.number nulls last, a.rate_ppm),
      coalesce(coalesce(l.license_number, l.number) || ' ' || l.title_on_license || ', ' || l.producing_organisation, 
        ${spellIn(language)`Without a license`}),
      a.license_id, a.show_royaltor_id, min(a.occurred_on), max(a.occurred_on), sum(b.performances_held)::int,
      sum(b.gross_minor)::bigint, sum(a.base_minor)::bigint, a.rate_ppm, sum(a.amount_minor)::bigint
    from royalty_accruals a join royalty_allocations o on o.id = a.royalty_allocation_id
      left join licenses l on l.id = a.license_id left join box_office_reports b on b.id = o.box_office_report_id
    where a.statement_id = ${statementId}
    group by ${SECTION_OF}, a.license_id, l.license_number, l.number, l.title_on_license, l.producing_organisation,
      a.show_royaltor_id, a.rate_ppm`);
  await ctx.db.exec(sql`
    insert into royalty_statement_lines (royalty_statement_id, section, sort, description, show_royaltor_id, period_to,
      amount_minor)
    select ${statementId}, 'adjustments', j.id, j.reason, j.show_royaltor_id, j.on_date, j.amount_minor
    from royalty_adjustments j where j.statement_id = ${statementId}`);
  const other = [
    ...statement.reserves_taken.map((one) => ({ section: 'reserves', text: 'Reserve taken', amount: -one.amount_minor,
      agreement: one.show_royaltor_id })),
    ...statement.reserves_released.map((one) => ({ section: 'reserves', text: `Reserve released, part ${one.part}`,
      amount: one.amount_minor, agreement: subject.agreements[0]!.id })),
    ...statement.recoupments.map((one) => ({ section: 'advances', text: advances.get(one.advance_id)!,
      amount: -one.amount_minor, agreement: one.show_royaltor_id })),
  ];
  if (other.length === 0) return;
  await ctx.db.exec(sql`
    insert into royalty_statement_lines (royalty_statement_id, section, description, show_royaltor_id, amount_minor)
    select ${statementId}, * from unnest(${other.map((o) => o.section)}::text[], ${other.map((o) => o.text)}::text[],
      ${other.map((o) => o.agreement)}::bigint[], ${other.map((o) => Number(o.amount))}::bigint[])`);
}
