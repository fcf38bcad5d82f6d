/** Books and merchandise for sale, with the cart beside them. */
import { lazy, Suspense } from 'react';
import { spell } from '#kernel/text/english.ts';
import { shopEndpoints } from '#modules/stock/shop/shop.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CardSkeleton, Pager, PortalHead, QueryBoundary, usePortal, WAITING } from './portal-parts.web.tsx';
import { ShopItems } from './shop-items.web.tsx';
import { showsTabs } from './show-words.web.ts';
import styles from './portal.module.css';

/** With the address it is sent to; the goods are on screen before. */
const CartCard = lazy(() => import('./cart-card.web.tsx').then((file) => ({ default: file.CartCard })));

export default function Shop() {
  const { customerId, base } = usePortal();
  const { values, set } = useQueryValues();
  const search = values.get('search') ?? '';
  const show = Number(values.get('show_id')) || null;
  const read = useEndpoint(shopEndpoints.items, { params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, ...(search && { search }), ...(show && { show_id: show }) } });
  return (
    <>
      <PortalHead title="Shop" facts={[spell`Books and merchandise; license materials ship separately`]}
        tabs={showsTabs(base)} />
      <div className={styles.wideSplit}>
        <div className={styles.stack}>
          <div className={styles.filters}>
            <SearchInput label="Search the shop" value={search}
              onChange={(text) => set({ search: text || null, page: null })} />
            {show !== null && <Button onClick={() => set({ show_id: null, page: null })}>Of every show</Button>}
          </div>
          <QueryBoundary read={read}>
            {({ data, meta }) => (
              <Card>
                {data.length === 0
                  ? <EmptyState title="Nothing matches" text="Try another word, or look at everything."
                      action={(
                        <Button onClick={() => set({ search: null, show_id: null, page: null })}>Show all</Button>
                      )} />
                  : <ShopItems items={data} />}
                <Pager meta={meta} />
              </Card>
            )}
          </QueryBoundary>
        </div>
        {/* Below the goods on a phone, where they would push it down. */}
        {!read.isPending && (
          <div className={styles.stickySide}>
            <Suspense fallback={<CardSkeleton {...WAITING.cart} />}><CartCard /></Suspense>
          </div>
        )}
      </div>
    </>
  );
}
