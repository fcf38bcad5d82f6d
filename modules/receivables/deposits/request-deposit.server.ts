/** The request of a deposit: a document, no posting (accounting.md 2.2, event 9). */
import { invalidField } from '#kit/errors.ts';
import { divHalfAway, MAX_MINOR, PPM } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { determineTax } from '#modules/taxation/taxation.public.server.ts';
import { refuseUnpayable } from '../documents/ways-to-pay.server.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';

export interface DepositRequest {
  license_id: number;
  /** Absent: on_account in UK and EU, security in US and PROD (domain.md 2.7). */
  kind?: 'security' | 'on_account';
  amount_minor: number;
  due_on?: string | null;
}

/**
 * Requests a deposit. What is on account is a payment of the royalty: its tax, due at receipt, is inside the amount
 * (500.00 is 416.67 + VAT 83.33 in the UK). 409 where nobody can pay it.
 */
export async function requestDeposit(ctx: WorkContext, input: DepositRequest): Promise<{ deposit_id: number }> {
  const license = await lockLicense(ctx, input.license_id);
  const kind = input.kind ?? (license.division === 'UK' || license.division === 'EU' ? 'on_account' : 'security');
  if (!Number.isSafeInteger(input.amount_minor) || input.amount_minor <= 0) {
    throw invalidField('amount_minor', 'Enter an amount above zero');
  }
  if (BigInt(input.amount_minor) > MAX_MINOR) throw invalidField('amount_minor',
    'The amount is larger than 10,000,000,000.00');
  await refuseUnpayable(ctx, [{ ...license, asks_minor: input.amount_minor }]);
  const on = await ctx.today(license.division);
  const tax = kind === 'on_account' && (license.division === 'UK' || license.division === 'EU')
    ? await inclusiveTax(ctx, license, input.amount_minor, input.due_on ?? on) : { vat: 0, tax_code_id: null };
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into deposits (license_id, kind, division, currency, amount_minor, net_minor, vat_minor, tax_code_id, due_on)
    values (${license.id}, ${kind}, ${license.division}, ${license.currency}, ${input.amount_minor},
      ${input.amount_minor - tax.vat}, ${tax.vat}, ${tax.tax_code_id}, ${input.due_on ?? null}) returning id`);
  await ctx.audit({ action: 'create', entity: 'deposit', entity_id: id, after: { ...input, kind } });
  return { deposit_id: id };
}

async function inclusiveTax(
  ctx: WorkContext, license: { customer_id: number; division: string }, amount: number, on: string,
): Promise<{ vat: number; tax_code_id: number | null }> {
  const [line] = await determineTax(ctx, {
    division: license.division, customer_id: license.customer_id, on,
    lines: [{ kind: 'royalty', item_class: 'performing_licence', net_minor: amount }],
  });
  const rate = BigInt(line!.rate_ppm);
  if (rate === 0n) return { vat: 0, tax_code_id: line!.tax_code_id };
  return { vat: Number(divHalfAway(BigInt(amount) * rate, PPM + rate)), tax_code_id: line!.tax_code_id };
}
