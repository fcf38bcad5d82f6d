/** Returns to vendors. */
import { serve, type Route } from '#server/routes.ts';
import { goodsReceiptEndpoints } from './goods-receipt.contract.ts';
import { giveBackGoods } from './receive-goods.server.ts';

export const goodsReceiptRoutes: Route[] = serve(goodsReceiptEndpoints, {
  async giveBack(ctx, { params, body }) {
    const { id, returned_quantity } = await giveBackGoods(ctx, params.id, body);
    return { data: { id, returned_quantity } };
  },
});
