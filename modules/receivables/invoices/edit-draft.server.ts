/** Drafts by hand: made, changed, voided, restored, deleted for good; the issued document is never edited. */
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureDocument } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { rateFor } from '../ledger/post.server.ts';
import type { InvoiceLineInput } from '../receivables-types.ts';
import { insertDraft, insertLines, lockLicense } from './draft-invoice.server.ts';
import { readyLines, type LicenseDates } from './invoice-lines.server.ts';
import type { invoiceInput, invoiceItemInput } from './invoice.contract.ts';
import { lockInvoice, type InvoiceRecord } from './invoice-store.server.ts';
import { finishInvoice, postDraft } from './issue-invoice.server.ts';

export type InvoiceInput = z.output<typeof invoiceInput>;
export type ItemInput = z.output<typeof invoiceItemInput>;

/** A draft has lines and tax of its intended day; neither number nor posting. */
export async function createDraft(ctx: WorkContext, input: InvoiceInput): Promise<number> {
  const license = await draftLicense(ctx, input);
  const on = input.issued_on ?? await ctx.today(input.division);
  const lines = await readyLines(ctx, { customer_id: input.customer_id, division: input.division, on, license,
    lines: input.items.map(asLine) });
  const { id } = await insertDraft(ctx, {
    kind: 'invoice', customer_id: input.customer_id, division: input.division, currency: input.currency, license, on,
    due_on: input.due_on ?? null, purchase_order_no: input.purchase_order_no, notes: input.notes }, lines);
  await ctx.audit({ action: 'create', entity: 'invoice', entity_id: id, after: input });
  return id;
}

/** Header and, where given, all lines anew. Customer, licence and division of a draft stay. */
export async function updateDraft(
  ctx: WorkContext, id: number, input: Partial<InvoiceInput> & { version: number },
): Promise<void> {
  const draft = await lockDraft(ctx, id, input.version);
  const fixed = ['customer_id', 'license_id', 'division', 'currency'] as const;
  const changed = fixed.filter((key) => input[key] !== undefined && input[key] !== draft[key]);
  if (changed.length > 0) throw conflict('invoice.fixed',
    `Void this draft to change its ${changed[0]?.replace('_id', '')}.`);
  const on = input.issued_on ?? draft.issued_on;
  await ctx.db.exec(sql`
    update invoices set issued_on = ${on}, tax_point_on = ${on}, version = version + 1,
      due_on = greatest(${input.due_on ?? draft.due_on}::date, ${on}::date),
      purchase_order_no = ${input.purchase_order_no === undefined ? draft.purchase_order_no : input.purchase_order_no},
      notes = ${input.notes ?? draft.notes} where id = ${id}`);
  if (input.items) await replaceLines(ctx, draft, on, input.items);
  await ctx.audit({ action: 'update', entity: 'invoice', entity_id: id, before: draft, after: input });
}

/** Number and posting (X104). */
export async function issueDraft(ctx: WorkContext, id: number,
  input: { version: number; issued_on?: string | undefined; dated_ahead_confirmed: boolean }):
Promise<void> {
  // The licence first: every verb takes its locks in one order.
  await ctx.db.exec(sql`
    select 1 from licenses l where l.id = (select license_id from invoices where id = ${id}) for update`);
  const draft = await lockDraft(ctx, id, input.version);
  if (draft.kind !== 'invoice') throw conflict('invoice.not_draft', 'A pro forma is issued by its payment.');
  const on = input.issued_on ?? draft.issued_on;
  await refuseFutureDocument(ctx, { division: draft.division, on, field: 'issued_on',
    confirmed: input.dated_ahead_confirmed });
  const rate = await rateFor(ctx, draft.division, draft.currency, on);
  await ctx.db.exec(sql`
    update invoices set issued_on = ${on}, tax_point_on = ${on}, due_on = greatest(due_on, ${on}::date),
      functional_rate = ${rate.rate}, functional_rate_on = ${rate.on}, issued_by_id = ${ctx.actor.actor_id}
    where id = ${id}`);
  await finishInvoice(ctx, await postDraft(ctx, id));
}

/** Issued documents are credited, never deleted: 409 `posted_document`. */
export async function voidDraft(ctx: WorkContext, id: number): Promise<void> {
  const document = await lockInvoice(ctx, id);
  if (document.invoice_number !== null || document.status === 'paid') throw refuse('posted_document');
  if (document.status === 'void') throw refuse('not_found');
  await ctx.db.exec(sql`
    update invoices set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = 'Removed',
      version = version + 1 where id = ${id}`);
  await ctx.db.exec(sql`
    update license_instalments set status = 'planned', proforma_id = null where proforma_id = ${id}`);
  await ctx.audit({ action: 'remove', entity: 'invoice', entity_id: id, before: document });
}

export async function restoreDraft(ctx: WorkContext, id: number): Promise<void> {
  const document = await lockInvoice(ctx, id);
  if (document.status !== 'void') throw refuse('not_found');
  await ctx.db.exec(sql`
    update invoices set status = case kind when 'proforma' then 'proforma' else 'draft' end, voided_at = null,
      void_reason = null, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'restore', entity: 'invoice', entity_id: id });
}

/** Only what was voided and never numbered; the database refuses the rest as well. */
export async function deleteDraft(ctx: WorkContext, id: number): Promise<void> {
  const document = await lockInvoice(ctx, id);
  if (document.invoice_number !== null) throw refuse('posted_document');
  if (document.status !== 'void') throw conflict('invoice.not_void', 'Void the draft first.');
  await ctx.db.exec(sql`update license_instalments set proforma_id = null where proforma_id = ${id}`);
  await ctx.db.exec(sql`delete from invoice_tax_lines where invoice_id = ${id}`);
  await ctx.db.exec(sql`delete from invoice_items where invoice_id = ${id}`);
  await ctx.db.exec(sql`delete from invoices where id = ${id}`);
  await ctx.audit({ action: 'force_delete', entity: 'invoice', entity_id: id, before: document });
}

/** One line more, in place of another, or less; the draft's tax and totals follow. */
export async function editLine(ctx: WorkContext, invoiceId: number, change: { itemId?: number; line?: ItemInput }):
Promise<number | null> {
  const draft = await lockDraft(ctx, invoiceId, null);
  const rows = await ctx.db.query<ItemInput & { id: number }>(sql`
    select id, kind, description, item_class, quantity, unit_minor, net_minor, royalty_bearing, release_rule,
      release_from, release_to, license_venue_id
    from invoice_items where invoice_id = ${invoiceId} order by sort, id`);
  const at = change.itemId === undefined ? rows.length : rows.findIndex((row) => row.id === change.itemId);
  if (at === -1) throw refuse('not_found');
  const lines = rows.map(({ id: _id, ...line }): ItemInput => line);
  lines.splice(at, 1, ...(change.line ? [change.line] : []));
  if (lines.length === 0) throw conflict('invoice.last_line', 'A draft keeps at least one line. Void it instead.');
  const ids = await replaceLines(ctx, draft, draft.issued_on, lines);
  await ctx.audit({ action: 'update', entity: 'invoice', entity_id: invoiceId, after: change });
  return change.line ? ids[at] ?? null : null;
}

async function replaceLines(ctx: WorkContext, draft: InvoiceRecord, on: string, items: readonly ItemInput[]):
Promise<number[]> {
  const license = draft.license_id === null ? null : await lockLicense(ctx, draft.license_id);
  const lines = await readyLines(ctx, { customer_id: draft.customer_id, division: draft.division, on, license,
    lines: items.map(asLine) });
  await ctx.db.exec(sql`delete from invoice_tax_lines where invoice_id = ${draft.id}`);
  await ctx.db.exec(sql`delete from invoice_items where invoice_id = ${draft.id}`);
  const net = lines.reduce((all, line) => all + line.net_minor, 0);
  const tax = lines.reduce((all, line) => all + line.tax_minor, 0);
  const legal = [...new Set(lines.map((line) => line.tax.legal_text).filter((text) => text !== ''))];
  await ctx.db.exec(sql`
    update invoices set net_minor = ${net}, tax_minor = ${tax}, total_minor = ${net + tax}, legal_texts = ${legal},
      version = version + 1 where id = ${draft.id}`);
  return insertLines(ctx, draft.id, lines, await rateFor(ctx, draft.division, draft.currency, on));
}

async function lockDraft(ctx: WorkContext, id: number, version: number | null): Promise<InvoiceRecord> {
  const draft = await lockInvoice(ctx, id);
  if (draft.invoice_number !== null) throw refuse('posted_document', 'An issued invoice is never changed. Credit it.');
  if (version !== null && draft.version !== version) throw refuse('stale');
  if (draft.status !== 'draft') throw conflict('invoice.not_draft', `This document is ${draft.status}.`);
  return draft;
}

/** The licence that a draft names, locked; it must be of the same customer, division and currency. */
export async function draftLicense(ctx: WorkContext, input: InvoiceInput): Promise<LicenseDates | null> {
  if (input.license_id === null) return null;
  const license = await lockLicense(ctx, input.license_id);
  if (license.customer_id !== input.customer_id || license.division !== input.division
    || license.currency !== input.currency) {
    throw invalidField('license_id', 'The licence belongs to another customer, division or currency');
  }
  return license;
}

export function asLine(item: ItemInput): InvoiceLineInput {
  const { unit_minor, release_rule, ...line } = item;
  return {
    ...line, license_venue_id: line.license_venue_id ?? null, release_from: line.release_from ?? null,
    release_to: line.release_to ?? null, ...(unit_minor === undefined ? {} : { unit_minor }),
    ...(release_rule === undefined ? {} : { release_rule }),
  };
}
