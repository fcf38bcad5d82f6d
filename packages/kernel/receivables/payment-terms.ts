/** When an invoice is due, and from when on it is overdue. */

/** Days of an invoice under a purchase order where none are agreed with the customer: a promise is not paid at once. */
export const PURCHASE_ORDER_DAYS = 30;

/** Days from the date of issue; `isOrdered` under a purchase order, `agreed` is 0 for customers who pay at once. */
export function termsDays(agreed: number, isOrdered: boolean): number {
  return agreed === 0 && isOrdered ? PURCHASE_ORDER_DAYS : agreed;
}

/** After the due date, never on it; what has no due date is never overdue. */
export function isOverdue(dueOn: string | null, today: string): boolean {
  return dueOn !== null && dueOn < today;
}
