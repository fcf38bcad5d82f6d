/** Drafts by hand: made, changed, voided, restored, deleted for good; the issued document is never edited. */
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import type { LocalRateAnswer } from '#modules/taxation/local-tax-rates/local-tax-rate.contract.ts';
import { keepTaxSource, refuseRefusedNumber, rememberLocalRate } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseFutureDocument } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { rateFor } from '../ledger/post.server.ts';
import type { InvoiceLineInput } from '../receivables-types.ts';
import { insertDraft, insertLines, lockLicense } from './draft-invoice.server.ts';
import { readyLines, unknownZips, type LicenseDates, type ReadyLine } from './invoice-lines.server.ts';
import type { invoiceInput, invoiceItemInput } from './invoice.contract.ts';
import { lockInvoice, type InvoiceRecord } from './invoice-store.server.ts';
import { storeTaxOfDay, taxOfDay, type TaxOfDay } from './tax-of-day.server.ts';
import { finishInvoice, postDraft } from './issue-invoice.server.ts';

export type InvoiceInput = z.output<typeof invoiceInput>;
export type ItemInput = z.output<typeof invoiceItemInput>;

/** A draft has lines and tax of its intended day, today's where it names none; neither number nor posting. */
export async function createDraft(ctx: WorkContext, input: InvoiceInput): Promise<number> {
  const license = await draftLicense(ctx, input);
  const on = input.issued_on ?? await ctx.today(input.division);
  const lines = await draftLines(ctx, { customer_id: input.customer_id, division: input.division, on, license,
    lines: input.items.map(asLine) }, input.local_rates);
  const { id } = await insertDraft(ctx, {
    kind: 'invoice', customer_id: input.customer_id, division: input.division, currency: input.currency, license, on,
    issued_on: input.issued_on ?? null, due_on: input.due_on ?? null, dated_later: true,
    purchase_order_no: input.purchase_order_no, notes: input.notes }, lines);
  await ctx.audit({ action: 'create', entity: 'invoice', entity_id: id, after: input });
  return id;
}

/**
 * Lines of a draft. A taxable one whose ZIP has no known local rate, in a state whose rates are not complete, asks once
 * (409 `tax.local_rate_unknown`); the answer is kept for everybody.
 */
async function draftLines(ctx: WorkContext, input: Parameters<typeof readyLines>[1],
  answers: readonly LocalRateAnswer[] = []): Promise<ReadyLine[]> {
  for (const answer of answers) await rememberLocalRate(ctx, answer, input.on);
  const lines = await readyLines(ctx, input);
  const unknown = unknownZips(lines);
  if (unknown.length > 0) {
    throw conflict('tax.local_rate_unknown', `No local tax rate is known for ${unknown.map(({ state, zip }) =>
      `ZIP ${zip} in ${state}`).join(', ')}. Enter it, or confirm that the state rate is right there.`, { unknown });
  }
  return lines;
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
  const issued = input.issued_on === undefined ? draft.issued_on : input.issued_on;
  const due = input.due_on === undefined ? draft.due_on : input.due_on;
  if (input.due_on && issued !== null && input.due_on < issued) {
    throw invalidField('due_on', 'The due date is before the date of issue');
  }
  const on = issued ?? await ctx.today(draft.division);
  await ctx.db.exec(sql`
    update invoices set issued_on = ${issued}, tax_point_on = ${issued}, version = version + 1,
      due_on = case when ${due}::date is not null then greatest(${due}::date, ${issued}::date) end,
      purchase_order_no = ${input.purchase_order_no === undefined ? draft.purchase_order_no : input.purchase_order_no},
      notes = ${input.notes ?? draft.notes} where id = ${id}`);
  if (input.items) await replaceLines(ctx, draft, on, input.items, input.local_rates);
  else await storeTaxOfDay(ctx, draft, on, await taxOfDay(ctx, draft, on));
  await ctx.audit({ action: 'update', entity: 'invoice', entity_id: id, before: draft, after: input });
}

export interface IssueDraft {
  version: number;
  issued_on?: string | undefined;
  dated_ahead_confirmed: boolean;
  /** The total that the person was shown after the tax had changed. */
  confirmed_total_minor?: number | undefined;
}

/**
 * Number and posting (X104), with the tax of the day of issue. What it asks for is what the person saw: a total that
 * differs from the draft's is confirmed first (409 `invoice.tax_changed`).
 */
export async function issueDraft(ctx: WorkContext, id: number, input: IssueDraft): Promise<void> {
  // The licence first: every verb takes its locks in one order.
  await ctx.db.exec(sql`
    select 1 from licenses l where l.id = (select license_id from invoices where id = ${id}) for update`);
  const draft = await lockDraft(ctx, id, input.version);
  if (draft.kind !== 'invoice') throw conflict('invoice.not_draft', 'A pro forma is issued by its payment.');
  const on = input.issued_on ?? draft.issued_on ?? await ctx.today(draft.division);
  await refuseFutureDocument(ctx, { division: draft.division, on, field: 'issued_on',
    confirmed: input.dated_ahead_confirmed });
  const now = await taxOfDay(ctx, draft, on);
  refuseRefusedNumber(now.items.map((item) => item.tax));
  askAboutTax(draft, now, input.confirmed_total_minor);
  await storeTaxOfDay(ctx, draft, on, now);
  const { terms } = await ctx.db.one<{ terms: number }>(sql`
    select payment_terms_days as terms from customers where id = ${draft.customer_id}`);
  const due = draft.due_on ?? addDays(on, termsDays(terms, Boolean(draft.purchase_order_no)));
  await ctx.db.exec(sql`
    update invoices set issued_on = ${on}, tax_point_on = ${on}, due_on = ${due < on ? on : due},
      issued_by_id = ${ctx.actor.actor_id} where id = ${id}`);
  await finishInvoice(ctx, await postDraft(ctx, id));
}

function askAboutTax(draft: DraftRecord, now: TaxOfDay, confirmed: number | undefined): void {
  if (now.total_minor === (confirmed ?? draft.total_minor)) return;
  const [before, after] = [draft.total_minor, now.total_minor].map((minor) => formatMoney(minor, draft.currency));
  throw conflict('invoice.tax_changed', `The tax has changed since this draft was saved: the total was ${before
  } and is now ${after}. ${now.reason === '' ? '' : `${now.reason}. `}Confirm the new total to issue it.`,
  { old_total_minor: draft.total_minor, new_total_minor: now.total_minor, old_tax_minor: draft.tax_minor,
    new_tax_minor: now.tax_minor });
}

/** Issued documents are credited, never deleted: 409 `posted_document`. */
export async function voidDraft(ctx: WorkContext, id: number): Promise<void> {
  const document = await lockInvoice(ctx, id);
  if (document.invoice_number !== null || document.status === 'paid') throw refuse('posted_document');
  if (document.status === 'void') throw refuse('not_found');
  await ctx.db.exec(sql`
    update invoices set status = 'void', voided_at = ${ctx.now().toISOString()}, void_reason = 'Removed',
      version = version + 1 where id = ${id}`);
  await ctx.ports.money.licensing.proFormaVoided(ctx, { proforma_id: id });
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
  await ctx.ports.money.licensing.proFormaDeleted(ctx, { proforma_id: id });
  await ctx.db.exec(sql`delete from invoice_tax_lines where invoice_id = ${id}`);
  await ctx.db.exec(sql`delete from invoice_items where invoice_id = ${id}`);
  await ctx.db.exec(sql`delete from invoices where id = ${id}`);
  await ctx.audit({ action: 'force_delete', entity: 'invoice', entity_id: id, before: document });
}

/** One line more, in place of another, or less; the draft's tax and totals follow. */
export async function editLine(ctx: WorkContext, invoiceId: number, change: { itemId?: number; line?: ItemInput;
  local_rates?: readonly LocalRateAnswer[] }):
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
  const ids = await replaceLines(ctx, draft, draft.issued_on ?? await ctx.today(draft.division), lines,
    change.local_rates);
  await ctx.audit({ action: 'update', entity: 'invoice', entity_id: invoiceId, after: change });
  return change.line ? ids[at] ?? null : null;
}

async function replaceLines(ctx: WorkContext, draft: DraftRecord, on: string, items: readonly ItemInput[],
  answers?: readonly LocalRateAnswer[]): Promise<number[]> {
  const license = draft.license_id === null ? null : await lockLicense(ctx, draft.license_id);
  const lines = await draftLines(ctx, { customer_id: draft.customer_id, division: draft.division, on, license,
    lines: items.map(asLine) }, answers);
  await ctx.db.exec(sql`delete from invoice_tax_lines where invoice_id = ${draft.id}`);
  await ctx.db.exec(sql`delete from invoice_items where invoice_id = ${draft.id}`);
  const net = lines.reduce((all, line) => all + line.net_minor, 0);
  const tax = lines.reduce((all, line) => all + line.tax_minor, 0);
  const legal = [...new Set(lines.map((line) => line.tax.legal_text).filter((text) => text !== ''))];
  await ctx.db.exec(sql`
    update invoices set net_minor = ${net}, tax_minor = ${tax}, total_minor = ${net + tax}, legal_texts = ${legal},
      version = version + 1 where id = ${draft.id}`);
  await keepTaxSource(ctx, draft.id, lines[0]?.tax.source);
  return insertLines(ctx, draft.id, lines, await rateFor(ctx, draft.division, draft.currency, on));
}

/** A draft need not know its days yet. */
type DraftRecord = Omit<InvoiceRecord, 'issued_on' | 'due_on'> & { issued_on: string | null; due_on: string | null };

async function lockDraft(ctx: WorkContext, id: number, version: number | null): Promise<DraftRecord> {
  const draft: DraftRecord = await lockInvoice(ctx, id);
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
    throw invalidField('license_id', spell`The license belongs to another customer, division or currency`);
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
