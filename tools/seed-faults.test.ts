import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planted } from './seed-faults.ts';
import { SEEDED_FAULTS } from './seeded-faults.ts';
import { ROOT } from './steps.ts';

it('a fault is planted where its text stands once, and nowhere else', () => {
  const fault = { name: 'cut off', from: 'a / b', to: 'b / a' };
  expect(planted(fault, 'return a / b;')).toBe('return b / a;');
  expect(() => planted(fault, 'a / b + a / b')).toThrow('"cut off" stands 2 times');
  expect(() => planted(fault, 'a * b')).toThrow('"cut off" stands 0 times');
});

// Rewriting a line means rewriting its fault with it (tools/seeded-faults.ts).
it('every fault of the table has its place in the product, and its tests exist', () => {
  const wrong = SEEDED_FAULTS.flatMap((fault) => {
    const { node = [], browser = [], journey } = fault.tests;
    const files = [...node, ...browser, ...(journey ? [`tests/journeys/${journey[0]}.ts`] : [])];
    const missing = files.filter((file) => !existsSync(join(ROOT, file)));
    const found = readFileSync(join(ROOT, fault.file), 'utf8').split(fault.from).length - 1;
    return [...missing, ...(found === 1 && files.length > 0 ? [] : [`${fault.name}: ${found} places`])];
  });
  expect(wrong).toEqual([]);
});
