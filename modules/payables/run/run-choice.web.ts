/** Selection for a run, item by item, and its totals. */
import { backupWithholding } from '#kernel/tax/backup-withholding.ts';
import type { DueItem, DuePayee, DueRoyalty, DueRoyaltor, RunPayables } from './payment-run.contract.ts';

type Payees = Pick<RunPayables, 'payees'> & Partial<Pick<RunPayables, 'royaltors'>>;

/** Amount paid of an item, and the discount taken; more than the terms give needs a reason. */
export interface ChosenItem {
  amount: number;
  discount: number;
  reason: string;
  /** Taken whole, less the early-payment discount that is open: both follow the value date. */
  isWhole?: boolean;
}
/** By open item; absent: left out. */
export type Choice = Readonly<Record<number, ChosenItem>>;

const whole = (item: DueItem): ChosenItem => ({ amount: item.amount_minor - item.discount_minor,
  discount: item.discount_minor, reason: '', isWhole: true });

/** Amounts of items that are taken whole, by the discounts that are open on the value date. */
export function onValueDate(choice: Choice, payees: readonly DuePayee[]): Choice {
  const items = new Map(payees.flatMap((payee) => payee.items).map((item) => [item.open_item_id, item]));
  return Object.fromEntries(Object.entries(choice).map(([id, taken]) => {
    const item = items.get(Number(id));
    const isWhole = item !== undefined && taken.isWhole && taken.amount + taken.discount === item.amount_minor;
    return [id, isWhole ? whole(item) : taken];
  }));
}

/** More is taken than the early-payment discount that is open. */
export const needsReason = (item: DueItem, taken: ChosenItem): boolean => taken.discount > item.discount_minor;

/** Selects the due items of payees who can be paid that way, none where the credits come to as much. */
export function dueChoice(payees: readonly DuePayee[]): Choice {
  const chosen: Record<number, ChosenItem> = {};
  for (const payee of payees) {
    const due = payee.items.filter((item) => item.is_due);
    if (payee.held !== null || payee.other_method !== null) continue;
    if (due.reduce((all, item) => all + item.amount_minor, 0) <= 0) continue;
    for (const item of due) chosen[item.open_item_id] = whole(item);
  }
  return chosen;
}

/** Statements and advances that are chosen; each is paid whole. */
export type RoyaltyChoice = ReadonlySet<string>;
const NONE: RoyaltyChoice = new Set();

export const royaltyKey = (item: Pick<DueRoyalty, 'statement_id' | 'advance_id'>): string =>
  (item.statement_id === null ? `advance ${item.advance_id}` : `statement ${item.statement_id}`);

export const isPayable = (payee: DueRoyaltor, item: DueRoyalty): boolean => payee.held === null && item.held === null;

/** Selects the royalties that are due, can be paid and are paid that way. */
export function dueRoyalties(royaltors: readonly DueRoyaltor[]): RoyaltyChoice {
  return new Set(royaltors.flatMap((payee) => payee.items.filter((item) => item.is_due
    && payee.other_method === null && isPayable(payee, item)).map(royaltyKey)));
}

const takenOf = (answer: Payees | undefined, chosen: RoyaltyChoice): DueRoyalty[] =>
  (answer?.royaltors ?? []).flatMap((payee) => payee.items).filter((item) => chosen.has(royaltyKey(item)));

/** With the item taken or left out. */
export function toggled(choice: Choice, item: DueItem, on: boolean): Choice {
  if (on) return { ...choice, [item.open_item_id]: whole(item) };
  const { [item.open_item_id]: _gone, ...rest } = choice;
  return rest;
}

export const chosenOf = (payee: DuePayee, choice: Choice): number =>
  payee.items.reduce((all, item) => all + (choice[item.open_item_id]?.amount ?? 0), 0);

/** Backup withholding of what is chosen for a payee, paid on a day. */
export function withheldOf(payee: DuePayee, choice: Choice, on: string | null): number {
  const { withholding } = payee;
  if (withholding === null || on === null || on < withholding.from) return 0;
  return Number(backupWithholding(BigInt(chosenOf(payee, choice)), BigInt(withholding.rate_ppm)));
}

export interface Totals { cash: number; withheld: number }

/** Cash that leaves the bank, and the backup withholding beside it; royalties are after their tax already. */
export function totalsOf(answer: Payees | undefined, choice: Choice, on: string | null, royalties = NONE): Totals {
  const payees = answer?.payees ?? [];
  const withheld = payees.reduce((all, payee) => all + withheldOf(payee, choice, on), 0);
  const paid = takenOf(answer, royalties).reduce((all, item) => all + item.amount_minor + item.agent_minor, 0);
  return { cash: payees.reduce((all, payee) => all + chosenOf(payee, choice), paid) - withheld, withheld };
}

/** The body of the call: refunds and royalties whole, everything else by item. */
export function partsOf(answer: Payees, choice: Choice, royalties = NONE) {
  const taken = answer.payees.flatMap((payee) => payee.items).filter((item) => choice[item.open_item_id] !== undefined);
  return {
    parts: taken.filter((item) => item.refund_id === null).map((item) => ({ open_item_id: item.open_item_id,
      amount_minor: choice[item.open_item_id]!.amount, discount_minor: choice[item.open_item_id]!.discount,
      discount_reason: needsReason(item, choice[item.open_item_id]!) ? choice[item.open_item_id]!.reason : '' })),
    refund_ids: taken.flatMap((item) => item.refund_id ?? []),
    statement_ids: takenOf(answer, royalties).flatMap((item) => item.statement_id ?? []),
    advance_ids: takenOf(answer, royalties).flatMap((item) => item.advance_id ?? []),
  };
}

/** Why a choice cannot be paid; null where it can. */
export function faultOf(answer: Payees | undefined, choice: Choice, royalties = NONE): string | null {
  if (!answer || Object.keys(choice).length + royalties.size === 0) return 'Choose what is paid';
  const short = answer.payees.find((payee) => payee.items.some((item) => choice[item.open_item_id])
    && chosenOf(payee, choice) <= 0);
  const bare = answer.payees.flatMap((payee) => payee.items).find((item) => {
    const taken = choice[item.open_item_id];
    return taken !== undefined && needsReason(item, taken) && taken.reason.trim() === '';
  });
  if (bare) return `Give a reason for the discount on ${bare.document}`;
  return short ? `Nothing is left to pay to ${short.name}: leave out a credit, or the payee` : null;
}

/** The refusal of one of the documents, which it names. */
export const partsError = (errors: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(errors).find(([field]) => field === 'parts' || field.startsWith('parts.'))?.[1];
