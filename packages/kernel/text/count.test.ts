import { expect, it } from 'vitest';
import { countOf } from './count.ts';

it('a number stands with its noun in the right form', () => {
  expect([countOf(0, 'piece'), countOf(1, 'piece'), countOf(1_200, 'piece'), countOf(2, 'person', 'people')])
    .toEqual(['0 pieces', '1 piece', '1,200 pieces', '2 people']);
});
