import { expect, it } from 'vitest';
import { codeOf, matchingStep, newSecret, otpauthUrl, stepAt, toBase32 } from './totp.server.ts';

/** RFC 6238 appendix B, SHA-1; six digits are the last six of its eight. */
const RFC_SECRET = toBase32(Buffer.from('12345678901234567890'));
it.each([
  [59, '287082'], [1_111_111_109, '081804'], [1_111_111_111, '050471'], [1_234_567_890, '005924'],
  [2_000_000_000, '279037'], [20_000_000_000, '353130'],
])('the code at second %d is %s', (second, code) => {
  expect(codeOf(RFC_SECRET, Math.floor(second / 30))).toBe(code);
});

it('accepts one step earlier and later, no other, with a blank in the middle', () => {
  const now = new Date('2026-11-20T15:00:00Z');
  const step = stepAt(now);
  const found = (drift: number): number | null => matchingStep(RFC_SECRET, codeOf(RFC_SECRET, step + drift), now);
  for (const drift of [-1, 0, 1]) expect(found(drift)).toBe(step + drift);
  for (const drift of [-2, 2]) expect(found(drift)).toBeNull();
  expect(matchingStep(RFC_SECRET, codeOf(RFC_SECRET, step).replace(/^.../, '$& '), now)).toBe(step);
});

it('a secret has 160 bits, and its address names us and the person', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  const url = new URL(otpauthUrl(secret, 'ada@house.example'));
  expect(url.searchParams.get('secret')).toBe(secret);
  expect(decodeURIComponent(url.pathname)).toContain('Grand Rights:ada@house.example');
});
