/** Calls of royalty payment batches: the royaltors' view of the runs that pay them. */
import { batchEndpoints } from '#modules/royalties/payments/payment-batch.contract.ts';
import { batchList, findBatch, listBatches, listRoyaltyPayments, royaltyPayablesOf }
  from '#modules/royalties/royalties.public.server.ts';
import { serve, type Route } from '#server/routes.ts';
import { approveBatch, cancelBatch, makeRoyaltyRun, payBatch, returnFromBatch } from './royalty-run.server.ts';

export const royaltyRunRoutes: readonly Route[] = serve(batchEndpoints, {
  list: (ctx, { query }) => listBatches(ctx, query),
  payables: async (ctx, { query }) => ({ data: await royaltyPayablesOf(ctx, query) }),
  show: async (ctx, { params }) => ({ data: await findBatch(ctx, params.id) }),
  async create(ctx, { body }) {
    const { batch_id } = await makeRoyaltyRun(ctx, body);
    return { data: await findBatch(ctx, batch_id) };
  },
  async approve(ctx, { params, body }) {
    await approveBatch(ctx, params.id, body.version);
    return { data: await findBatch(ctx, params.id) };
  },
  async pay(ctx, { params, body }) {
    await payBatch(ctx, params.id, body.version);
    return { data: await findBatch(ctx, params.id) };
  },
  async cancel(ctx, { params, body }) {
    await cancelBatch(ctx, params.id, body.version, body.reason);
    return { data: await findBatch(ctx, params.id) };
  },
  async returned(ctx, { params, body }) {
    await returnFromBatch(ctx, params.id, params.paymentId, body);
    return { data: await findBatch(ctx, params.id) };
  },
  payments: (ctx, { query }) => listRoyaltyPayments(ctx, query),
  file: (ctx, { params }) => batchList(ctx, params.id),
});
