/** Rows of the customer's area: productions that are no drafts, documents that were sent, nothing internal. */
import { isOverdue } from '#kernel/receivables/payment-terms.ts';
import { phaseGroup } from '#kernel/licensing/license-machine.ts';
import { dueReasonOf, payByReasonOf, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import { displayStatus } from '#kernel/licensing/status.ts';
import type { WorkContext } from '#server/context.ts';
import { divisionDay, divisionDayOf } from '#server/division-day.ts';
import { sql, type Sql } from '#server/sql.ts';
import { STREAM_DUE_ON, streamOwed } from '../add-ons/streams-owed.server.ts';
import { BILLED_FOR } from '../billed-words.server.ts';
import type { LicenseRow } from '../licenses/license.contract.ts';
import type { StoredLicense } from '../licenses/license-list.server.ts';
import type { NextAction } from './portal.contract.ts';

/** domain.md 8b: the customer reads documents from `sent` on that are not internal. */
export const visibleDocument = sql`not t.internal and t.deleted_at is null
  and (t.status in ('sent', 'viewed', 'signed') or (t.status = 'issued' and t.type not in ('quote_letter', 'offer',
    'production_contract')))`;

export async function dressProductions<Row extends StoredLicense>(
  ctx: WorkContext, rows: Row[],
): Promise<(Row & Pick<LicenseRow, 'status' | 'group'>)[]> {
  const out: (Row & Pick<LicenseRow, 'status' | 'group'>)[] = [];
  for (const row of rows) {
    out.push({ ...row, group: phaseGroup(row.phase), status: displayStatus(row, await ctx.today(row.division)) });
  }
  return out;
}

/** With the division whose day says whether it is late. */
type Found = Omit<NextAction, 'overdue'> & { division: string };

/** "To do": sign, pay, answer, report, upload; the nearest day first. */
export async function nextActions(ctx: WorkContext, customerId: number, licenseId?: number): Promise<NextAction[]> {
  const one = licenseId === undefined ? sql`true` : sql`l.id = ${licenseId}`;
  const found = [
    ...await toSign(ctx, customerId, one), ...await toPay(ctx, customerId, one),
    ...await toReport(ctx, customerId, one), ...await toUpload(ctx, customerId, one),
    ...licenseId === undefined ? await openApplications(ctx, customerId) : [],
  ];
  const actions = await Promise.all(found.map(async ({ division, ...action }): Promise<NextAction> =>
    ({ ...action, overdue: isOverdue(action.due_on, await ctx.today(division)) })));
  return actions.toSorted((a, b) => (a.due_on ?? '9999').localeCompare(b.due_on ?? '9999'));
}

const NONE = { license_id: null, application_id: null, invoice_id: null, deposit_id: null, due_on: null,
  due_reason: null, amount_minor: null, currency: null };

async function toSign(ctx: WorkContext, customerId: number, one: Sql): Promise<Found[]> {
  const rows = await ctx.db.query<{ id: number; title: string; division: string; last_day: string }>(sql`
    select l.id, l.title_on_license as title, l.division,
      ${divisionDayOf(sql`l.offer_expires_at`, sql`l.division`)} as last_day from licenses l
    where l.customer_id = ${customerId} and l.deleted_at is null and l.phase = 'sent'
      and l.offer_expires_at > ${ctx.now().toISOString()} and ${one}`);
  const addenda = await ctx.db.query<{ id: number; title: string; division: string }>(sql`
    select l.id, l.title_on_license as title, l.division from licenses l
    join license_versions v on v.license_id = l.id and v.version_no = l.offer_version and v.reason = 'amendment'
    where l.customer_id = ${customerId} and l.deleted_at is null
      and l.phase in ('licensed', 'in_production', 'settlement') and ${one}
      and not exists (select 1 from signatures s where s.license_version_id = v.id and s.voided_at is null)`);
  return [...rows.map((row): Found => ({ ...NONE, kind: 'sign', title: `Read and sign the offer for ${row.title}`,
    license_id: row.id, due_on: row.last_day, division: row.division })),
  ...addenda.map((row): Found => ({ ...NONE, kind: 'sign', title: `Sign the addendum for ${row.title}`,
    license_id: row.id, division: row.division }))];
}

/** As {@link PayByOfLicense} keeps it. */
const payByColumns = sql`l.pay_by, l.pay_by_reason, l.pay_by_ships_on`;

interface Owed extends PayByOfLicense {
  id: number; name: string; due_on: string | null; amount_minor: number; currency: string; division: string;
}

async function toPay(ctx: WorkContext, customerId: number, one: Sql): Promise<Found[]> {
  const invoices = await ctx.db.query<Owed & { license_id: number | null; kind: 'invoice' | 'proforma';
    issued_on: string | null }>(sql`
    select i.id, i.license_id, i.kind, i.issued_on, i.division, i.due_on, i.balance_minor as amount_minor, i.currency,
      coalesce(${BILLED_FOR}, i.invoice_number, i.reference) as name, ${payByColumns}
    from invoices i left join licenses l on l.id = i.license_id
    where i.customer_id = ${customerId} and i.kind in ('invoice', 'proforma')
      and i.status in ('proforma', 'issued', 'part_paid') and i.balance_minor > 0 and ${one}`);
  const deposits = await ctx.db.query<Owed & { license_id: number }>(sql`
    select d.id, d.license_id, l.division, l.title_on_license as name, d.due_on, d.amount_minor, d.currency,
      ${payByColumns}
    from deposits d join licenses l on l.id = d.license_id
    where l.customer_id = ${customerId} and d.status = 'requested' and ${one}`);
  const payment = ({ due_on, amount_minor, currency, division }: Owed) => ({ ...NONE, kind: 'pay' as const, due_on,
    amount_minor, currency, division });
  return [
    ...invoices.map((row): Found => ({ ...payment(row), title: `Pay for ${row.name}`, license_id: row.license_id,
      invoice_id: row.id, due_reason: dueReasonOf(row) })),
    ...deposits.map((row): Found => ({ ...payment(row), title: `Pay the deposit for ${row.name}`,
      license_id: row.license_id, deposit_id: row.id,
      due_reason: dueReasonOf({ ...row, kind: 'deposit', issued_on: null }) })),
  ];
}

async function toReport(ctx: WorkContext, customerId: number, one: Sql): Promise<Found[]> {
  const rows = await ctx.db.query<{ license_id: number; title: string; due_on: string | null; queried: boolean;
    held: boolean; division: string }>(sql`
    select l.id as license_id, l.division, l.title_on_license as title, b.due_on, b.status = 'queried' as queried,
      b.held
    from box_office_reports b join licenses l on l.id = b.license_id
    where l.customer_id = ${customerId} and l.phase in ('licensed', 'in_production', 'settlement')
      and (b.status in ('expected', 'queried') or b.held) and b.period_to <= ${divisionDay(ctx.now(), sql`l.division`)}
      and ${one}`);
  const streams = await ctx.db.query<{ license_id: number; title: string; due_on: string; division: string }>(sql`
    select l.id as license_id, l.division, l.title_on_license as title, ${STREAM_DUE_ON} as due_on
    from licenses l left join license_terms lt on lt.license_id = l.id
    where l.customer_id = ${customerId} and l.phase in ('licensed', 'in_production', 'settlement')
      and l.last_performance_on <= ${divisionDay(ctx.now(), sql`l.division`)} and ${one} and ${streamOwed(sql`l.id`)}`);
  return [...rows.map((row): Found => ({ ...NONE,
    kind: row.held || row.queried ? 'box_office_question' : 'box_office', license_id: row.license_id,
    due_on: row.due_on, division: row.division, title: row.held
      ? `Look again at your report of ${row.title}` : row.queried
      ? `Answer the question about the box office of ${row.title}`
      : `Report the box office of ${row.title}` })),
  ...streams.map((row): Found => ({ ...NONE, kind: 'stream', license_id: row.license_id, due_on: row.due_on,
    division: row.division, title: `Report what the stream of ${row.title} took` }))];
}

async function toUpload(ctx: WorkContext, customerId: number, one: Sql): Promise<Found[]> {
  const rows = await ctx.db.query<PayByOfLicense & { id: number; title: string; division: string }>(sql`
    select l.id, l.division, l.title_on_license as title, ${payByColumns} from licenses l
    where l.customer_id = ${customerId} and l.phase = 'accepted' and l.execution_policy = 'purchase_order' and ${one}
      and not exists (select 1 from license_documents d where d.license_id = l.id and d.type = 'purchase_order'
        and d.deleted_at is null)`);
  return rows.map((row) => ({ ...NONE, kind: 'upload', title: `Upload the purchase order for ${row.title}`,
    license_id: row.id, due_on: row.pay_by, due_reason: payByReasonOf(row), division: row.division }));
}

async function openApplications(ctx: WorkContext, customerId: number): Promise<Found[]> {
  const rows = await ctx.db.query<{ id: number; status: string; titles: string; division: string }>(sql`
    select a.id, a.status, a.division, (select string_agg(s.title, ', ' order by x.rank)
      from license_application_shows x join shows s on s.id = x.show_id where x.license_application_id = a.id) as titles
    from license_applications a where a.customer_id = ${customerId} and a.status in ('draft', 'info_requested')`);
  return rows.map((row) => (row.status === 'draft'
    ? { ...NONE, kind: 'submit', title: `Finish your application for ${row.titles ?? 'a show'}`,
      application_id: row.id, division: row.division }
    : { ...NONE, kind: 'answer', title: `Answer our question about ${row.titles ?? 'your application'}`,
      application_id: row.id, division: row.division }));
}
