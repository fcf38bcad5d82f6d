/** Certificates are recorded by staff who have seen them: recording verifies. They are withdrawn, never removed. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { certificateEndpoints, type CertificateRow } from './exemption-certificate.contract.ts';

function certificates(ctx: Ctx, customerId: number): Promise<CertificateRow[]> {
  return ctx.db.query<CertificateRow>(sql`
    select e.id, e.customer_id, e.country || coalesce('-' || e.state, '') as jurisdiction, e.kind, e.number,
      e.valid_from, e.expires_on, e.status, coalesce(e.expires_on < ${ctx.now().toISOString().slice(0, 10)}, false)
        as expired, f.original_name as file_name, e.version, e.created_at
    from tax_exemption_certificates e left join files f on f.id = e.document_id
    where e.customer_id = ${customerId} and e.status <> 'withdrawn' order by e.valid_from desc, e.id desc`);
}

async function refuseUnknown(ctx: Ctx, customerId: number): Promise<string> {
  const row = await ctx.db.maybeOne<{ division: string }>(sql`
    select default_division as division from customers where id = ${customerId} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row.division;
}

async function storedFile(ctx: Ctx): Promise<number | null> {
  if (!ctx.file) return null;
  const put = await ctx.ports.files.put(ctx.file.content);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
    values (${put.storage_key}, ${put.sha256}, ${ctx.file.content_type}, ${put.size}, ${ctx.file.filename},
      ${ctx.user.user_id}) returning id`);
  return id;
}

export const certificateRoutes: Route[] = serve(certificateEndpoints, {
  async list(ctx, { params }) {
    await refuseUnknown(ctx, params.id);
    return { data: await certificates(ctx, params.id) };
  },
  async create(ctx, { params, body }) {
    const division = await refuseUnknown(ctx, params.id);
    const [country, state] = body.jurisdiction.split('-');
    const from = body.valid_from ?? await ctx.today(division);
    if (body.expires_on && body.expires_on < from) throw invalidField('expires_on', 'It ends before it starts');
    const row = await ctx.db.maybeOne<{ id: number }>(sql`
      insert into tax_exemption_certificates (customer_id, country, state, kind, number, issued_on, valid_from,
        expires_on, document_id, status, verified_by_id, verified_at)
      values (${params.id}, ${country}, ${state ?? null}, ${body.kind}, ${body.number}, ${from}, ${from},
        ${body.expires_on ?? null}, ${await storedFile(ctx)}, 'verified', ${ctx.user.user_id},
          ${ctx.now().toISOString()})
      on conflict do nothing returning id`);
    if (!row) throw invalidField('number', 'This certificate is recorded already');
    const made = (await certificates(ctx, params.id)).find((one) => one.id === row.id)!;
    await ctx.audit({ action: 'create', entity: 'exemption_certificate', entity_id: row.id, after: made });
    return { data: made };
  },
  async remove(ctx, { params }) {
    const done = await ctx.db.exec(sql`
      update tax_exemption_certificates set status = 'withdrawn', version = version + 1
      where id = ${params.certificateId} and customer_id = ${params.id} and status <> 'withdrawn'`);
    if (done === 0) throw refuse('not_found');
    await ctx.audit({ action: 'remove', entity: 'exemption_certificate', entity_id: params.certificateId });
  },
});
