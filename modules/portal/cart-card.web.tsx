/** The cart: lines with quantities, what it costs with shipping and tax as it will be charged, and the order. */
import { Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { decimalPrice, minorOf } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { shopEndpoints, type ShopPrice } from '#modules/stock/shop/shop.contract.ts';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { usePreview } from '#web/query/use-preview.ts';
import { MOST_OF_ONE, useCart, type Cart, type CartItem } from './cart.web.ts';
import { usePortal } from './portal-parts.web.tsx';
import { SendToChoice, shipToOf, type SendTo } from './send-to.web.tsx';
import styles from './portal.module.css';

/** As the server names lines: 'm12' is a material, 's12' a sales item. */
function lineOf(item: CartItem) {
  const id = Number(item.id.slice(1));
  const what = item.id.startsWith('m') ? { material_id: id } : { sales_item_id: id };
  return { ...what, quantity: item.quantity };
}


export function CartCard() {
  const { count } = useCart(useCurrentUser()?.id ?? 0);
  return (
    <Card title="Your cart" {...(count > 0 && { right: <span className={styles.muted}>{count}</span> })}>
      <CartContents />
    </Card>
  );
}

/** Contents and cost of the cart, with the button to order it. */
export function CartContents() {
  const cart = useCart(useCurrentUser()?.id ?? 0);
  if (cart.items.length === 0) {
    return <EmptyState title="Nothing in it yet" text="Books and merchandise stay here until you order them." />;
  }
  return <Full cart={cart} />;
}

function Full({ cart }: { cart: Cart }) {
  const { customerId, base, signs, held } = usePortal();
  const { go } = useNavigation();
  const [sendTo, setSendTo] = useState<SendTo>(null);
  const [places, setPlaces] = useState<ShopPrice['places']>([]);
  const place = shipToOf(sendTo, places);
  const price = usePreview(shopEndpoints.price,
    { params: { id: customerId }, body: { lines: cart.items.map(lineOf), ...place } });
  const order = useAction(shopEndpoints.create, { onFailure: () => {}, onDone: ({ data }) => {
    cart.clear();
    toast(`We have your order ${data.number}`);
    go(`${base}/orders/${data.id}`);
  } });
  const now = price.data?.data;
  // Kept while the next price is on its way, so that the choice does not jump.
  useEffect(() => { if (now) setPlaces(now.places); }, [now]);
  const changed = now?.lines.filter((line) => cart.items.some((item) => item.id === line.key
    && minorOf(item.price) !== line.price_minor)) ?? [];
  const wrong = order.failure?.kind === 'fields' ? Object.values(order.failure.fields).flat() : [];
  const misplaced = Object.fromEntries(Object.entries(order.failure?.fields ?? {}).flatMap(([path, texts]) =>
    (path.startsWith('ship_to.') ? [[path.slice('ship_to.'.length), texts[0] ?? '']] : [])));
  const reason = held ?? (!signs ? spell`An admin or signer of your organization orders`
    : changed.length > 0 ? 'Accept the new prices first'
      : place === null || (now && !now.ship_to) ? 'Say where it goes' : !now || price.stale ? 'The price is being asked'
      : undefined);
  return (
    <div className={styles.stack}>
      <ul className={styles.plain}>
        {cart.items.map((item) => <Line key={item.id} item={item} cart={cart} />)}
      </ul>
      {price.error && <Callout tone="error" live title="This cannot be ordered as it is">{price.error}</Callout>}
      {changed.map((line) => (
        <Callout key={line.key} tone="warn" live title={`${line.name} has another price now`}
          action={<Button size="small" onClick={() => cart.setPrice(line.key, decimalPrice(line.price_minor),
            decimalPrice(line.shipping_minor))}>Accept new price</Button>}>
          It costs <Money minor={line.price_minor} currency={now?.currency} />.
        </Callout>
      ))}
      {now && <SendToChoice places={places} value={sendTo} onChange={setSendTo} errors={misplaced} />}
      {now ? <Sum price={now} /> : !price.error && <Skeleton height={96} />}
      {order.failure && (
        <Callout tone="error" live title="This was not ordered">
          {wrong.length > 0 ? wrong.join(' ') : order.failure.message}
        </Callout>
      )}
      <Button variant="primary" size="large" wide pending={order.pending} {...(reason && { reason })}
        onClick={() => void order.run({ params: { id: customerId }, body: { lines: cart.items.map((item) =>
          ({ ...lineOf(item), price_minor: minorOf(item.price) })), ...place } })}>Place the order</Button>
      <p className={styles.small}>
        {now?.prepaid ? 'You get a payment request; we pack the order as soon as it is paid.'
          : 'You pay nothing now: the invoice comes with the parcel.'}
      </p>
    </div>
  );
}

function Line({ item, cart }: { item: CartItem; cart: Cart }) {
  const name = [item.title, item.description].filter(Boolean).join(', ');
  return (
    <li className={styles.editRow}>
      <span className={styles.itemText}><strong>{item.title}</strong><span>{item.description}</span></span>
      <NumberField label={`Quantity of ${name}`} hideLabel value={item.quantity}
        onChange={(quantity) => { if (quantity) cart.setQuantity(item.id, Math.min(quantity, MOST_OF_ONE)); }} />
      <IconButton label={`Take ${name} out`} icon={<Glyph icon={Trash2} size={17} />}
        onClick={() => cart.setQuantity(item.id, 0)} />
    </li>
  );
}

function Sum({ price }: { price: ShopPrice }) {
  const rows = [{ label: 'Goods', minor: price.goods_minor }, { label: 'Shipping', minor: price.shipping_minor },
    { label: price.currency === 'USD' ? 'Sales tax' : 'VAT', minor: price.tax_minor }];
  return (
    <table className={styles.lines}>
      <caption className="gr-hidden">Price of the cart in {price.currency}</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label}><th scope="row">{row.label}</th><td><Money minor={row.minor} /></td></tr>
        ))}
      </tbody>
      <tfoot>
        <tr><th scope="row">Total<small>{price.currency}</small></th><td><Money minor={price.total_minor} /></td></tr>
      </tfoot>
    </table>
  );
}
