/** On the page of a show: its books and merchandise, the first few. */
import { shopEndpoints } from '#modules/stock/shop/shop.contract.ts';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CardSkeleton, usePortal, WAITING } from './portal-parts.web.tsx';
import { ShopItems } from './shop-items.web.tsx';

const FEW = 4;

export function ShowShop({ showId }: { showId: number }) {
  const { customerId, base } = usePortal();
  const read = useEndpoint(shopEndpoints.items, { params: { id: customerId }, query: { show_id: showId,
    per_page: FEW } });
  if (read.isPending) return <CardSkeleton {...WAITING.shop} />;
  const rows = read.data?.data ?? [];
  // Nothing for sale: nothing to say.
  if (rows.length === 0) return null;
  return (
    <Card title="Books and merchandise" right={<AppLink className="gr-link" href={`${base}/shop?show_id=${showId}`}>
      To the shop and your cart</AppLink>}>
      <ShopItems items={rows} ofOneShow />
    </Card>
  );
}
