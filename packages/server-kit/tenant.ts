/**
 * The requests of customers on the database, the second line behind the gates (reliability.md 2.2, decision 10).
 *
 * Reads run as `app_portal`, which sees the customer's own rows of the tables that the portal shows and nothing of the
 * house. Verbs, prices and availability are worked at the counter: as `app_counter`, which has the rights of the house
 * but, by restrictive policies, over the rows of this customer alone. Both learn the customer in the message that opens
 * the transaction.
 */
import type { Db } from './db.ts';
import type { Principal } from './principal.ts';

export interface CustomerDbs {
  portal: Db;
  counter: Db;
}

/** Both pools bound to the caller and the customer of the path; whoever has no business there is bound to nobody. */
export function boundTo(dbs: CustomerDbs, principal: Principal | null, customerId: number): CustomerDbs {
  const settings = {
    'app.customer_id': mayWorkFor(principal, customerId) ? customerId : null,
    'app.user_id': principal?.user_id ?? null,
  };
  return { portal: dbs.portal.bound(settings), counter: dbs.counter.bound(settings) };
}

/** Asked again here, not taken from the gate: a gate with a hole must not open the rows as well. */
function mayWorkFor(principal: Principal | null, customerId: number): boolean {
  return principal !== null
    && (principal.customers.has(customerId) || principal.acting_customer_id === customerId);
}
