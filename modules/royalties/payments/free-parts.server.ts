/** Parts of a row of royalty_statements that no draft, approved or posted payment settles, as conditions over it. */
import { sql, type Sql } from '#server/sql.ts';

const settledBy = (statement: Sql, isAgent: Sql): Sql => sql`exists (select 1 from royalty_payment_conversions x
  where x.royalty_statement_id = ${statement}.id and x.live and x.is_agent = ${isAgent})`;

/** The royaltor's own part. */
export const ownFree = (statement: Sql): Sql => sql`(${statement}.status <> 'paid'
  and not ${settledBy(statement, sql`false`)})`;

/** The agent's part of an issued statement: it may be paid after the royaltor's. */
export const agentFree = (statement: Sql): Sql => sql`(${statement}.status in ('issued', 'paid')
  and ${statement}.agent_minor > 0 and not ${settledBy(statement, sql`true`)})`;
