/** Preview of a draft invoice: the tax of each line with its reason, what is paid on account, the next number. */
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { heldOnAccount } from '../deposits/set-off.server.ts';
import { previewNumber } from '../ledger/post.server.ts';
import { draftLicense, asLine, type InvoiceInput } from './edit-draft.server.ts';
import { readyLines, unknownZips } from './invoice-lines.server.ts';
import type { invoiceEndpoints } from './invoice.contract.ts';

type Preview = ResponseIn<typeof invoiceEndpoints.preview>['data'];

/** Stores nothing and takes no number; refusals are those of the draft itself. */
export async function previewInvoice(ctx: WorkContext, input: InvoiceInput): Promise<Preview> {
  const license = await draftLicense(ctx, input);
  const on = input.issued_on ?? await ctx.today(input.division);
  const lines = await readyLines(ctx, { customer_id: input.customer_id, division: input.division, on, license,
    lines: input.items.map(asLine), local_rates: input.local_rates });
  const { terms } = await ctx.db.one<{ terms: number }>(sql`
    select payment_terms_days as terms from customers where id = ${input.customer_id}`);
  const total = lines.reduce((all, line) => all + line.net_minor + line.tax_minor, 0);
  const deposits = await heldOnAccount(ctx, license?.id ?? null, total);
  const prepaid = deposits.reduce((all, part) => all + part.net_minor + (part.tax?.tax_minor ?? 0n), 0n);
  return {
    next_number: await previewNumber(ctx, input.division, 'invoice', on), issued_on: on,
    due_on: input.due_on ?? addDays(on, termsDays(terms, Boolean(input.purchase_order_no))),
    net_minor: lines.reduce((all, line) => all + line.net_minor, 0),
    tax_minor: lines.reduce((all, line) => all + line.tax_minor, 0), total_minor: total,
    prepaid_minor: Number(prepaid), legal_texts: [...new Set(lines.map((line) => line.tax.legal_text))]
      .filter((text) => text !== ''),
    unknown_zips: unknownZips(lines),
    lines: lines.map((line) => ({
      net_minor: line.net_minor, tax_minor: line.tax_minor, code: line.tax.code, rate_ppm: line.tax.rate_ppm,
      jurisdiction: line.tax.jurisdiction, reason: line.tax.reason, problem: line.tax.problem,
      release_rule: line.release_rule, account_code: line.account_code,
    })),
  };
}
