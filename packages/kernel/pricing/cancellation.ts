/** Amounts refunded and kept when a production or a performance is canceled (domain.md 2.9). */
import { applyPpm, max, min } from '../money/money.ts';
import { Tracer, type TraceStep } from './trace.ts';

export interface CancellationPolicy {
  /** Part of the royalty that is kept; 0 unless the terms say otherwise. */
  readonly royalty_kept_ppm: bigint;
  /** Keeps min_per_performance × cancelled performances instead, when that is more. */
  readonly liquidated_damages: boolean;
}
export const DEFAULT_CANCELLATION: CancellationPolicy = { royalty_kept_ppm: 0n, liquidated_damages: false };

export interface CancellationInput {
  readonly policy: CancellationPolicy;
  readonly stage: 'before_shipment' | 'after_shipment' | 'in_run';
  /** Net of tax: the royalty of what is cancelled; in the run the unit fees of the cancelled performances. */
  readonly royalty_minor: bigint;
  /** Net of tax; in the run 0, materials are used. */
  readonly materials_minor: bigint;
  /** Part of the royalty that was an advance of a professional deal: never refunded. */
  readonly professional_advance_minor: bigint;
  readonly min_per_performance_minor: bigint;
  readonly cancelled_performances: number;
  /** In the run: reported to the house within 24 hours. */
  readonly reported_in_time: boolean;
  /** Waives everything that is kept, the professional advance excepted. */
  readonly force_majeure: boolean;
}

export interface CancellationResult {
  readonly royalty_refund_minor: bigint;
  readonly royalty_kept_minor: bigint;
  readonly materials_refund_minor: bigint;
  readonly materials_kept_minor: bigint;
  readonly refund_minor: bigint;
  readonly kept_minor: bigint;
  readonly trace: readonly TraceStep[];
}

/** refund + kept = royalty + materials; neither is negative. Nothing beyond what was charged is ever asked for. */
export function cancellation(input: CancellationInput): CancellationResult {
  const tracer = new Tracer();
  const royaltyKept = keptRoyalty(input, tracer);
  const shipped = input.stage !== 'before_shipment';
  const materialsKept = tracer.add('cancellation', `cancellation.${input.stage}`, 'Kept of the materials', 'amount',
    { amount_minor: shipped && !input.force_majeure ? input.materials_minor : 0n });
  const royaltyRefund = tracer.add('cancellation', 'cancellation.royalty', 'Royalty refunded', 'less',
    { amount_minor: input.royalty_minor, less_minor: royaltyKept });
  const materialsRefund = tracer.add('cancellation', 'cancellation.materials', 'Materials refunded', 'less',
    { amount_minor: input.materials_minor, less_minor: materialsKept });
  return {
    royalty_refund_minor: royaltyRefund, royalty_kept_minor: royaltyKept,
    materials_refund_minor: materialsRefund, materials_kept_minor: materialsKept,
    refund_minor: royaltyRefund + materialsRefund, kept_minor: royaltyKept + materialsKept, trace: tracer.steps,
  };
}

export type PolicyName = 'standard' | 'liquidated_damages' | 'professional';

/** A production in figures, net of tax, as its policy looks at it when it is cancelled before the run. */
export interface PolicyFigures {
  readonly policy: PolicyName;
  readonly shipped: boolean;
  /** Advances included. */
  readonly royalty_minor: bigint;
  readonly advance_minor: bigint;
  readonly materials_minor: bigint;
  readonly min_per_performance_minor: bigint;
  readonly performances: number;
}

/** The rule of a policy, for the table of a contract and for the cancellation itself. */
export function cancelByPolicy(figures: PolicyFigures): CancellationResult {
  return cancellation({
    policy: { royalty_kept_ppm: 0n, liquidated_damages: figures.policy === 'liquidated_damages' },
    stage: figures.shipped ? 'after_shipment' : 'before_shipment', royalty_minor: figures.royalty_minor,
    materials_minor: figures.materials_minor,
    professional_advance_minor: figures.policy === 'professional' ? figures.advance_minor : 0n,
    min_per_performance_minor: figures.min_per_performance_minor, cancelled_performances: figures.performances,
    reported_in_time: true, force_majeure: false,
  });
}

function keptRoyalty(input: CancellationInput, tracer: Tracer): bigint {
  const advance = min(input.professional_advance_minor, input.royalty_minor);
  const wanted = input.force_majeure ? advance : max(advance, keptByPolicy(input));
  return tracer.add('cancellation', 'cancellation.policy', 'Kept of the royalty', 'at_most',
    { amount_minor: wanted, most_minor: input.royalty_minor });
}

function keptByPolicy(input: CancellationInput): bigint {
  if (input.stage === 'in_run' && !input.reported_in_time) return input.royalty_minor;
  const damages = input.policy.liquidated_damages
    ? input.min_per_performance_minor * BigInt(input.cancelled_performances)
    : 0n;
  const part = input.stage === 'in_run' ? 0n : applyPpm(input.royalty_minor, input.policy.royalty_kept_ppm);
  return max(part, damages);
}
