import { expect, it } from 'vitest';
import { disposition, rangeOf } from './file-answer.ts';

it.each([
  ['plain.pdf', 'attachment; filename="plain.pdf"; filename*=UTF-8\'\'plain.pdf'],
  ['Zürich "gala".csv', 'attachment; filename="Z_rich _gala_.csv"; filename*=UTF-8\'\'Z%C3%BCrich%20%22gala%22.csv'],
  ['a\r\nSet-Cookie: x=1.txt', 'attachment; filename="a__Set-Cookie: x=1.txt"; '
    + 'filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20x%3D1.txt'],
  ['..\\..\\boot.ini\'(1)*', 'attachment; filename=".._.._boot.ini\'(1)*"; '
    + 'filename*=UTF-8\'\'..%5C..%5Cboot.ini%27%281%29%2A'],
])('a file name is one quoted text, never a header or a second name: %j', (name, header) => {
  expect(disposition('attachment', name)).toBe(header);
});

it.each([
  ['bytes=0-1', { from: 0, to: 1 }], ['bytes=90-', { from: 90, to: 99 }], ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=50-500', { from: 50, to: 99 }], ['bytes=100-', 'none'], ['bytes=-0', 'none'], ['bytes=9-3', null],
  ['bytes=0-1,4-5', null], ['lines=0-1', null], [undefined, null],
])('a range of bytes of a hundred: %j', (range, part) => {
  expect(rangeOf({ range }, 100)).toEqual(part);
  expect(rangeOf({ range, 'if-range': '"v1"' }, 100)).toBeNull();
});
