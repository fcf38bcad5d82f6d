/** Streaming receipts: report, share, invoice; a report taken back is credited (domain.md 2.7). */
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { addOnDays } from '#kernel/materials/download-access.ts';
import { applyPpm, formatRate } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { creditInvoice, issueInvoice, refuseUnpayable, type InvoiceLineInput }
  from '#modules/receivables/receivables.public.server.ts';
import type { Queryable } from '#server/db.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { findCustomerLicense, findLicense, lockLicense, type License } from '../licenses/license-record.server.ts';
import { portalStreamReportEndpoints, streamReportEndpoints, type StaffStreamReport, type streamReportInput }
  from './stream-report.contract.ts';

type Input = z.output<typeof streamReportInput>;
type Sold = Required<Pick<InvoiceLineInput, 'item_class' | 'income_type' | 'royalty_bearing'>> & {
  name: string; kind: string; grace_days: number; share_ppm: number };

/** Phases in which a stream may have had takings; a licence that was cancelled may still owe what it took before. */
const REPORTABLE: readonly string[] = ['licensed', 'in_production', 'settlement', 'closed', 'cancelled'];

function reportsWhere(db: Queryable, condition: Sql): Promise<StaffStreamReport[]> {
  return db.query<StaffStreamReport>(sql`
    select r.id, r.add_on_id, t.name, r.period_from, r.period_to, l.currency, r.gross_minor, r.share_ppm, r.fee_minor,
      r.note, r.invoice_id, i.invoice_number, r.from_portal, r.created_at, r.withdrawn_at, r.withdrawn_reason
    from stream_reports r join licenses l on l.id = r.license_id join add_ons t on t.id = r.add_on_id
      left join invoices i on i.id = r.invoice_id
    where ${condition} order by r.period_to desc, r.id desc`);
}

async function reportOf(db: Queryable, licenseId: number, id: number): Promise<StaffStreamReport> {
  const [row] = await reportsWhere(db, sql`r.license_id = ${licenseId} and r.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Add-on as the license bought it; 422 if it has no such add-on. */
async function soldWith(db: Queryable, license: License, addOnId: number): Promise<Sold> {
  const sold = await db.maybeOne<Sold>(sql`
    select t.name, t.kind, t.grace_days, c.item_class, c.income_type, c.royalty_bearing, c.share_ppm
    from license_charges c join add_ons t on t.id = c.add_on_id
    where c.license_id = ${license.id} and c.add_on_id = ${addOnId} and c.quantity > 0 and c.share_ppm is not null
    order by c.id limit 1`);
  if (!sold) throw invalidField('add_on_id', 'Choose an add-on that is paid by a share of what it takes');
  return sold;
}

/** 422 at the day: a period that is over, not before the stream may begin, and not reported yet. */
async function checkPeriod(ctx: WorkContext, license: License, sold: Sold, input: Input): Promise<void> {
  const { opens_on } = addOnDays(sold, license);
  if (input.period_to < input.period_from) throw invalidField('period_to', 'The last day is not before the first');
  if (input.period_to > await ctx.today(license.division)) {
    throw invalidField('period_to', 'Report it once these days are over');
  }
  if (opens_on !== null && input.period_from < opens_on) {
    throw invalidField('period_from', `It may be streamed from ${dateInWords(opens_on)}`);
  }
  const same = await ctx.db.maybeOne<{ period_from: string; period_to: string }>(sql`
    select period_from, period_to from stream_reports
    where license_id = ${license.id} and add_on_id = ${input.add_on_id} and withdrawn_at is null
      and daterange(period_from, period_to, '[]') && daterange(${input.period_from}, ${input.period_to}, '[]')
    order by period_from limit 1`);
  if (same) {
    throw invalidField('period_from', `${daysInWords(same)} is reported already`);
  }
}

const daysInWords = ({ period_from: from, period_to: to }: { period_from: string; period_to: string }): string =>
  (from === to ? dateInWords(from) : `${dateInWords(from)} to ${dateInWords(to)}`);

/** The licence stays locked, so that two reports of the same days see each other. */
async function report(
  ctx: Ctx, licenseId: number, input: Input, fromPortal: boolean,
): Promise<StaffStreamReport> {
  const license = await lockLicense(ctx.db, licenseId, null);
  if (!REPORTABLE.includes(license.phase)) {
    throw conflict('stream_report.not_valid', spell`Streaming revenue can be reported once the license is valid.`);
  }
  const sold = await soldWith(ctx.db, license, input.add_on_id);
  await checkPeriod(ctx, license, sold, input);
  const fee = Number(applyPpm(BigInt(input.gross_minor), BigInt(sold.share_ppm)));
  await refuseUnpayable(ctx, [{ ...license, asks_minor: fee }], fromPortal ? 'customer' : 'staff');
  const today = await ctx.today(license.division);
  const billed = fee === 0 ? null : await issueInvoice(ctx, { license_id: license.id,
    customer_id: license.customer_id, division: license.division, currency: license.currency, issued_on: today,
    // The stream is over: its share is income at once. It is no part of the quote, so it names no charge.
    lines: [{ kind: 'add_on', item_class: sold.item_class, income_type: sold.income_type,
      royalty_bearing: sold.royalty_bearing, add_on_id: input.add_on_id, release_rule: 'at_once', net_minor: fee,
      description: `${sold.name}, ${formatRate(BigInt(sold.share_ppm))} of the stream, ${daysInWords(input)}` }] });
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into stream_reports (license_id, add_on_id, period_from, period_to, gross_minor, share_ppm, fee_minor,
      invoice_id, from_portal, reported_by_id, note, created_at)
    values (${license.id}, ${input.add_on_id}, ${input.period_from}, ${input.period_to}, ${input.gross_minor},
      ${sold.share_ppm}, ${fee}, ${billed?.invoice_id ?? null}, ${fromPortal}, ${ctx.actor.actor_id}, ${input.note},
      ${ctx.now().toISOString()}) returning id`);
  await ctx.audit({ action: 'create', entity: 'license', entity_id: license.id, after: { stream: sold.name,
    period_from: input.period_from, period_to: input.period_to, gross_minor: input.gross_minor, fee_minor: fee } });
  await refreshChecklist(ctx, license.id);
  return reportOf(ctx.db, license.id, id);
}

async function withdraw(ctx: Ctx, licenseId: number, id: number, reason: string): Promise<StaffStreamReport> {
  const license = await lockLicense(ctx.db, licenseId, null);
  const row = await reportOf(ctx.db, licenseId, id);
  if (row.withdrawn_at !== null) throw conflict('stream_report.withdrawn', 'This report was taken back already.');
  // Staff may have credited it by hand before: then nothing is left of it, and only the report goes.
  const left = row.invoice_id === null ? null : await ctx.db.maybeOne<{ id: number; open: number }>(sql`
    select t.id, (t.net_minor - coalesce((select sum(n.net_minor) from invoice_items n
      where n.credits_item_id = t.id), 0))::bigint as open from invoice_items t
    where t.invoice_id = ${row.invoice_id}`);
  if (left && left.open > 0) {
    await creditInvoice(ctx, { invoice_id: row.invoice_id!, on: await ctx.today(license.division), reason,
      lines: [{ invoice_item_id: left.id, amount_minor: left.open }] });
  }
  await ctx.db.exec(sql`
    update stream_reports set withdrawn_at = ${ctx.now().toISOString()}, withdrawn_by_id = ${ctx.actor.actor_id},
      withdrawn_reason = ${reason} where id = ${id}`);
  await ctx.audit({ action: 'update', entity: 'license', entity_id: licenseId, before: { stream: row.name,
    gross_minor: row.gross_minor, fee_minor: row.fee_minor }, after: { withdrawn_reason: reason } });
  await refreshChecklist(ctx, licenseId);
  return reportOf(ctx.db, licenseId, id);
}

export const streamReportRoutes: Route[] = [
  ...serve(streamReportEndpoints, {
    async list(ctx, { params }) {
      await findLicense(ctx.db, params.licenseId);
      return { data: await reportsWhere(ctx.db, sql`r.license_id = ${params.licenseId}`) };
    },
    create: async (ctx, { params, body }) => ({ data: await report(ctx, params.licenseId, body, false) }),
    withdraw: async (ctx, { params, body }) =>
      ({ data: await withdraw(ctx, params.licenseId, params.reportId, body.reason) }),
  }),
  ...serve(portalStreamReportEndpoints, {
    async list(ctx, { params }) {
      await findCustomerLicense(ctx.db, params.id, params.licenseId);
      return { data: await reportsWhere(ctx.db, sql`r.license_id = ${params.licenseId}`) };
    },
    async create(ctx, { params, body }) {
      await findCustomerLicense(ctx.db, params.id, params.licenseId);
      return { data: await report(ctx, params.licenseId, body, true) };
    },
  }),
];
