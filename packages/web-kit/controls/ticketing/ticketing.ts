/**
 * Ticket kinds of a venue as a pure list: seats, price, weight (SPEC.md 3 to 6, states S21-S26, rules R9-R14, R82-R87,
 * constants C22, C23, C34, C83). Weight is the share of a kind in the expected sales (gap G121).
 */
import { divHalfAway, parseMinor } from '#kernel/money/money.ts';
import { numberFromText } from '../field/decimal-text.ts';

/** Price is a number with two decimals, as SPEC.md gives it on the wire; it is made from decimal text only. */
export type TicketRow = {
  number_of_seats: number;
  price: number;
  weight: number;
  /** Name of the kind: kept with its row, and not edited here. */
  label?: string | undefined;
  /** Type of performance that the row is for; absent or null: every type without rows of its own. */
  performance_type?: string | null | undefined;
};
export type TicketField = Exclude<keyof TicketRow, 'label' | 'performance_type'>;

/** The row Add Ticket appends (C23). */
export const NEW_TICKET: Readonly<TicketRow> = { number_of_seats: 0, price: 0, weight: 0 };
/** Empty, or digits with at most two decimals (C34). */
export const PRICE_PATTERN = /^(\d+(\.\d{0,2})?)?$/;
/** Decimals of a ticket price (C22). */
export const PRICE_DECIMALS = 2;
/** Decimals a seat count or weight may be typed with. */
const OTHER_DECIMALS = 4;

export type TicketEvent =
  | { type: 'add' }
  | { type: 'remove'; index: number }
  | { type: 'edit'; index: number; field: TicketField; value: number }
  | { type: 'give'; index: number; performance_type: string | null };

export function ticketReducer(rows: readonly TicketRow[], event: TicketEvent): TicketRow[] {
  switch (event.type) {
    case 'add': return [...rows, { ...NEW_TICKET }];
    case 'remove': return rows.filter((_, index) => index !== event.index);
    case 'give': return rows.map(
      (row, index) => (index === event.index ? { ...row, performance_type: event.performance_type } : row),
    );
    case 'edit': return rows.map(
      (row, index) => (index === event.index ? { ...row, [event.field]: event.value } : row),
    );
  }
}

/** Value of a cell's text, or undefined for a keystroke that is dropped. An empty text is 0 (gap G53). */
export function ticketValue(field: TicketField, text: string): number | undefined {
  if (field === 'price') return PRICE_PATTERN.test(text) ? Number(text || '0') : undefined;
  // '-3', '-0' and, as accounts write it, '(3)'.
  if (/[-(]/.test(text)) return undefined;
  const number = numberFromText(text, OTHER_DECIMALS);
  return number === null ? 0 : number;
}

/** Text of a cell out of editing: the price with its two decimals (R10). */
export function ticketText(field: TicketField, value: number): string {
  return field === 'price' ? value.toFixed(PRICE_DECIMALS) : String(value);
}

function priceMinor(row: TicketRow): bigint {
  return parseMinor(row.price.toFixed(PRICE_DECIMALS)) ?? 0n;
}

/** A count or weight in ten-thousandths, so that sums and products stay exact. */
function scaled(value: number): bigint {
  return BigInt(value.toFixed(OTHER_DECIMALS).replace('.', ''));
}


const SCALE = 10n ** BigInt(OTHER_DECIMALS);

export type TicketTotals = {
  seats: number;
  weight: number;
  /** Minor units: seats times price of every kind, summed (domain.md: gross at capacity). */
  gross_minor: bigint;
  /** Minor units: price weighted by the expected share; null while all weights are 0. */
  average_minor: bigint | null;
};

/** Gross at capacity of one kind, minor units, rounded half away from zero. */
export function rowGross(row: TicketRow): bigint {
  return divHalfAway(scaled(row.number_of_seats) * priceMinor(row), SCALE);
}

export function ticketTotals(rows: readonly TicketRow[]): TicketTotals {
  let seats = 0n;
  let weight = 0n;
  let weighted = 0n;
  let gross = 0n;
  for (const row of rows) {
    seats += scaled(row.number_of_seats);
    weight += scaled(row.weight);
    weighted += scaled(row.weight) * priceMinor(row);
    gross += rowGross(row);
  }
  return {
    seats: Number(seats) / Number(SCALE),
    weight: Number(weight) / Number(SCALE),
    gross_minor: gross,
    average_minor: weight === 0n ? null : divHalfAway(weighted, weight),
  };
}

/** Permission to edit the cells (R82-R86, C83); Add and Remove are not gated (R87). `super` grants everything. */
export function canEditTickets(user: { role: string; permission_values?: readonly string[] | undefined }): boolean {
  if (user.role === 'system_admin' || user.role === 'staff_admin') return true;
  const granted = user.permission_values ?? [];
  return user.role === 'staff_user' && (granted.includes('license.update') || granted.includes('super'));
}
