import { describe, expect, it } from 'vitest';
import { keyOf, ZOOMS, type KeyPress } from './page-keys.web.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });
const place = { page: 2, pages: 3, zoom: 0 };

describe('keys of the reader', () => {
  it('turn pages and stop at the covers', () => {
    expect(keyOf(press('ArrowRight'), place)).toEqual({ page: 3 });
    expect(keyOf(press('PageUp'), place)).toEqual({ page: 1 });
    expect(keyOf(press('PageDown'), { ...place, page: 3 })).toBeNull();
    expect(keyOf(press('End'), place)).toEqual({ page: 3 });
  });

  it('enlarge up to the largest, and leave typing and the browser alone', () => {
    expect(keyOf(press('+'), place)).toEqual({ zoom: 1 });
    expect(keyOf(press('+'), { ...place, zoom: ZOOMS.length - 1 })).toBeNull();
    expect(keyOf(press('-'), place)).toBeNull();
    expect(keyOf(press('+', { ctrlKey: true }), place)).toBeNull();
    expect(keyOf(press('t', { target: document.createElement('input') }), place)).toBeNull();
    expect(keyOf(press('t'), place)).toEqual({ text: true });
  });
});
