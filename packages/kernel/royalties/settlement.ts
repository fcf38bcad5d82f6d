/** The money end of a statement: threshold, VAT, withholding, agent and payment (domain.md 3.5 steps 9 to 12). */
import type { IsoDate } from '../calendar/calendar.ts';
import { applyPpm, formatMinor, max, min } from '../money/money.ts';
import type { MinPayout, PaymentCondition, StatementInput, StatementVat } from './statement-types.ts';

export interface Settlement {
  readonly payable: boolean;
  readonly carried_reason: string | null;
  /** The VAT of step 9b; a reverse charge is owed to nobody but the tax authority and never paid to the payee. */
  readonly vat_minor: bigint;
  readonly vat_paid_minor: bigint;
  readonly withholding_minor: bigint;
  readonly agent_commission_minor: bigint;
  readonly payment_minor: bigint;
  readonly payee: 'royaltor' | 'agent';
  /** Balance that stays on the account: the whole net when it is carried forward. */
  readonly closing_minor: bigint;
}

/** Steps 9 to 13 for a net royalty. */
export function settle(netMinor: bigint, input: Omit<StatementInput, 'agreements' | 'advances'>): Settlement {
  const carried_reason = reasonToCarry(netMinor, input.conditions, input.min_payout, input.period_end);
  const payee = input.agent?.pays === 'all_to_agent' ? 'agent' : 'royaltor';
  if (carried_reason !== null) {
    return {
      payable: false, carried_reason, vat_minor: 0n, vat_paid_minor: 0n, withholding_minor: 0n,
      agent_commission_minor: 0n, payment_minor: 0n, payee, closing_minor: netMinor,
    };
  }
  const vat_minor = input.vat.kind === 'none' ? 0n : applyPpm(netMinor, input.vat.rate_ppm);
  const vat_paid_minor = input.vat.kind === 'self_billed' ? vat_minor : 0n;
  const expected = applyPpm(netMinor, input.wht_ppm);
  const agentPpm = input.agent?.pays === 'split_payment' ? input.agent.ppm : 0n;
  const agent_commission_minor = min(applyPpm(netMinor, agentPpm), netMinor - expected);
  const paid = payStatement(netMinor, vat_paid_minor, agent_commission_minor, input.wht_ppm);
  return {
    payable: true, carried_reason: null, vat_minor, vat_paid_minor, agent_commission_minor, payee, ...paid,
  };
}

/**
 * The payment itself, with the withholding rate of its own day. The commission was fixed at issue; a rate that rose
 * since may leave less than nothing: then 0 is paid and the shortfall stays on the account as a negative closing.
 */
export function payStatement(
  netMinor: bigint,
  vatPaidMinor: bigint,
  agentCommissionMinor: bigint,
  whtPpm: bigint,
): Pick<Settlement, 'withholding_minor' | 'payment_minor' | 'closing_minor'> {
  const withholding_minor = applyPpm(netMinor, whtPpm);
  const due = netMinor + vatPaidMinor - agentCommissionMinor - withholding_minor;
  const payment_minor = max(0n, due);
  return { withholding_minor, payment_minor, closing_minor: due - payment_minor };
}

/** The agreement's own threshold, else the royaltor's, which is the lower one in its months. */
export function payoutThreshold(minPayout: MinPayout, periodEnd: IsoDate): bigint {
  if (minPayout.agreement_minor !== null) return minPayout.agreement_minor;
  const inTier2 = minPayout.tier2_months.includes(Number(periodEnd.slice(5, 7)));
  return minPayout.tier2_minor !== null && inTier2 ? minPayout.tier2_minor : minPayout.royaltor_minor;
}

/** VAT on the net by the payee's status (step 9b). Without a valid self-billing agreement he invoices us himself. */
export function vatTreatment(
  payerDivision: 'US' | 'UK' | 'EU' | 'PROD',
  payee: { vat_status: 'none' | 'registered' | 'foreign_business'; self_billing_from: IsoDate | null;
    self_billing_expires_on: IsoDate | null },
  ratePpm: bigint,
  on: IsoDate,
): StatementVat {
  if (payerDivision !== 'UK' && payerDivision !== 'EU') return { kind: 'none' };
  if (payee.vat_status === 'foreign_business') return { kind: 'reverse_charge', rate_ppm: ratePpm };
  const valid = payee.self_billing_from !== null && payee.self_billing_from <= on
    && payee.self_billing_expires_on !== null && payee.self_billing_expires_on >= on;
  return payee.vat_status === 'registered' && valid ? { kind: 'self_billed', rate_ppm: ratePpm } : { kind: 'none' };
}

function reasonToCarry(
  netMinor: bigint,
  conditions: readonly PaymentCondition[],
  minPayout: MinPayout,
  periodEnd: IsoDate,
): string | null {
  if (netMinor <= 0n) return `Nothing to pay: the net royalty is ${formatMinor(netMinor)}`;
  const unmet = conditions.find((condition) => !condition.met);
  if (unmet) return unmet.explanation;
  const threshold = payoutThreshold(minPayout, periodEnd);
  if (netMinor < threshold) {
    return `Carried forward: ${formatMinor(netMinor)} is below the minimum payout of ${formatMinor(threshold)}`;
  }
  return null;
}
