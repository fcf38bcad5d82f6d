import { expect, test } from 'vitest';
import { newLine, type BankLine } from './bank-file.ts';
import { lineKeys, probableTwins, type HeldLine } from './known-lines.ts';

const line = (day: string, minor: bigint, more: Partial<BankLine> = {}): BankLine =>
  ({ ...newLine(day, minor, 1), ...more });
const held = (of: BankLine, format: HeldLine['format'] = 'ofx'): HeldLine => ({ id: 1, format, ...of });

test('twins without an id are two lines, and the next file knows both', () => {
  const twins = [line('2026-08-30', -150n), line('2026-08-30', -150n)];
  const keys = lineKeys(twins);
  expect(new Set(keys).size).toBe(2);
  expect(lineKeys([line('2026-08-29', -150n), ...twins]).slice(1)).toEqual(keys);
});

test('an id that comes back with another amount is another line', () => {
  const [a, b] = lineKeys([line('2026-08-30', -150n, { bank_id: 'F1' }), line('2026-08-30', -160n, { bank_id: 'F1' })]);
  expect(a).not.toBe(b);
});

test('the same day, amount and text under another id is probably the same line; another text is not', () => {
  const shop = line('2026-08-30', -150n, { bank_id: 'F2', name: 'Shop 12' });
  expect(probableTwins([shop], [held({ ...shop, name: 'SHOP-12' })], 'ofx').get(0)?.id).toBe(1);
  expect(probableTwins([shop], [held({ ...shop, name: 'Bakery' })], 'ofx').size).toBe(0);
});

test('from another format day and amount are enough, and one line here stands for one line of the file', () => {
  const shop = line('2026-08-30', -150n, { name: 'Shop' });
  const here = held({ ...shop, name: 'POS 0815 SHOP BERLIN' });
  expect([...probableTwins([shop, shop], [here], 'csv').keys()]).toEqual([0]);
});
