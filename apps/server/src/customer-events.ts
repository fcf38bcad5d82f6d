/** Subscribers to events of customers: the contexts that keep records of them. */
import { moveApplications } from '#modules/licensing/licensing.public.server.ts';
import { moveOrders } from '#modules/stock/stock.public.server.ts';
import { moveCertificates } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { CustomerEvents } from '#server/customer-events.ts';

export const customerEvents: CustomerEvents<WorkContext> = {
  async customerMerged(ctx, merged) {
    await moveApplications(ctx, merged);
    await moveCertificates(ctx, merged);
    await moveOrders(ctx, merged);
  },
};
