/**
 * The cart: kept in the browser under the person's id (SPEC.md 4 and 9, gaps G60), so that the next person at this
 * computer has a cart of their own. Prices in it are what was shown; the server prices every order again.
 */
import { useMemo, useSyncExternalStore } from 'react';

/** SPEC.md 3: cart line item. `price` and `shippingCost` are amounts with two decimals. */
export interface CartItem {
  id: string;
  title: string;
  price: number;
  quantity: number;
  imageSrc?: string;
  description?: string;
  shippingCost?: number;
}

export const MOST_OF_ONE = 999;
const keyOf = (userId: number): string => `cart:${userId}`;
const CHANGED = 'grand-rights-cart';

function isItem(value: unknown): value is CartItem {
  const item = value as Partial<CartItem> | null;
  return typeof item?.id === 'string' && typeof item.title === 'string' && typeof item.price === 'number'
    && Number.isInteger(item.quantity) && (item.quantity ?? 0) >= 1;
}

/** Parses the stored cart; empty if it cannot be read. */
export function parseCart(text: string | null): CartItem[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch {
    return [];
  }
}

/** The same thing twice is one line with more of it. */
export function withItem(items: readonly CartItem[], item: CartItem): CartItem[] {
  const most = (quantity: number): number => Math.min(quantity, MOST_OF_ONE);
  if (!items.some((one) => one.id === item.id)) return [...items, { ...item, quantity: most(item.quantity) }];
  return items.map((one) => (one.id === item.id
    ? { ...one, ...item, quantity: most(one.quantity + item.quantity) } : one));
}

/** None takes the line out. */
export function withQuantity(items: readonly CartItem[], id: string, quantity: number): CartItem[] {
  if (quantity < 1) return items.filter((one) => one.id !== id);
  return items.map((one) => (one.id === id ? { ...one, quantity: Math.min(quantity, MOST_OF_ONE) } : one));
}

function listen(changed: () => void): () => void {
  window.addEventListener('storage', changed);
  window.addEventListener(CHANGED, changed);
  return () => {
    window.removeEventListener('storage', changed);
    window.removeEventListener(CHANGED, changed);
  };
}

function stored(userId: number): string | null {
  try {
    return window.localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
}

export interface Cart {
  items: readonly CartItem[];
  /** Pieces. */
  count: number;
  add: (item: CartItem) => void;
  setQuantity: (id: string, quantity: number) => void;
  /** The price that holds now, after the server named it. */
  setPrice: (id: string, price: number, shippingCost: number) => void;
  clear: () => void;
}

/** The cart of this person; other tabs follow. */
export function useCart(userId: number): Cart {
  const text = useSyncExternalStore(listen, () => stored(userId));
  return useMemo(() => {
    const items = parseCart(text);
    const save = (next: readonly CartItem[]): void => {
      window.localStorage.setItem(keyOf(userId), JSON.stringify(next));
      window.dispatchEvent(new Event(CHANGED));
    };
    // From the storage, not from what was drawn: two quick presses count twice.
    const now = (): CartItem[] => parseCart(stored(userId));
    return {
      items, count: items.reduce((sum, item) => sum + item.quantity, 0),
      add: (item) => save(withItem(now(), item)),
      setQuantity: (id, quantity) => save(withQuantity(now(), id, quantity)),
      setPrice: (id, price, shippingCost) => save(now().map((one) => (one.id === id
        ? { ...one, price, shippingCost } : one))),
      clear: () => save([]),
    };
  }, [text, userId]);
}
