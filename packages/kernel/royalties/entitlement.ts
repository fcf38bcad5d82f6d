/**
 * Cost and entitlement of a royalty are two things (domain.md 2.10, accounting.md 2.1): the cost follows the income,
 * what is due follows the agreement. Per line and royaltor, with c the cost and d the due to date:
 * 2210 Accrued royalties = max(c - d, 0), 1140 Prepaid royalties = max(d - c, 0), 2200 Royalties payable receives d.
 */
import { abs, max, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';
import { RefundTooLargeError } from './allocate.ts';

export type AccrualBasis = 'on_receipt' | 'on_invoice' | 'on_close';
export type Presentation = 'gross' | 'net';
/** What happens to a licence line's money; recoupment and breakage are of the licensee's advance (domain.md 2.4). */
export type MoneyEvent = 'invoice_issued' | 'receipt_applied' | 'license_closed' | 'advance_recouped' | 'breakage';

/** Cost and due to date of one line and royaltor, minor units. */
export interface Entitlement {
  readonly cost_minor: bigint;
  readonly due_minor: bigint;
}

/** 'source' is the entry that carries the royaltors' share itself: the invoice or report in net presentation. */
export interface EntitlementLeg {
  readonly account: '5000' | '2210' | '1140' | '2200' | 'source';
  readonly show_royaltor_id: number;
  /** Debit positive, credit negative. */
  readonly amount_minor: bigint;
}

export interface EntitlementMove {
  readonly state: Entitlement;
  readonly legs: readonly EntitlementLeg[];
}

/** 2210 of a state. Net presentation has no 1140: what is due before the invoice stands as a debit of 2210. */
export function accruedMinor(state: Entitlement, presentation: Presentation = 'gross'): bigint {
  const difference = state.cost_minor - state.due_minor;
  return presentation === 'net' ? difference : max(difference, 0n);
}

/** 1140 of a state. */
export function prepaidMinor(state: Entitlement, presentation: Presentation = 'gross'): bigint {
  return presentation === 'net' ? 0n : max(state.due_minor - state.cost_minor, 0n);
}

/**
 * One movement of cost (income released, or the invoice in net presentation) or of due; negative takes back. The legs
 * are the differences of the accounts and sum to 0.
 */
export function moveEntitlement(
  state: Entitlement,
  kind: 'cost' | 'due',
  amountMinor: bigint,
  showRoyaltorId: number,
  presentation: Presentation = 'gross',
): EntitlementMove {
  const next: Entitlement = {
    cost_minor: state.cost_minor + (kind === 'cost' ? amountMinor : 0n),
    due_minor: state.due_minor + (kind === 'due' ? amountMinor : 0n),
  };
  const legs: EntitlementLeg[] = [
    {
      account: presentation === 'net' ? 'source' as const : '5000' as const,
      show_royaltor_id: showRoyaltorId, amount_minor: next.cost_minor - state.cost_minor,
    },
    {
      account: '1140' as const, show_royaltor_id: showRoyaltorId,
      amount_minor: prepaidMinor(next, presentation) - prepaidMinor(state, presentation),
    },
    {
      account: '2210' as const, show_royaltor_id: showRoyaltorId,
      amount_minor: accruedMinor(state, presentation) - accruedMinor(next, presentation),
    },
    { account: '2200' as const, show_royaltor_id: showRoyaltorId, amount_minor: state.due_minor - next.due_minor },
  ];
  return { state: next, legs: legs.filter((leg) => leg.amount_minor !== 0n) };
}

/**
 * A part of a line (a release, a receipt, an application) over what is left of the shares of all its parties, the
 * house included: parts sum exactly and the last one of a line takes the remainder. Throws
 * {@link RefundTooLargeError} for more than is left, or the other direction.
 */
export function partOfLine(partMinor: bigint, left: readonly bigint[]): bigint[] {
  const remaining = sum(left);
  if (partMinor === 0n) return left.map(() => 0n);
  if (partMinor < 0n !== remaining < 0n || abs(partMinor) > abs(remaining)) throw new RefundTooLargeError();
  return splitByWeight(partMinor, left.map(abs));
}

/**
 * Whether an event makes an agreement's share due. Recoupment and breakage never do: the advance was shared when it
 * was received or invoiced, or is shared at close, so the money is shared once (domain.md 2.4).
 */
export function makesDue(basis: AccrualBasis, event: MoneyEvent): boolean {
  return (basis === 'on_receipt' && event === 'receipt_applied')
    || (basis === 'on_invoice' && event === 'invoice_issued')
    || (basis === 'on_close' && event === 'license_closed');
}

/** The presentation of a show: where its agreements differ, the show decides for all of them. */
export function presentationOf(agreements: readonly Presentation[], show: Presentation): Presentation {
  const first = agreements[0];
  return first !== undefined && agreements.every((one) => one === first) ? first : show;
}
