/** Event 25, direct: a debt that will not come is an expense. The tax on it stays owed until relief is claimed. */
import { conflict, invalidField } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { writeOffLines } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { allocate, openedItem, post } from '../ledger/post.server.ts';
import { lockLicenseOf } from '../payments/apply-receipt.server.ts';
import { lockInvoice, refreshLicenseMoney, settleStatus } from './invoice-store.server.ts';

/** Writes off part or all of what is open. */
export async function writeOff(ctx: WorkContext, input: {
  invoice_id: number; amount_minor: number; reason: string; on: string;
}): Promise<{ transaction_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const invoice = await lockInvoice(ctx, input.invoice_id);
  if (invoice.open_item_id === null || invoice.kind !== 'invoice') {
    throw conflict('invoice.not_open', 'Nothing is open on this document.');
  }
  if (input.amount_minor <= 0 || input.amount_minor > invoice.balance_minor) {
    throw invalidField('amount_minor', `Only ${formatMinor(BigInt(invoice.balance_minor))} is open on this invoice`);
  }
  const day = input.on > invoice.issued_on ? input.on : invoice.issued_on;
  const amount = BigInt(input.amount_minor);
  const transactionId = await post(ctx, {
    division: invoice.division, kind: 'write_off', on: day, currency: invoice.currency, rate: invoice.functional_rate,
    description: `Write-off, ${invoice.invoice_number}`, invoice_id: invoice.id, license_id: invoice.license_id,
    source: { type: 'invoice', id: invoice.id, event: `written_off_${invoice.written_off_minor}` },
    lines: writeOffLines(invoice.customer_id, amount, day),
  });
  await allocate(ctx, invoice.open_item_id, await openedItem(ctx, transactionId, '1100', -amount), amount, day);
  await ctx.db.exec(sql`
    update invoices set written_off_minor = written_off_minor + ${amount} where id = ${invoice.id}`);
  await settleStatus(ctx, invoice.id);
  await refreshLicenseMoney(ctx, licenseId);
  await ctx.audit({ action: 'write_off', entity: 'invoice', entity_id: invoice.id, after: { ...input,
    transactionId } });
  return { transaction_id: transactionId };
}
