/** Certificates that a customer uploads itself: they wait for staff and change no tax before. */
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { notifyApprovers } from '#modules/notifications/notifications.public.server.ts';
import { keepFile } from '#modules/system/file.public.server.ts';
import { waitingRows } from '#server/approval-source.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { oneLine } from '#server/mail.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import { jurisdictionName } from '../jurisdiction.contract.ts';
import { jurisdictionNameOf } from '../jurisdiction-sql.server.ts';
import {
  CERTIFICATE_KIND_NAMES, certificateEndpoints, ownCertificateEndpoints, type CertificateRow, type OwnCertificate,
} from './exemption-certificate.contract.ts';
import { certificateFile, certificateOf, certificates, refuseUnknown, type CertificateParams }
  from './exemption-certificate.server.ts';

const own = ({ id, jurisdiction, kind, number, valid_from, expires_on, state, file_name, refused_reason, version }:
CertificateRow): OwnCertificate =>
  ({ id, jurisdiction, kind, number, valid_from, expires_on, state, file_name, refused_reason, version });

async function upload(
  ctx: Ctx, customerId: number, body: BodyOf<typeof ownCertificateEndpoints.upload>,
): Promise<OwnCertificate> {
  const division = await refuseUnknown(ctx, customerId);
  const [country, state] = body.jurisdiction.split('-');
  if (body.expires_on && body.expires_on < body.valid_from) {
    throw invalidField('expires_on', 'The last day is before the first');
  }
  if (body.expires_on && body.expires_on < await ctx.today(division)) {
    throw invalidField('expires_on', 'This certificate has run out. Upload the one that is valid now.');
  }
  if (!ctx.file) throw invalidField('file', 'Choose the file of the certificate');
  const document = await keepFile(ctx, ctx.file, ctx.file.content_type);
  const row = await ctx.db.maybeOne<{ id: number }>(sql`
    insert into tax_exemption_certificates (customer_id, country, state, kind, number, issued_on, valid_from,
      expires_on, document_id, status, uploaded_by_id)
    values (${customerId}, ${country}, ${state ?? null}, ${body.kind}, ${body.number}, ${body.valid_from},
      ${body.valid_from}, ${body.expires_on ?? null}, ${document}, 'pending', ${ctx.user.user_id})
    on conflict (customer_id, country, state, number, valid_from) do update set status = 'pending',
      kind = excluded.kind,
      expires_on = excluded.expires_on, document_id = excluded.document_id,
      uploaded_by_id = excluded.uploaded_by_id, verified_by_id = null, verified_at = null, refused_reason = '',
      version = tax_exemption_certificates.version + 1
      where tax_exemption_certificates.status in ('withdrawn', 'refused')
        and not exists (select 1 from invoice_tax_lines l
          where l.exemption_certificate_id = tax_exemption_certificates.id) returning id`);
  if (!row) throw invalidField('number', 'We have this certificate already. A renewed one begins on another day.');
  const made = await certificateOf(ctx, customerId, row.id);
  await ctx.audit({ action: 'upload', entity: 'exemption_certificate', entity_id: row.id, after: made });
  await notifyApprovers(ctx, certificateEndpoints.verify, {
    title: `${oneLine(made.customer_name)} uploaded an exemption certificate`,
    body: `${jurisdictionName(made.jurisdiction)}, ${CERTIFICATE_KIND_NAMES[made.kind]}, ${made.number}`,
    href: `/admin/customers/${customerId}/tax` });
  return own(made);
}

async function withdraw(
  ctx: Ctx, { id, certificateId }: CertificateParams, version: number,
): Promise<OwnCertificate> {
  await ctx.db.exec(sql`
    select 1 from tax_exemption_certificates where id = ${certificateId} and customer_id = ${id} for update`);
  const before = await certificateOf(ctx, id, certificateId);
  if (before.version !== version) throw stale(before);
  if (before.status !== 'pending') {
    throw conflict('exemption_certificate.decided', 'We have decided about this certificate. Ask us to change it.');
  }
  await ctx.db.exec(sql`
    update tax_exemption_certificates set status = 'withdrawn', version = version + 1 where id = ${certificateId}`);
  await ctx.audit({ action: 'withdraw', entity: 'exemption_certificate', entity_id: certificateId });
  return own({ ...before, version: before.version + 1 });
}

/** Rows of the approvals inbox. */
export const waitingCertificates = (): Sql => waitingRows('exemption_certificate', {
  from: sql`from tax_exemption_certificates t join customers c on c.id = t.customer_id
    where t.status = 'pending' and c.deleted_at is null`,
  entity_id: sql`t.id`, division: sql`c.default_division`, title: sql`'Tax exemption: ' || c.name`,
  detail: sql`${jurisdictionNameOf(sql`t.country || coalesce('-' || t.state, '')`)} || ', ' || t.number || ', from '
    || to_char(t.valid_from, 'Mon FMDD, YYYY') || coalesce(' to ' || to_char(t.expires_on, 'Mon FMDD, YYYY'), '')`,
  asked_by_id: sql`t.uploaded_by_id`, asked_at: sql`t.updated_at`,
  href: sql`'/admin/customers/' || c.id || '/tax'`,
  params: sql`jsonb_build_object('id', c.id, 'certificateId', t.id)`,
  approve_body: sql`jsonb_build_object('version', t.version)`,
  decline_body: sql`jsonb_build_object('version', t.version)`,
});

export const ownCertificateRoutes: Route[] = serve(ownCertificateEndpoints, {
  list: async (ctx, { params }) => ({
    data: (await certificates(ctx, params.id, await refuseUnknown(ctx, params.id))).map(own) }),
  upload: async (ctx, { params, body }) => ({ data: await upload(ctx, params.id, body) }),
  document: (ctx, { params }) => certificateFile(ctx, params),
  withdraw: async (ctx, { params, body }) => ({ data: await withdraw(ctx, params, body.version) }),
});
