import { describe, expect, it } from 'vitest';
import { code128Bars, code128Values } from './code128.ts';

describe('Code 128', () => {
  it('gives the check value of the known example: Wikipedia has 88', () => {
    expect(code128Values('Wikipedia').at(-2)).toBe(88);
  });

  it('draws every letter eleven modules wide, each differently', () => {
    const letters = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
    const drawn = letters.map((letter) => code128Bars(letter).slice(6, 12));
    for (const bars of drawn) expect(bars.reduce((sum, width) => sum + width, 0)).toBe(11);
    expect(new Set(drawn.map((bars) => bars.join(''))).size).toBe(95);
  });

  it('refuses what a scanner could not read', () => {
    expect(() => code128Bars('Ω')).toThrow();
    expect(() => code128Bars('')).toThrow();
  });
});
