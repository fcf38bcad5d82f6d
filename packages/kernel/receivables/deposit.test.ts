import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyDepositEvent, depositStatus, remaining, requestDeposit, type Deposit, type DepositEvent,
} from './deposit.ts';

const run = (kind: Deposit['kind'], asked: bigint, ...events: [DepositEvent['type'], bigint][]) =>
  events.reduce((d, [type, amount_minor]) => applyDepositEvent(d, { type, amount_minor }), requestDeposit(kind, asked));

describe('deposit (1.4, 2.7)', () => {
  it('is requested, held, disposed of in parts, settled', () => {
    const held = run('security', 40_000n, ['receive', 40_000n], ['apply', 10_000n], ['forfeit', 5_000n]);
    expect([depositStatus(requestDeposit('security', 1n)), depositStatus(held), remaining(held)])
      .toEqual(['requested', 'held', 25_000n]);
    expect(depositStatus(applyDepositEvent(held, { type: 'refund', amount_minor: 25_000n }))).toBe('settled');
  });

  it('refuses what cannot be', () => {
    const code = (c: string) => expect.objectContaining({ code: c });
    expect(() => requestDeposit('security', 0n)).toThrow(code('deposit.amount'));
    expect(() => run('security', 100n, ['receive', -1n])).toThrow(code('deposit.amount'));
    expect(() => run('security', 100n, ['receive', 101n])).toThrow(code('deposit.exceeds_request'));
    expect(() => run('security', 100n, ['receive', 100n], ['apply', 101n])).toThrow(code('deposit.exceeds_held'));
    expect(() => run('on_account', 100n, ['receive', 100n], ['forfeit', 1n])).toThrow(code('deposit.not_forfeitable'));
  });

  it('I7: held = applied + refunded + forfeited + remaining after any events (property)', () => {
    const event = fc.record({
      type: fc.constantFrom('receive', 'apply', 'refund', 'forfeit'), amount_minor: fc.bigInt({ min: -5n, max: 400n }),
    });
    const kinds = fc.constantFrom('security', 'on_account');
    fc.assert(fc.property(fc.array(event, { maxLength: 30 }), kinds, (events, kind) => {
      let d = requestDeposit(kind, 1_000n);
      for (const next of events) {
        try { d = applyDepositEvent(d, next); } catch { continue; }
        expect(d.applied_minor + d.refunded_minor + d.forfeited_minor + remaining(d)).toBe(d.held_minor);
        expect(remaining(d) >= 0n && d.held_minor <= d.requested_minor).toBe(true);
      }
    }));
  });
});
