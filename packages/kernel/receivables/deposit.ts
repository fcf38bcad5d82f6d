/** A deposit from request to nothing left (domain.md 1.4, 2.7; invariant I7). */
export type DepositKind = 'security' | 'on_account';

export interface Deposit {
  readonly kind: DepositKind;
  readonly requested_minor: bigint;
  /** Everything received; held = applied + refunded + forfeited + remaining at every moment. */
  readonly held_minor: bigint;
  readonly applied_minor: bigint;
  readonly refunded_minor: bigint;
  readonly forfeited_minor: bigint;
}

export interface DepositEvent {
  readonly type: 'receive' | 'apply' | 'refund' | 'forfeit';
  readonly amount_minor: bigint;
}

export class DepositError extends Error {
  readonly code: 'deposit.amount' | 'deposit.exceeds_held' | 'deposit.exceeds_request' | 'deposit.not_forfeitable';
  constructor(code: DepositError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A request is a document and posts nothing. */
export function requestDeposit(kind: DepositKind, amountMinor: bigint): Deposit {
  if (amountMinor <= 0n) throw new DepositError('deposit.amount', 'A deposit is more than zero.');
  return {
    kind, requested_minor: amountMinor, held_minor: 0n, applied_minor: 0n, refunded_minor: 0n, forfeited_minor: 0n,
  };
}

export function remaining(deposit: Deposit): bigint {
  return deposit.held_minor - deposit.applied_minor - deposit.refunded_minor - deposit.forfeited_minor;
}

export function depositStatus(deposit: Deposit): 'requested' | 'held' | 'settled' {
  if (deposit.held_minor === 0n) return 'requested';
  return remaining(deposit) === 0n && deposit.held_minor === deposit.requested_minor ? 'settled' : 'held';
}

/**
 * The deposit after one event. Parts are allowed; throws DepositError for an amount that is not positive, a receipt
 * beyond the request, and a disposal beyond what remains. Only a security deposit can be forfeited: what is on account
 * is a payment and is applied or refunded.
 */
export function applyDepositEvent(deposit: Deposit, event: DepositEvent): Deposit {
  const amount = event.amount_minor;
  if (amount <= 0n) throw new DepositError('deposit.amount', 'The amount must be more than zero.');
  if (event.type === 'receive') {
    if (deposit.held_minor + amount > deposit.requested_minor) {
      throw new DepositError('deposit.exceeds_request', 'More was received than the deposit asked for.');
    }
    return { ...deposit, held_minor: deposit.held_minor + amount };
  }
  if (event.type === 'forfeit' && deposit.kind === 'on_account') {
    throw new DepositError('deposit.not_forfeitable', 'A payment on account is applied or refunded, not forfeited.');
  }
  if (amount > remaining(deposit)) {
    throw new DepositError('deposit.exceeds_held', 'More is disposed of than is still held.');
  }
  if (event.type === 'apply') return { ...deposit, applied_minor: deposit.applied_minor + amount };
  if (event.type === 'refund') return { ...deposit, refunded_minor: deposit.refunded_minor + amount };
  return { ...deposit, forfeited_minor: deposit.forfeited_minor + amount };
}
