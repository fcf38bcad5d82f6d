/**
 * Certificates that staff record are verified by that; those that customers upload wait for staff. They are withdrawn,
 * never removed.
 */
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { mailAdmins } from '#modules/customers/customers.public.server.ts';
import { notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { oneLine } from '#server/mail.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';
import {
  CERTIFICATE_KIND_NAMES, certificateEndpoints, type CertificateRow, type Exemption,
} from './exemption-certificate.contract.ts';

/** Days before its end from which a certificate is asked for again. */
const EXPIRING_DAYS = 60;

/** `t` with its customer and file; the state is that of today in the customer's division. */
async function columnsOf(ctx: WorkContext, division: string): Promise<{ columns: Sql; joins: Sql; state: Sql }> {
  const today = await ctx.today(division);
  const state = sql`case when t.status in ('pending', 'refused') then t.status
    when t.expires_on < ${today} then 'expired' when t.valid_from > ${today} then 'planned'
    when t.expires_on <= ${addDays(today, EXPIRING_DAYS)} then 'expiring' else 'valid' end`;
  return {
    state,
    columns: sql`t.id, t.customer_id, c.name as customer_name, t.country || coalesce('-' || t.state, '')
      as jurisdiction, t.kind, t.number, t.valid_from, t.expires_on, t.status,
      coalesce(t.expires_on < ${today}, false) as expired, ${state} as state,
      exists (select 1 from invoice_tax_lines l where l.exemption_certificate_id = t.id) as used,
      f.original_name as file_name, t.refused_reason,
      u.first_name || ' ' || u.last_name as uploaded_by_name, t.version, t.created_at, t.updated_at`,
    joins: sql`join customers c on c.id = t.customer_id left join files f on f.id = t.document_id
      left join users u on u.id = t.uploaded_by_id`,
  };
}

export async function certificates(ctx: Ctx, customerId: number, division: string): Promise<CertificateRow[]> {
  const { columns, joins } = await columnsOf(ctx, division);
  return ctx.db.query<CertificateRow>(sql`
    select ${columns} from tax_exemption_certificates t ${joins}
    where t.customer_id = ${customerId} and t.status <> 'withdrawn' order by t.valid_from desc, t.id desc`);
}

/** Exemptions of a customer on today's day in the division, by its certificates. */
export async function exemptionsOf(ctx: WorkContext, customerId: number, division: string): Promise<Exemption[]> {
  const { state } = await columnsOf(ctx, division);
  const rows = await ctx.db.query<Omit<Exemption, 'place'> & { jurisdiction: string }>(sql`
    select t.country || coalesce('-' || t.state, '') as jurisdiction, t.number, t.valid_from, t.expires_on,
      ${state} as state
    from tax_exemption_certificates t where t.customer_id = ${customerId} and t.status in ('pending', 'verified')
    order by t.valid_from desc, t.id desc`);
  return rows.map(({ jurisdiction, ...row }) => ({ ...row, place: jurisdictionName(jurisdiction) }));
}

/** Of all customers; those that end first come first. */
async function everyCertificate(ctx: Ctx, query: QueryOf<typeof certificateEndpoints.every>) {
  const { columns, joins, state } = await columnsOf(ctx, 'US');
  return listPage<CertificateRow>(ctx.db, {
    base: sql`tax_exemption_certificates t`, columns, joins, conditions: compact([
      sql`t.status <> 'withdrawn'`,
      query.state !== undefined && sql`${state} = ${query.state}`,
      query.search !== undefined && sql`(${mentions(sql`t.number`, query.search)} or exists (
        select 1 from customers x where x.id = t.customer_id
          and ${mentions(sql`x.name`, query.search)}))`]),
    sorts: { expires_on: sql`coalesce(t.expires_on, '2999-12-31')`, valid_from: sql`t.valid_from`,
      number: sql`t.number` },
    defaultSort: 'expires_on',
  }, query, certificateEndpoints.every.path);
}

/** 404 for one of another customer. */
export async function certificateOf(ctx: Ctx, customerId: number, id: number): Promise<CertificateRow> {
  const division = await refuseUnknown(ctx, customerId);
  const row = (await certificates(ctx, customerId, division)).find((one) => one.id === id);
  if (!row) throw refuse('not_found');
  return row;
}

export async function refuseUnknown(ctx: Ctx, customerId: number): Promise<string> {
  const row = await ctx.db.maybeOne<{ division: string }>(sql`
    select default_division as division from customers where id = ${customerId} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row.division;
}

async function storedFile(ctx: Ctx): Promise<number | null> {
  return ctx.file ? keepFile(ctx, ctx.file, ctx.file.content_type) : null;
}

/** Updates a certificate; once it has exempted an issued document, only its end and its file can change. */
async function update(ctx: Ctx, customerId: number, id: number, body: BodyOf<typeof certificateEndpoints.update>):
Promise<CertificateRow> {
  await ctx.db.exec(sql`select 1 from tax_exemption_certificates where id = ${id} for update`);
  const before = await certificateOf(ctx, customerId, id);
  if (before.version !== body.version) throw stale(before);
  for (const field of ['number', 'kind', 'valid_from'] as const) {
    if (before.used && body[field] !== undefined && body[field] !== before[field]) {
      throw invalidField(field, 'Invoices were exempted by it: end this certificate and add another');
    }
  }
  const from = body.valid_from ?? before.valid_from;
  const until = body.expires_on === undefined ? before.expires_on : body.expires_on || null;
  if (until !== null && until < from) throw invalidField('expires_on', 'The last day is before the first');
  const documentId = await storedFile(ctx);
  const taken = await ctx.db.query(sql`
    select 1 from tax_exemption_certificates o join tax_exemption_certificates t on t.id = ${id}
    where o.id <> t.id and o.customer_id = t.customer_id and o.country = t.country
      and o.state is not distinct from t.state and o.number = ${body.number ?? before.number}
      and o.valid_from = ${from}`);
  if (taken.length > 0) throw invalidField('number', 'This certificate is recorded already');
  await ctx.db.exec(sql`
    update tax_exemption_certificates set number = ${body.number ?? before.number}, kind = ${body.kind ?? before.kind},
      valid_from = ${from}, expires_on = ${until}, document_id = coalesce(${documentId}::bigint, document_id),
      version = version + 1 where id = ${id}`);
  const after = await certificateOf(ctx, customerId, id);
  await ctx.audit({ action: 'update', entity: 'exemption_certificate', entity_id: id, before, after });
  return after;
}

export interface CertificateParams { id: number; certificateId: number }

export async function certificateFile(ctx: Ctx, { id, certificateId }: CertificateParams) {
  const file = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
    select f.storage_key, f.original_name, f.mime_type from tax_exemption_certificates t
      join files f on f.id = t.document_id where t.id = ${certificateId} and t.customer_id = ${id}`);
  if (!file) throw refuse('not_found');
  return { filename: file.original_name, content_type: file.mime_type,
    content: await ctx.ports.files.get(file.storage_key) };
}

/** Staff decide about a certificate that a customer uploaded; the reason of a refusal is told to its admins. */
async function decide(
  ctx: Ctx, { id, certificateId }: CertificateParams, body: { version: number }, refusal: string | null,
): Promise<CertificateRow> {
  const held = await ctx.db.maybeOne<{ uploaded_by_id: number | null }>(sql`
    select uploaded_by_id from tax_exemption_certificates where id = ${certificateId} for update`);
  const before = await certificateOf(ctx, id, certificateId);
  if (before.version !== body.version) throw stale(before);
  if (held?.uploaded_by_id === ctx.user.user_id) {
    throw refuse('four_eyes', 'Someone other than the person who uploaded it has to decide.');
  }
  if (before.status !== 'pending') {
    throw conflict('exemption_certificate.decided', 'This certificate was verified, refused or withdrawn before.');
  }
  await ctx.db.exec(refusal === null ? sql`
    update tax_exemption_certificates set status = 'verified', verified_by_id = ${ctx.user.user_id},
      verified_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${certificateId}` : sql`
    update tax_exemption_certificates set status = 'refused', refused_reason = ${refusal}, version = version + 1
    where id = ${certificateId}`);
  const after = await certificateOf(ctx, id, certificateId);
  await ctx.audit({ action: refusal === null ? 'verify' : 'refuse', entity: 'exemption_certificate',
    entity_id: certificateId, before, after });
  await tellCertificate(ctx, after);
  return after;
}

async function tellCertificate(ctx: Ctx, row: CertificateRow): Promise<void> {
  const name = `${CERTIFICATE_KIND_NAMES[row.kind].toLowerCase()} certificate ${oneLine(row.number)}`;
  const verified = row.status === 'verified';
  const title = verified ? `We verified the ${name}` : `We could not accept the ${name}`;
  await notifyCustomer(ctx, row.customer_id, { kind: 'details.decided', roles: ['admin', 'signer'], title,
    body: row.refused_reason, href: `/customer/${row.customer_id}/information` });
  await mailAdmins(ctx, row.customer_id, { template: `customer.certificate_${row.status}`,
    subject: `Tax exemption of ${oneLine(row.customer_name)}`,
    lines: verified
      ? [`${title}. Invoices in ${jurisdictionName(row.jurisdiction)} are without sales tax while it is valid.`]
      : [`${title}: ${row.refused_reason}`, 'You can upload another one in the portal, under Information.'] });
}

export const certificateRoutes: Route[] = serve(certificateEndpoints, {
  every: (ctx, { query }) => everyCertificate(ctx, query),
  async list(ctx, { params }) {
    return { data: await certificates(ctx, params.id, await refuseUnknown(ctx, params.id)) };
  },
  async create(ctx, { params, body }) {
    const division = await refuseUnknown(ctx, params.id);
    const [country, state] = body.jurisdiction.split('-');
    const from = body.valid_from ?? await ctx.today(division);
    if (body.expires_on && body.expires_on < from) throw invalidField('expires_on', 'The last day is before the first');
    const row = await ctx.db.maybeOne<{ id: number }>(sql`
      insert into tax_exemption_certificates (customer_id, country, state, kind, number, issued_on, valid_from,
        expires_on, document_id, status, verified_by_id, verified_at)
      values (${params.id}, ${country}, ${state ?? null}, ${body.kind}, ${body.number}, ${from}, ${from},
        ${body.expires_on ?? null}, ${await storedFile(ctx)}, 'verified', ${ctx.user.user_id},
          ${ctx.now().toISOString()})
      on conflict (customer_id, country, state, number, valid_from) do update set status = 'verified',
        kind = excluded.kind,
        expires_on = excluded.expires_on, verified_by_id = excluded.verified_by_id,
        document_id = coalesce(excluded.document_id, tax_exemption_certificates.document_id),
        verified_at = excluded.verified_at, version = tax_exemption_certificates.version + 1
        where tax_exemption_certificates.status in ('withdrawn', 'refused') returning id`);
    if (!row) throw invalidField('number', 'This certificate is recorded already');
    const made = await certificateOf(ctx, params.id, row.id);
    await ctx.audit({ action: 'create', entity: 'exemption_certificate', entity_id: row.id, after: made });
    return { data: made };
  },
  update: async (ctx, { params, body }) => ({ data: await update(ctx, params.id, params.certificateId, body) }),
  verify: async (ctx, { params, body }) => ({ data: await decide(ctx, params, body, null) }),
  refuse: async (ctx, { params, body }) => ({ data: await decide(ctx, params, body, body.reason) }),
  document: (ctx, { params }) => certificateFile(ctx, params),
  async remove(ctx, { params }) {
    const done = await ctx.db.exec(sql`
      update tax_exemption_certificates set status = 'withdrawn', version = version + 1
      where id = ${params.certificateId} and customer_id = ${params.id} and status <> 'withdrawn'`);
    if (done === 0) throw refuse('not_found');
    await ctx.audit({ action: 'remove', entity: 'exemption_certificate', entity_id: params.certificateId });
  },
});
