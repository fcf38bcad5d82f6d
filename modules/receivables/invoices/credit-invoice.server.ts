/**
 * Credit notes (events 4 and 4b): the only way to cancel an issued invoice. Unreleased income first, the latest row
 * first; what is beyond it debits the income account. A write-off is taken back before its part is credited; receipts
 * that the credit sets free stand on account, and so does what the note itself leaves over.
 */
import { conflict, invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { formatMinor } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { creditLines, type TaxOwed } from '#kernel/ledger/receivable-events.ts';
import { takeUnreleased } from '#kernel/receivables/release.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { allocate, openedItem, post, takeNumber } from '../ledger/post.server.ts';
import { freeInterestDays } from '../late-interest/free-days.server.ts';
import { freeMoney } from '../payments/unapply-receipts.server.ts';
import { insertCredit } from '../payments/payment-rows.server.ts';
import { isEarnedWhenBilled } from './invoice-lines.server.ts';
import {
  dated, itemsOf, lockInvoice, lockLicenseOf, refreshLicenseMoney, settleStatus, taxesOf, type InvoiceRecord,
  type ItemRecord,
} from './invoice-store.server.ts';
import { lastDeferred } from './release-income.server.ts';
import { takeBackWriteOffs } from './write-off.server.ts';

export interface CreditInput {
  invoice_id: number;
  /** Net amounts per line; absent: everything that is not credited yet. */
  lines?: readonly { invoice_item_id: number; amount_minor: number }[];
  /** Rows of these performances are taken before any other (a cancelled performance takes its own row). */
  performance_ids?: readonly number[];
  /** The box-office report that asks for it: what it gives back is settled by reports, not taken off the quote. */
  box_office_report_id?: number;
  reason: string;
  on: string;
}

interface CreditLine {
  item: ItemRecord;
  net: bigint;
  tax: bigint;
  deferred: bigint;
  income: bigint;
  taxes: TaxOwed[];
}

/** Issues a credit note; answers it. 422 at the line beyond what is left of it, 409 where nothing is left. */
export async function creditInvoice(ctx: WorkContext, input: CreditInput):
Promise<{ credit_note_id: number; transaction_id: number }> {
  if (input.reason.trim() === '') throw invalidField('reason', 'Reason is required');
  const licenseId = await lockLicenseOf(ctx, input.invoice_id);
  const document = await lockInvoice(ctx, input.invoice_id);
  if (document.kind !== 'invoice' || document.invoice_number === null) {
    throw conflict('invoice.not_issued', 'Only an issued invoice is credited.');
  }
  const invoice = dated(document);
  const on = input.on < invoice.issued_on ? invoice.issued_on : input.on;
  const lines = await creditedLines(ctx, invoice, input);
  const total = lines.reduce((all, line) => all + line.net + line.tax, 0n);
  const noteId = await insertNote(ctx, invoice, lines, input, on);
  const recovered = await takeBackWriteOffs(ctx, invoice, total - BigInt(invoice.balance_minor), on);
  await freeMoney(ctx, await lockInvoice(ctx, invoice.id), Number(total - recovered) - invoice.balance_minor, on);
  const deferred = lines.reduce((all, line) => all + line.deferred, 0n);
  const base = deferred === 0n ? null : await lastDeferred(ctx, invoice.id, invoice.functional_rate);
  const transactionId = await post(ctx, {
    division: invoice.division, kind: 'credit_note', on, currency: invoice.currency, rate: invoice.functional_rate,
    description: `Credit note to ${invoice.billing_name}`, source: { type: 'invoice', id: noteId, event: 'issued' },
    invoice_id: invoice.id, license_id: invoice.license_id,
    ...(base === null ? {} : { emptied: { account: '2100', base } }),
    lines: creditLines({
      customer_id: invoice.customer_id, on, deferred_minor: deferred,
      income: lines.map((line) => ({ account: line.item.account_code, amount_minor: line.income })),
      taxes: lines.flatMap((line) => line.taxes),
    }),
  });
  const left = await settleAgainst(ctx, invoice, noteId, transactionId, total, on);
  await tellRoyalties(ctx, invoice, noteId, lines, transactionId, on);
  const number = await takeNumber(ctx, 'credit_note', { ...invoice, on, asks_minor: 0 });
  await ctx.db.exec(sql`
    update invoices set invoice_number = ${number}, status = 'issued', transaction_id = ${transactionId}
    where id = ${noteId}`);
  if (left > 0n) await insertCredit(ctx, invoice, { note_id: noteId, number, transaction_id: transactionId, on,
    amount_minor: left });
  await settleStatus(ctx, noteId);
  await freeInterestDays(ctx, invoice.id);
  await refreshLicenseMoney(ctx, licenseId);
  await ctx.audit({ action: 'credit', entity: 'invoice', entity_id: invoice.id,
    after: { credit_note_id: noteId, number, total_minor: Number(total), reason: input.reason } });
  return { credit_note_id: noteId, transaction_id: transactionId };
}

async function creditedLines(ctx: WorkContext, invoice: InvoiceRecord, input: CreditInput): Promise<CreditLine[]> {
  const items = await itemsOf(ctx, invoice.id);
  const errors: FieldErrors = {};
  const wanted = input.lines ?? items.map((item) => ({ invoice_item_id: item.id,
    amount_minor: item.net_minor - item.credited_net_minor }));
  wanted.forEach((line, k) => {
    const item = items.find((one) => one.id === line.invoice_item_id);
    const left = item ? item.net_minor - item.credited_net_minor : 0;
    if (!item) errors[`lines.${k}.invoice_item_id`] = ['This line is not on the invoice'];
    else if (input.lines && (line.amount_minor <= 0 || line.amount_minor > left)) {
      errors[`lines.${k}.amount_minor`] = [`At most ${formatMinor(BigInt(left))} is left of this line`];
    }
  });
  if (new Set(wanted.map((line) => line.invoice_item_id)).size !== wanted.length) {
    errors.lines = ['Name each line once'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const taxes = await taxesOf(ctx, invoice.id);
  const lines: CreditLine[] = [];
  for (const line of wanted.filter((one) => one.amount_minor > 0)) {
    const item = items.find((one) => one.id === line.invoice_item_id)!;
    lines.push(await creditLine(ctx, item, BigInt(line.amount_minor), input.performance_ids ?? [],
      taxes.filter((tax) => tax.item_id === item.id)));
  }
  if (lines.length === 0) throw conflict('invoice.credited', 'Nothing is left of this invoice to credit.');
  return lines;
}

/** Tax goes back in proportion, the last credit of a line takes what is left of it. */
async function creditLine(
  ctx: WorkContext, item: ItemRecord, net: bigint, performances: readonly number[], owed: readonly TaxOwed[],
): Promise<CreditLine> {
  const leftNet = BigInt(item.net_minor - item.credited_net_minor);
  const leftTax = BigInt(item.tax_minor - item.credited_tax_minor);
  const tax = net === leftNet ? leftTax : splitByWeight(leftTax, [net, leftNet - net])[0]!;
  const shares = splitByWeight(tax, owed.map((part) => part.tax_minor));
  const rows = await ctx.db.query<{ id: number; amount: number }>(sql`
    select id, (amount_minor - credited_minor)::bigint as amount from release_schedule
    where invoice_item_id = ${item.id} and status = 'planned'
    order by (performance_id = any(${[...performances]}::bigint[])) is true desc, on_date desc nulls first, id desc
    for update`);
  const taken = isEarnedWhenBilled(item) ? { rows: [], income_minor: net }
    : takeUnreleased(net, rows.map((row) => ({ id: row.id, amount_minor: BigInt(row.amount) })));
  for (const row of taken.rows) {
    await ctx.db.exec(sql`
      update release_schedule set credited_minor = credited_minor + ${row.amount_minor},
        status = case when credited_minor + ${row.amount_minor} = amount_minor then 'cancelled' else status end
      where id = ${row.id}`);
  }
  return {
    item, net, tax, deferred: net - taken.income_minor, income: taken.income_minor,
    taxes: owed.map((part, k) => ({ ...part, tax_minor: shares[k]!,
      base_minor: item.net_minor === 0 ? 0n : (part.base_minor * net) / BigInt(item.net_minor) })),
  };
}

async function insertNote(
  ctx: WorkContext, invoice: InvoiceRecord, lines: readonly CreditLine[], input: CreditInput, on: string,
): Promise<number> {
  const net = lines.reduce((all, line) => all + line.net, 0n);
  const tax = lines.reduce((all, line) => all + line.tax, 0n);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into invoices (kind, status, customer_id, license_id, credits_invoice_id, division, currency, billing_name,
      billing_address, customer_vat_number, division_vat_number, issued_on, tax_point_on, due_on, net_minor,
      tax_minor, total_minor, functional_rate, functional_rate_on, legal_texts, reason, issued_by_id)
    select 'credit_note', 'draft', customer_id, license_id, id, division, currency, billing_name, billing_address,
      customer_vat_number, division_vat_number, ${on}, ${on}, ${on}, ${net}, ${tax}, ${net + tax}, functional_rate,
      functional_rate_on, legal_texts, ${input.reason}, ${ctx.actor.actor_id}::bigint
    from invoices where id = ${invoice.id} returning id`);
  for (const [sort, line] of lines.entries()) {
    const row = await ctx.db.one<{ id: number }>(sql`
      insert into invoice_items (invoice_id, sort, kind, description, license_charge_id, license_venue_id,
        performance_id, add_on_id, box_office_report_id, credits_item_id, quantity, unit_minor, net_minor,
        tax_code_id, tax_minor, total_minor, income_type, item_class, royalty_bearing, release_rule, account_code)
      select ${id}, ${sort}, kind, description, license_charge_id, license_venue_id, performance_id, add_on_id,
        ${input.box_office_report_id ?? null}::bigint, id, 1, ${line.net}, ${line.net}, tax_code_id,
        ${line.tax}, ${line.net + line.tax}, income_type, item_class, royalty_bearing, 'at_once', account_code
      from invoice_items where id = ${line.item.id} returning id`);
    await ctx.db.exec(sql`
      insert into invoice_tax_lines (invoice_id, invoice_item_id, jurisdiction, tax_code_id, tax_rate_id,
        local_tax_rate_id, exemption_certificate_id, rate_ppm, base_minor, tax_minor, tax_functional_minor, rate,
        rate_date, rate_source, reason)
      select ${id}, ${row.id}, t.jurisdiction, t.tax_code_id, t.tax_rate_id, t.local_tax_rate_id,
        t.exemption_certificate_id, t.rate_ppm,
        ${line.net}, coalesce(s.tax, 0), round(coalesce(s.tax, 0) * t.rate), t.rate, t.rate_date, t.rate_source,
        t.reason
      from invoice_tax_lines t left join unnest(${line.taxes.map((part) => part.tax_code_id)}::bigint[],
          ${line.taxes.map((part) => part.authority_id)}::bigint[], ${line.taxes.map((part) =>
            part.tax_minor)}::bigint[])
        with ordinality s (code, authority, tax, n) on s.n = (select count(*) from invoice_tax_lines u
          where u.invoice_item_id = t.invoice_item_id and u.tax_minor <> 0 and u.id <= t.id) and t.tax_minor <> 0
      where t.invoice_item_id = ${line.item.id} order by t.id`);
  }
  await ctx.ports.money.licensing.chargesBilled(ctx, lines.flatMap(({ item, net, tax }) =>
    (item.license_charge_id === null ? []
      : [{ license_charge_id: item.license_charge_id, net_minor: -Number(net), tax_minor: -Number(tax) }])));
  return id;
}

/**
 * The note settles its invoice as far as it is open; the ledger gets the allocation (no posting at one rate). Answers
 * what it leaves over.
 */
async function settleAgainst(
  ctx: WorkContext, invoice: InvoiceRecord, noteId: number, transactionId: number, total: bigint, on: string,
): Promise<bigint> {
  const { balance } = await ctx.db.one<{ balance: number }>(sql`
    select balance_minor as balance from invoices where id = ${invoice.id}`);
  const settled = BigInt(balance) < total ? BigInt(balance) : total;
  if (settled > 0n && invoice.open_item_id !== null) {
    const note = await openedItem(ctx, transactionId, '1100', -total);
    await allocate(ctx, invoice.open_item_id, note, settled, on);
    await ctx.db.exec(sql`
      update invoices set credited_minor = credited_minor + ${settled} where id = ${invoice.id}`);
    await ctx.db.exec(sql`update invoices set credited_minor = ${settled} where id = ${noteId}`);
  }
  await settleStatus(ctx, invoice.id);
  return total - settled;
}

async function tellRoyalties(
  ctx: WorkContext, invoice: InvoiceRecord, noteId: number, lines: readonly CreditLine[], transactionId: number,
  on: string,
): Promise<void> {
  const items = await itemsOf(ctx, noteId);
  for (const [k, line] of lines.entries()) {
    if (!line.item.royalty_bearing) continue;
    await ctx.ports.money.royalties.incomeCredited(ctx, {
      credit_item_id: items[k]!.id, invoice_item_id: line.item.id, license_id: invoice.license_id,
      division: invoice.division, currency: invoice.currency, net_minor: Number(line.net),
      income_minor: Number(line.income), occurred_on: on, transaction_id: transactionId,
    });
  }
}
