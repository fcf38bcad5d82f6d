/** The sections of a statement: what it prints by licence and what stands behind its other figures (domain.md 3.6). */
import type { Statement } from '#kernel/royalties/statement-types.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { Subject } from './statement-subjects.server.ts';

/** Section of an income type. */
export const SECTION_OF = sql`case when a.income_type in ('streaming', 'video') then 'streaming'
  when a.income_type in ('rental', 'sale', 'digital', 'add_on', 'perusal', 'late_fee') then 'sales_and_rentals'
  else 'performances' end`;

export async function writeStatementLines(
  ctx: WorkContext, statementId: number, statement: Statement, subject: Subject,
): Promise<void> {
  await ctx.db.exec(sql`
    insert into royalty_statement_lines (royalty_statement_id, section, sort, description, license_id, show_royaltor_id,
      period_from, period_to, performances, gross_minor, base_minor, rate_ppm, amount_minor)
    select ${statementId}, ${SECTION_OF}, row_number() over (order by l.number nulls last, a.rate_ppm),
      coalesce(l.number || ' ' || l.title_on_license || ', ' || l.producing_organisation, 'Without a licence'),
      a.license_id, a.show_royaltor_id, min(a.occurred_on), max(a.occurred_on), sum(b.performances_held)::int,
      sum(b.gross_minor)::bigint, sum(a.base_minor)::bigint, a.rate_ppm, sum(a.amount_minor)::bigint
    from royalty_accruals a join royalty_allocations o on o.id = a.royalty_allocation_id
      left join licenses l on l.id = a.license_id left join box_office_reports b on b.id = o.box_office_report_id
    where a.statement_id = ${statementId}
    group by ${SECTION_OF}, a.license_id, l.number, l.title_on_license, l.producing_organisation, a.show_royaltor_id,
      a.rate_ppm`);
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
    ...statement.recoupments.map((one) => ({ section: 'advances', text: `Advance ${one.advance_id} recouped`,
      amount: -one.amount_minor, agreement: one.show_royaltor_id })),
  ];
  if (other.length === 0) return;
  await ctx.db.exec(sql`
    insert into royalty_statement_lines (royalty_statement_id, section, description, show_royaltor_id, amount_minor)
    select ${statementId}, * from unnest(${other.map((o) => o.section)}::text[], ${other.map((o) => o.text)}::text[],
      ${other.map((o) => o.agreement)}::bigint[], ${other.map((o) => Number(o.amount))}::bigint[])`);
}
