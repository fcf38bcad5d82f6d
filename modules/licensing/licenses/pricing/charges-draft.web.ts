/** Charges while they are chosen: rows that are not complete yet are left out of the price. */
import type { BodyIn } from '#kit/endpoint.ts';
import type { ChargeChoices, pricingEndpoints } from './pricing.contract.ts';

export interface ChargesDraft {
  with_package: boolean;
  extra_periods: number | null;
  /** Quantity of each chosen add-on; null while it is typed. */
  add_ons: ReadonlyMap<number, number | null>;
  fees: readonly { key: string; description: string; amount_minor: number | null }[];
  reason: string;
}

type Charges = Omit<BodyIn<typeof pricingEndpoints.charges>, 'version' | 'reason'>;

export function choicesDraft(selection: ChargeChoices['selection']): ChargesDraft {
  return { with_package: selection.with_package, extra_periods: selection.extra_periods,
    add_ons: new Map(selection.add_ons.map((one) => [one.add_on_id, one.quantity])),
    fees: selection.fees.map((fee, index) => ({ ...fee, key: `s${index}` })), reason: '' };
}

export function chargesOf(draft: ChargesDraft): Charges {
  return {
    with_package: draft.with_package, extra_periods: draft.with_package && countIn(draft.extra_periods, 0, 120)
      ? draft.extra_periods : 0,
    add_ons: [...draft.add_ons].map(([add_on_id, quantity]) => ({ add_on_id,
      quantity: countIn(quantity, 1, 10_000) ? quantity : 1 })),
    fees: draft.fees.flatMap((fee) => (fee.description.trim() === '' || fee.amount_minor === null ? []
      : [{ description: fee.description.trim(), amount_minor: fee.amount_minor }])),
  };
}

function countIn(value: number | null, least: number, most: number): value is number {
  return value !== null && Number.isInteger(value) && value >= least && value <= most;
}

/** Why it cannot be saved yet. */
export function chargesMissing(draft: ChargesDraft): string | undefined {
  if (draft.fees.some((fee) => fee.description.trim() === '' || fee.amount_minor === null)) {
    return 'Say what each fee is for and how much';
  }
  if (draft.with_package && !countIn(draft.extra_periods, 0, 120)) return 'Enter the further periods, 120 at most';
  if ([...draft.add_ons.values()].some((count) => !countIn(count, 1, 10_000))) return 'Enter how many of each add-on';
  return draft.reason.trim() === '' ? 'Give a reason' : undefined;
}
