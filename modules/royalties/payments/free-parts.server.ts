/** Parts of a row of royalty_statements that no draft, approved or posted payment settles, as conditions over it. */
import { sql, type Sql } from '#server/sql.ts';

/** Whether the payment of `x` is one of a run whose own items count as free; none: of no run. */
export const heldBy = (run: number | null): Sql => (run === null ? sql`false`
  : sql`exists (select 1 from payments y where y.id = x.payment_id and y.payment_run_id = ${run})`);

const settledBy = (statement: Sql, isAgent: Sql, run: number | null): Sql => sql`exists (
  select 1 from royalty_payment_conversions x where x.royalty_statement_id = ${statement}.id and x.live
    and x.is_agent = ${isAgent} and not ${heldBy(run)})`;

/** The royaltor's own part. */
export const ownFree = (statement: Sql, run: number | null = null): Sql => sql`(${statement}.status <> 'paid'
  and not ${settledBy(statement, sql`false`, run)})`;

/** The agent's part of an issued statement: it may be paid after the royaltor's. */
export const agentFree = (statement: Sql, run: number | null = null): Sql => sql`(
  ${statement}.status in ('issued', 'paid') and ${statement}.agent_minor > 0
  and not ${settledBy(statement, sql`true`, run)})`;
