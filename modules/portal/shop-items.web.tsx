/** Things of the shop as a list, each with a button that puts one into the cart. */
import { ShoppingBag } from 'lucide-react';
import { decimalPrice } from '#kernel/money/money.ts';
import type { ShopItem } from '#modules/stock/shop/shop.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { MOST_OF_ONE, useCart } from './cart.web.ts';
import styles from './portal.module.css';

const shippingOf = (item: ShopItem): string => item.shipping_minor === 0 ? 'shipping is free'
  : `shipping ${formatAmount(item.shipping_minor, item.currency)}`;

export interface ShopItemsProps {
  items: readonly ShopItem[];
  /** All of one show, which stands above them: each is named by what it is, else by its show. */
  ofOneShow?: boolean;
}

export function ShopItems({ items, ofOneShow = false }: ShopItemsProps) {
  const cart = useCart(useCurrentUser()?.id ?? 0);
  const put = (item: ShopItem): void => {
    cart.add({ id: item.key, title: item.name, price: decimalPrice(item.price_minor), quantity: 1,
      shippingCost: decimalPrice(item.shipping_minor), ...(item.show_title ? { description: item.show_title } : {}) });
    toast(`${[item.name, item.show_title].filter(Boolean).join(', ')} is in your cart`);
  };
  return (
    <ul className={styles.list}>
      {items.map((item) => {
        const show = ofOneShow ? null : item.show_title;
        const there = cart.items.find((one) => one.id === item.key)?.quantity ?? 0;
        return (
          <li key={item.key} className={styles.item}>
            <span className={styles.itemText}>
              <strong>{show ?? item.name}</strong>
              <span>{[show && item.name, item.description, shippingOf(item)].filter(Boolean).join(', ')}</span>
            </span>
            <span className={styles.itemSide}>
              {formatAmount(item.price_minor, item.currency)}
              <Button icon={<Glyph icon={ShoppingBag} size={16} />} onClick={() => put(item)}
                reason={there >= MOST_OF_ONE ? `At most ${MOST_OF_ONE} of one` : undefined}>
                <span>
                  {there > 0 ? `Add another (${there})` : 'Add'}
                  <span className="gr-hidden"> {item.name} {item.show_title}</span>
                </span>
              </Button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
