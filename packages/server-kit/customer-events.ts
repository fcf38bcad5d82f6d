/**
 * Follow-up of events of customers in the same transaction. Customers come before the contexts that keep records of
 * them; `apps/server` composes these ports.
 */
export interface CustomerMerged { from_customer_id: number; into_customer_id: number }

export interface CustomerEvents<Context> {
  /** A customer turned out to be another one: records that it may have at that time go over. */
  customerMerged: (ctx: Context, merged: CustomerMerged) => Promise<void>;
}
