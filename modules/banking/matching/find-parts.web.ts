/** Documents chosen in Find and match: their amounts, discounts, and the difference to the line. */
import { atBank, partsBody } from './matching-words.web.ts';
import type { MatchableLine, SidePart } from './matching.contract.ts';

type Line = Pick<MatchableLine, 'id' | 'amount_minor' | 'booked_on' | 'currency'> & { ids?: readonly number[] };

export type Rest = 'fee' | 'on_account';
export const keyOf = (part: SidePart): string => `${part.kind} ${part.id}`;
export const sumOf = (parts: readonly SidePart[]): number => parts.reduce((all, one) => all + atBank(one), 0);
/** Paid in part where the line is smaller; everything else is matched whole. */
export const mayBePart = ({ kind }: SidePart): boolean => ['invoice', 'bill', 'vendor_credit'].includes(kind);
/** -1 for a document that money leaves for. */
export const signOf = ({ amount_minor }: SidePart): number => (amount_minor < 0 ? -1 : 1);

/** The one customer of all chosen documents; null where there are several, or none. */
export function customerOf(parts: readonly SidePart[]): number | null {
  const [first] = parts;
  return first?.customer_id != null && parts.every((part) => part.kind !== 'ledger_line'
    && part.customer_id === first.customer_id) ? first.customer_id : null;
}

/** Several lines of the bank as one: what the bank books in parts, or debits whole and credits back. */
export const together = (line: MatchableLine, more: readonly MatchableLine[]): MatchableLine & { ids: number[] } => ({
  ...line, ids: [line.id, ...more.map(({ id }) => id)],
  amount_minor: more.reduce((all, one) => all + one.amount_minor, line.amount_minor) });

export function bodyOf(line: Line, parts: readonly SidePart[], rest: Rest | null) {
  const left = line.amount_minor - sumOf(parts);
  const customer_id = customerOf(parts);
  return { line_ids: [...line.ids ?? [line.id]], parts: partsBody(parts),
    fee_minor: rest === 'fee' && left < 0 ? -left : 0,
    on_account: rest === 'on_account' && left > 0 && customer_id !== null ? { customer_id, amount_minor: left }
      : null };
}

/** Early-payment discount that the day of the line still gives; 0 for none. */
export const openDiscount = ({ discount }: Pick<SidePart, 'discount'>, line: Pick<Line, 'booked_on'>): number =>
  (discount !== null && line.booked_on <= discount.until ? discount.amount_minor : 0);

/** Settled whole, less the discount; 0 takes none. */
export const discounted = (part: SidePart, discount_minor: number): SidePart => ({ ...part, discount_minor,
  amount_minor: signOf(part) * (part.open_minor - discount_minor) });

/** An amount of a person: a discount settles the whole document, so another amount takes none. */
export const typed = (part: SidePart, minor: number): SidePart => ({ ...part, amount_minor: signOf(part) * minor,
  discount_minor: minor === part.open_minor - part.discount_minor ? part.discount_minor : 0 });

/**
 * As proposed when it is chosen: with a discount that is open, unless the rest of the line is exactly the whole or too
 * little. A document in another currency is paid whole with the rest of the line, until somebody types other amounts.
 */
export function added(part: SidePart, line: Line, left: number): SidePart {
  const rest = signOf(part) * left;
  const discount = openDiscount(part, line);
  if (part.currency !== line.currency) {
    return { ...(discount > 0 ? discounted(part, discount) : part),
      bank_minor: rest > 0 ? left : part.bank_minor ?? 0 };
  }
  if (discount > 0 && rest !== part.open_minor && (rest <= 0 || rest >= part.open_minor - discount)) {
    return discounted(part, discount);
  }
  return mayBePart(part) && rest > 0 ? { ...part, amount_minor: signOf(part) * Math.min(part.open_minor, rest) } : part;
}
