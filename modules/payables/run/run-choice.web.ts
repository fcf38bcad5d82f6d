/** Selection for a run, item by item, and its totals. */
import type { DueItem, DuePayee, RunPayables } from './payment-run.contract.ts';

type Payees = Pick<RunPayables, 'payees'>;

/** By open item: what is paid of it and the discount taken; absent: left out. */
export type Choice = Readonly<Record<number, { amount: number; discount: number }>>;

const whole = (item: DueItem) => ({ amount: item.amount_minor - item.discount_minor, discount: item.discount_minor });

/** Selects the due items of payees who can be paid; a payee whose credits come to as much gets nothing. */
export function dueChoice(payees: readonly DuePayee[]): Choice {
  const chosen: Record<number, { amount: number; discount: number }> = {};
  for (const payee of payees) {
    const due = payee.items.filter((item) => item.is_due);
    if (payee.held !== null || due.reduce((all, item) => all + item.amount_minor, 0) <= 0) continue;
    for (const item of due) chosen[item.open_item_id] = whole(item);
  }
  return chosen;
}

/** With the item taken or left out. */
export function toggled(choice: Choice, item: DueItem, on: boolean): Choice {
  if (on) return { ...choice, [item.open_item_id]: whole(item) };
  const { [item.open_item_id]: _gone, ...rest } = choice;
  return rest;
}

export const chosenOf = (payee: DuePayee, choice: Choice): number =>
  payee.items.reduce((all, item) => all + (choice[item.open_item_id]?.amount ?? 0), 0);

export function totalOf(answer: Payees | undefined, choice: Choice): number {
  return (answer?.payees ?? []).reduce((all, payee) => all + chosenOf(payee, choice), 0);
}

/** The body of the call: refunds whole, everything else by item. */
export function partsOf(answer: Payees, choice: Choice) {
  const taken = answer.payees.flatMap((payee) => payee.items).filter((item) => choice[item.open_item_id] !== undefined);
  return {
    parts: taken.filter((item) => item.refund_id === null).map((item) => ({ open_item_id: item.open_item_id,
      amount_minor: choice[item.open_item_id]!.amount, discount_minor: choice[item.open_item_id]!.discount })),
    refund_ids: taken.flatMap((item) => item.refund_id ?? []),
  };
}

/** Why a choice cannot be paid; null where it can. */
export function faultOf(answer: Payees | undefined, choice: Choice): string | null {
  if (!answer || Object.keys(choice).length === 0) return 'Choose what is paid';
  const short = answer.payees.find((payee) => payee.items.some((item) => choice[item.open_item_id])
    && chosenOf(payee, choice) <= 0);
  return short ? `Nothing is left to pay to ${short.name}: leave out a credit, or the payee` : null;
}
