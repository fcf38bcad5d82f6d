/** A pro forma that is opened to be paid asks for the tax of today; another total is a new version that says so. */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { lockInvoice, lockLicenseOf } from './invoice-store.server.ts';
import { reviseProForma } from './tax-of-day.server.ts';

/** Answers whether there is a new version. A document that is no open pro forma stays as it is. */
export async function refreshTax(ctx: WorkContext, id: number, customerId?: number): Promise<boolean> {
  await lockLicenseOf(ctx, id);
  const document = await lockInvoice(ctx, id);
  if (customerId !== undefined && document.customer_id !== customerId) throw refuse('not_found');
  return reviseProForma(ctx, document, await ctx.today(document.division), true);
}
