/** The day of a movement of money, or of a document, against today in its division: one rule for every call. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentDay, isAfterToday, lastDocumentDay } from '#kernel/calendar/money-day.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from './context.ts';

type Clock = Pick<WorkContext, 'today'>;

/**
 * Receipts, returns, refunds and payments are of today or before, by the division's own clock: 422 at `field`. Postings
 * that the product makes by itself do not ask.
 */
export async function refuseFutureMoney(ctx: Clock, of: { division: string; on: string; field: string }):
Promise<void> {
  const today = await ctx.today(of.division);
  if (isAfterToday(of.on, today)) {
    throw invalidField(of.field, `Enter ${dateFor(documentLanguage(of.division), today)} or an earlier date`);
  }
}

/**
 * Invoices and credit notes: up to 31 days ahead where a person confirmed it (409 `document.dated_ahead` asks), else
 * 422 at `field`.
 */
export async function refuseFutureDocument(
  ctx: Clock, of: { division: string; on: string; field: string; confirmed: boolean },
): Promise<void> {
  const today = await ctx.today(of.division);
  const inWords = (date: string): string => dateFor(documentLanguage(of.division), date);
  const day = documentDay(of.on, today);
  if (day === 'refused') {
    throw invalidField(of.field, `Enter ${inWords(lastDocumentDay(today))} or an earlier date`);
  }
  if (day === 'ask' && !of.confirmed) {
    throw conflict('document.dated_ahead', `Today is ${inWords(today)}, and this is dated ${inWords(of.on)}. `
      + 'Confirm the date, or change it.', { on: of.on, today });
  }
}
