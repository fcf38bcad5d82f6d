/** The cart in the bar of the portal (gaps G29): how much is in it, and the drawer that orders it, on every page. */
import { ShoppingBag } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { CountedButton } from '#web/layout/counted-button.tsx';
import { useAddress } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useCart } from './cart.web.ts';

/** Prices and the form of an address come with it: loaded when the cart is opened first. */
const CartDrawer = lazy(() => import('./cart-drawer.web.tsx'));

export function CartButton() {
  const { count } = useCart(useCurrentUser()?.id ?? 0);
  const [open, setOpen] = useState(false);
  const { path } = useAddress();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  const words = count === 0 ? 'Cart' : `Cart, ${count.toLocaleString('en-US')} in it`;
  return (
    <>
      <CountedButton words={words} icon={ShoppingBag} count={count} open={open} ref={button}
        onToggle={() => setOpen(!open)} />
      {open && (
        <Suspense fallback={null}>
          <CartDrawer onClose={() => { setOpen(false); button.current?.focus(); }} />
        </Suspense>
      )}
    </>
  );
}
