import { describe, expect, it } from 'vitest';
import { COUNTRIES, territoriesOf } from './place.contract.ts';

describe('places', () => {
  it('knows every country once, by name', () => {
    expect(COUNTRIES).toHaveLength(249);
    expect(new Set(COUNTRIES.map((country) => country.code)).size).toBe(249);
    expect(COUNTRIES.find((country) => country.code === 'GB')?.name).toBe('United Kingdom');
  });
  it('knows the states that addresses are written with', () => {
    expect(territoriesOf('US')).toHaveLength(56);
    expect(territoriesOf('US').find((state) => state.code === 'NC')).toEqual({ code: 'NC', name: 'North Carolina' });
    expect(territoriesOf('CA').find((state) => state.code === 'NL')?.name).toBe('Newfoundland and Labrador');
    expect(territoriesOf('GB')).toEqual([]);
  });
});
