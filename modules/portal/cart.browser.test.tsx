import { beforeEach, describe, expect, it } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { parseCart, useCart, withItem, withQuantity, type CartItem } from './cart.web.ts';

const pin: CartItem = { id: 's1', title: 'Pin', price: 9, quantity: 1 };
const book: CartItem = { id: 'm2', title: 'Book', price: 12.95, quantity: 2, description: 'Of the show',
  shippingCost: 4.5, imageSrc: '/book.png' };

beforeEach(() => window.localStorage.clear());

describe('the cart', () => {
  it('holds id, title, price, quantity and optionally picture, description, shipping [S72]', () => {
    expect(withItem([], book)).toEqual([book]);
    expect(withItem([pin], { ...pin, quantity: 3 })).toEqual([{ ...pin, quantity: 4 }]);
    expect(withQuantity([pin, book], 's1', 0)).toEqual([book]);
    expect(parseCart('[{"id":1}, "x"]')).toEqual([]);
    expect(parseCart('not json')).toEqual([]);
  });

  it('is there after a reload, and is of one person only [S70] [S71] [C9]', async () => {
    const first = await renderHook(() => useCart(7));
    await first.act(() => first.result.current.add(book));
    await first.act(() => first.result.current.add(pin));
    await first.unmount();
    expect((await renderHook(() => useCart(7))).result.current.items).toEqual([book, pin]);
    expect((await renderHook(() => useCart(8))).result.current.items).toEqual([]);
    expect(window.localStorage.getItem('cart:7')).toContain('Book');
  });
});
