/** Payment plans: who pays what when, to the cent (domain.md 2.11). */
import type { IsoDate } from '../calendar/calendar.ts';
import { max, min, PPM, sum } from '../money/money.ts';
import type { LineKind } from '../money/priced-line.ts';
import { splitByWeight } from '../money/split.ts';
import { PriceError } from './price-error.ts';

export type DueEvent =
  | 'acceptance' | 'execution' | 'shipment' | 'opening' | 'closing' | 'return_of_materials' | 'settlement' | 'report';

export interface InstalmentRule {
  /** An event of the licence, or a day. */
  readonly due: DueEvent | IsoDate;
  readonly due_days?: number;
  /** Empty: every kind that no other rule names. */
  readonly line_kinds: readonly LineKind[];
  /** Shares of one set of line kinds total 1,000,000. */
  readonly share_ppm: bigint;
  /** A fixed amount with its tax, taken before the shares of its set; `share_ppm` is then 0. */
  readonly fixed_minor?: bigint;
}

export interface Instalment {
  readonly due: DueEvent | IsoDate;
  readonly due_days: number;
  readonly label: 'deposit' | 'instalment';
  readonly line_kinds: readonly LineKind[];
  readonly amount_minor: bigint;
}

export interface PlanLine {
  readonly kind: LineKind;
  /** Net and tax of the line. */
  readonly total_minor: bigint;
}

const OTHERS = ['rental', 'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee'] as const;

/** Amateur US: everything before execution. */
export const PLAN_PAID_IN_FULL: readonly InstalmentRule[] = [
  { due: 'execution', line_kinds: [], share_ppm: PPM },
];
/** UK variable fee: hire before shipment, royalty after the return; the on_account deposit comes first by itself. */
export const PLAN_VARIABLE_FEE: readonly InstalmentRule[] = [
  { due: 'shipment', line_kinds: OTHERS, share_ppm: PPM },
  { due: 'report', line_kinds: ['royalty'], share_ppm: PPM },
];

/** Fixed fee with a deposit: no report bills it, so the royalty is due at the opening. */
export const PLAN_FIXED_FEE: readonly InstalmentRule[] = [
  { due: 'shipment', line_kinds: OTHERS, share_ppm: PPM },
  { due: 'opening', line_kinds: ['royalty'], share_ppm: PPM },
];

/**
 * Professional: the advance (with its tax) at signature, the rest of the guaranteed royalty 14 days after closing;
 * weekly settlements arise from the reports. Everything else before shipment.
 */
export function professionalPlan(advanceMinor: bigint): readonly InstalmentRule[] {
  return [
    { due: 'acceptance', line_kinds: ['royalty'], share_ppm: 0n, fixed_minor: advanceMinor },
    { due: 'closing', due_days: 14, line_kinds: ['royalty'], share_ppm: PPM },
    { due: 'shipment', line_kinds: OTHERS, share_ppm: PPM },
  ];
}

/**
 * The instalments; together they are exactly the lines with their tax. Shares split by largest remainder (tie: larger
 * share, then earlier instalment). An on_account deposit is the first instalment, taken off the last one of the
 * royalty, and off the ones before it when it is larger. A security deposit stands outside.
 * Throws `plan.shares` when a set does not total 100%, `plan.kinds` when a line belongs to no instalment or to two.
 */
export function paymentPlan(
  lines: readonly PlanLine[], rules: readonly InstalmentRule[], onAccountMinor = 0n,
): Instalment[] {
  const effective = rules.length === 0 ? PLAN_PAID_IN_FULL : rules;
  const kindsOf = kindsByRule(lines, effective);
  const amounts = new Map<InstalmentRule, bigint>();
  for (const key of new Set(effective.map((rule) => setKey(rule.line_kinds)))) {
    const set = effective.filter((rule) => setKey(rule.line_kinds) === key);
    const kinds = kindsOf.get(set[0]!)!;
    const total = sum(lines.filter((line) => kinds.includes(line.kind)).map((line) => line.total_minor));
    setAmounts(set, total).forEach((part, k) => amounts.set(set[k]!, part));
  }
  const instalments = effective.map((rule): Instalment => ({
    due: rule.due, due_days: rule.due_days ?? 0, label: 'instalment', line_kinds: kindsOf.get(rule)!,
    amount_minor: amounts.get(rule)!,
  }));
  return withDeposit(instalments, onAccountMinor).filter((instalment) => instalment.amount_minor !== 0n);
}

/** Fixed amounts first, as far as the total goes; what is left by shares. */
function setAmounts(set: readonly InstalmentRule[], total: bigint): bigint[] {
  if (sum(set.map((rule) => rule.share_ppm)) !== PPM) {
    throw new PriceError('plan.shares', 'The shares of the payment plan must total 100%.');
  }
  let left = total;
  const fixed = set.map((rule) => {
    const taken = max(0n, min(rule.fixed_minor ?? 0n, left));
    left -= taken;
    return taken;
  });
  return splitByWeight(left, set.map((rule) => rule.share_ppm)).map((part, k) => part + fixed[k]!);
}

function setKey(kinds: readonly LineKind[]): string {
  return [...kinds].sort().join(' ');
}

function kindsByRule(
  lines: readonly PlanLine[], rules: readonly InstalmentRule[],
): Map<InstalmentRule, readonly LineKind[]> {
  const sets = new Map(rules.map((rule) => [setKey(rule.line_kinds), rule.line_kinds]));
  const named = [...sets.values()].flat();
  const rest = [...new Set(lines.map((line) => line.kind))].filter((kind) => !named.includes(kind));
  if (new Set(named).size !== named.length || (rest.length > 0 && !sets.has(''))) {
    throw new PriceError('plan.kinds', 'Every kind of line belongs to exactly one part of the payment plan.');
  }
  return new Map(rules.map((rule) => [rule, rule.line_kinds.length === 0 ? rest : rule.line_kinds]));
}

function withDeposit(instalments: readonly Instalment[], onAccountMinor: bigint): Instalment[] {
  const total = sum(instalments.map((instalment) => instalment.amount_minor));
  const deposit = min(onAccountMinor, total);
  if (deposit <= 0n) return [...instalments];
  let left = deposit;
  const royaltyLast = instalments.map((_, index) => index).sort((a, b) => {
    const royalty = (index: number) => Number(instalments[index]!.line_kinds.includes('royalty'));
    return royalty(b) - royalty(a) || b - a;
  });
  const reduced = instalments.map((instalment) => instalment.amount_minor);
  for (const index of royaltyLast) {
    const taken = min(left, reduced[index]!);
    if (taken <= 0n) continue;
    reduced[index]! -= taken;
    left -= taken;
  }
  const first: Instalment = {
    due: 'acceptance', due_days: 0, label: 'deposit', line_kinds: ['royalty'], amount_minor: deposit,
  };
  return [first, ...instalments.map((instalment, k) => ({ ...instalment, amount_minor: reduced[k]! }))];
}
