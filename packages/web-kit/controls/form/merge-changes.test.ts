/** U27: what two people changed at once. */
import { expect, test } from 'vitest';
import { mergeChanges, sameValue } from './merge-changes.ts';

const loaded = { name: 'Savoy', phone: '', capacity: 900, aliases: ['The Savoy'],
  address: { city: 'London', line1: 'Strand' } };

test('what only one side changed comes together by itself', () => {
  const merged = mergeChanges(loaded, { ...loaded, phone: '020 1' }, { ...loaded, capacity: 950 });
  expect(merged.values).toEqual({ ...loaded, phone: '020 1', capacity: 950 });
  expect(merged.both).toEqual([]);
  expect(merged.theirs).toEqual([{ path: 'phone', loaded: '', theirs: '020 1', mine: '' }]);
  expect(merged.mine).toEqual([{ path: 'capacity', loaded: 900, theirs: 900, mine: 950 }]);
});

test('a field both changed keeps what was typed until somebody chooses', () => {
  const merged = mergeChanges(loaded, { ...loaded, name: 'Savoy Theatre' }, { ...loaded, name: 'The Savoy' });
  expect(merged.values.name).toBe('The Savoy');
  expect(merged.both).toEqual([{ path: 'name', loaded: 'Savoy', theirs: 'Savoy Theatre', mine: 'The Savoy' }]);
});

test('the same change on both sides is no difference', () => {
  const both = { ...loaded, name: 'Savoy Theatre', capacity: 950 };
  expect(mergeChanges(loaded, both, { ...both })).toMatchObject({ both: [], theirs: [], mine: [] });
});

test('objects merge by their parts, lists as a whole', () => {
  const merged = mergeChanges(loaded,
    { ...loaded, address: { ...loaded.address, line1: '1 Strand' }, aliases: ['The Savoy', 'Savoy House'] },
    { ...loaded, address: { ...loaded.address, city: 'Westminster' }, aliases: [] });
  expect(merged.values.address).toEqual({ city: 'Westminster', line1: '1 Strand' });
  expect(merged.both.map(({ path }) => path)).toEqual(['aliases']);
  expect([merged.mine[0]?.path, merged.theirs[0]?.path]).toEqual(['address.city', 'address.line1']);
});

test('a part that only one side has is taken from it', () => {
  const start: { address: Record<string, string> | null } = { address: null };
  const merged = mergeChanges(start, { address: { city: 'Leeds' } }, { address: { line1: 'Quay' } });
  expect(merged.values).toEqual({ address: { city: 'Leeds', line1: 'Quay' } });
  expect(merged.both).toEqual([]);
});

test('nothing, null and an empty text say the same; a zero and a no do not', () => {
  expect([sameValue('', null), sameValue(undefined, ''), sameValue(0, null), sameValue(false, null)])
    .toEqual([true, true, false, false]);
  expect([sameValue([1, { a: '' }], [1, {}]), sameValue([1], [1, 2]), sameValue({ a: 1 }, [1])])
    .toEqual([true, false, false]);
});
