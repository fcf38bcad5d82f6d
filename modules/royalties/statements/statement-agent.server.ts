/** The agent and the payee of a row of royalty_statements, as fragments of a query over it. */
import { sql, type Sql } from '#server/sql.ts';

/** Of its agreement, or of the first agreement of its cross-collateral group. */
export function agentOf(statement: Sql): Sql {
  return sql`coalesce((select agent_royaltor_id from show_royaltors where id = ${statement}.show_royaltor_id),
    (select agent_royaltor_id from show_royaltors
      where cross_collateral_group_id = ${statement}.cross_collateral_group_id order by id limit 1))`;
}

/** The agent of an agreement that pays him all, else the royaltor. */
export function payeeOf(statement: Sql): Sql {
  return sql`case when ${statement}.snapshot ->> 'payee' = 'agent'
    then coalesce(${agentOf(statement)}, ${statement}.royaltor_id) else ${statement}.royaltor_id end`;
}
