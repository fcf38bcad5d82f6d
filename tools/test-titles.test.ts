import { expect, it } from 'vitest';
import { idsOfTests } from './test-titles.ts';

const ids = (text: string): string[] => idsOfTests('a.test.ts', text);

it('reads ids from titles of tests and chapters', () => {
  expect(ids("it('a [S12]', () => {}); describe('b [R7, C3]', () => { test(`c [M5]`, () => {}); });"))
    .toEqual(['S12', 'R7', 'C3', 'M5']);
});

it('reads ids from the table of a repeated test whose title shows them', () => {
  expect(ids("it.each([['[R1]', 1], ['[R2]', 2]])('%s', () => {});")).toEqual(['R1', 'R2']);
  expect(ids("it.each([['[R1]', 1]])('always the same', () => {});")).toEqual([]);
});

it('what is switched off, has no body or is only text proves nothing', () => {
  expect(ids("it.skip('a [S1]', () => {}); it.todo('b [S2]'); describe.skip('c', () => { it('d [S3]', () => {}); });"))
    .toEqual([]);
  expect(ids("it('a [S4]'); const text = '[S5]'; // [S6]")).toEqual([]);
});
