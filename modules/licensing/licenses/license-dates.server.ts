/** Days that follow from the end of a run: returns, settlement (domain.md 1.1 edge 13). */
import { returnsDueOn, settlementDueOn } from '#kernel/licensing/clocks.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { License } from './license-record.server.ts';

export async function returnsAndSettlement(ctx: WorkContext, license: License, last: string): Promise<Sql[]> {
  const holidays = await ctx.db.query<{ on_date: string }>(sql`
    select on_date from holidays where division = ${license.division} and on_date > ${last}`);
  const settlement = settlementDueOn(last, holidays.map((row) => row.on_date));
  return [sql`return_due_on = ${returnsDueOn(last, license.division)}`, sql`settlement_due_on = ${settlement}`];
}
