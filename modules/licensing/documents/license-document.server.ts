/** Calls about documents: uploaded, generated, sent, in the trash; the preview of the offer. */
import type { LicensePhase } from '#kernel/licensing/license-machine.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import type { Ctx, FileAnswer, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { queueMail } from '#server/mail.ts';
import { renderPdf } from '#server/pdf.ts';
import { serve } from '#server/routes.ts';
import { matches, mentions, type Sql, sql } from '#server/sql.ts';
import { requireDraft } from '../licenses/quote/change-draft.server.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { findLicense, lockLicense } from '../licenses/license-record.server.ts';
import { priceOrRefuse } from '../licenses/pricing/price-license.server.ts';
import { freezeOffer } from './generate-offer.server.ts';
import { licenseDocumentEndpoints, type LicenseDocumentRow } from './license-document.contract.ts';
import { offerSnapshot } from './offer-snapshot.server.ts';
import { quoteLetter } from './offer-texts.ts';
import { addDocument, mimeOf } from './store-document.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';

export const documentColumns = sql`t.id, t.license_id, t.type, t.description, t.status, t.origin, t.internal,
  f.original_name as file_name, f.mime_type, f.size_bytes, f.sha256, w.version_no as offer_version, t.issued_at,
  t.sent_at, t.viewed_at, t.signed_at, u.first_name || ' ' || u.last_name as uploaded_by_name, t.version,
  t.created_at, t.updated_at`;
export const documentJoins = sql`left join files f on f.id = t.document_id
  left join license_versions w on w.id = t.license_version_id left join users u on u.id = t.uploaded_by_id`;

const sorts = { created_at: sql`t.created_at`, type: sql`t.type`, status: sql`t.status`,
  updated_at: sql`t.updated_at` };

async function list(ctx: Ctx, licenseId: number, query: { type?: string | undefined; status?: string | undefined }
  & Parameters<typeof listPage>[2], trashed: boolean) {
  await findLicense(ctx.db, licenseId);
  return listPage<LicenseDocumentRow>(ctx.db, {
    base: sql`license_documents t`, columns: documentColumns, joins: documentJoins, sorts,
    defaultSort: 'created_at', defaultDirection: 'desc',
    conditions: compact([sql`t.license_id = ${licenseId}`, trashed ? sql`t.deleted_at is not null`
      : sql`t.deleted_at is null`, query.type !== undefined && sql`t.type = ${query.type}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.search !== undefined && mentions(sql`t.description`, query.search)]),
  }, query, `/api/admin/staff/licenses/${licenseId}/license_documents${trashed ? '/trash' : ''}`);
}

export async function findDocument(
  ctx: WorkContext, licenseId: number, documentId: number, state: Sql = sql`t.deleted_at is null`,
): Promise<LicenseDocumentRow> {
  const row = await ctx.db.maybeOne<LicenseDocumentRow>(sql`
    select ${documentColumns} from license_documents t ${documentJoins}
    where t.id = ${documentId} and t.license_id = ${licenseId} and ${state}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** The bytes of a document; 404 for one without a file. */
export async function documentFile(ctx: WorkContext, licenseId: number, documentId: number): Promise<FileAnswer> {
  const row = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
    select f.storage_key, f.original_name, f.mime_type from license_documents d join files f on f.id = d.document_id
    where d.id = ${documentId} and d.license_id = ${licenseId} and d.deleted_at is null`);
  if (!row) throw refuse('not_found');
  return { filename: row.original_name, content_type: row.mime_type, inline: true,
    content: await ctx.ports.files.get(row.storage_key) };
}

async function setTrash(ctx: Ctx, licenseId: number, documentId: number, trashed: boolean): Promise<void> {
  const before = await findDocument(ctx, licenseId, documentId,
    trashed ? sql`t.deleted_at is null` : sql`t.deleted_at is not null`);
  if (trashed && before.status !== 'draft' && before.origin === 'generate') {
    throw conflict('posted_document', 'An issued document is never deleted; it is superseded by the next one.');
  }
  if (trashed && before.status === 'signed') {
    throw conflict('posted_document', 'A signed document is never deleted.');
  }
  await ctx.db.exec(sql`
    update license_documents set deleted_at = ${trashed ? ctx.now().toISOString() : null}, version = version + 1
    where id = ${documentId}`);
  await ctx.audit({ action: trashed ? 'remove' : 'restore', entity: 'license_document', entity_id: documentId,
    before });
}

async function send(ctx: Ctx, licenseId: number, documentId: number,
  mail: { recipients: string[]; message?: string | undefined }) {
  const license = await findLicense(ctx.db, licenseId);
  const document = await findDocument(ctx, licenseId, documentId);
  const file = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
    select f.storage_key, f.original_name, f.mime_type from files f join license_documents d on d.document_id = f.id
    where d.id = ${documentId}`);
  if (!file) throw conflict('license.document_empty', 'This document has no file yet.');
  if (['void', 'superseded'].includes(document.status)) {
    throw conflict('license.document_void', 'This document is out of date; send the current one.');
  }
  if (license.phase === 'draft' && ['quote_letter', 'offer', 'production_contract'].includes(document.type)) {
    throw conflict('license.phase_conflict', 'Send the offer itself: that freezes it and holds the rights.',
      { phase: license.phase, allowed: ['send_offer'] });
  }
  await queueMail(ctx.db, { template: 'document.sent', to: mail.recipients, entity: 'license', entity_id: license.id,
    subject: `${document.description || 'Document'}: ${license.title_on_license}`,
    letter: { greeting: mail.message ? null : await greetingOf(ctx.db, mail.recipients),
      paragraphs: [mail.message || `Please find attached: ${document.description || file.original_name}.`],
      contact: await contactOf(ctx.db, license.license_rep_id, license.division) },
    attachments: [{ filename: file.original_name, content_type: file.mime_type, storage_key: file.storage_key }] });
  await ctx.db.exec(sql`
    update license_documents set sent_at = ${ctx.now().toISOString()}, version = version + 1,
      status = case when status in ('draft', 'issued') then 'sent' else status end where id = ${documentId}`);
  await writeLicenseEvent(ctx, { license_id: license.id, event: 'send_document',
    details: { document_id: documentId, recipients: mail.recipients } });
  await ctx.audit({ action: 'send', entity: 'license_document', entity_id: documentId, after: mail });
  return { data: await findDocument(ctx, licenseId, documentId) };
}

export const licenseDocumentRoutes = serve(licenseDocumentEndpoints, {
  list: (ctx, { params, query }) => list(ctx, params.licenseId, query, false),
  trash: (ctx, { params, query }) => list(ctx, params.licenseId, query, true),
  show: async (ctx, { params }) => ({ data: await findDocument(ctx, params.licenseId, params.documentId) }),
  file: (ctx, { params }) => documentFile(ctx, params.licenseId, params.documentId),
  async update(ctx, { params, body }) {
    const { version, ...fields } = body;
    const before = await findDocument(ctx, params.licenseId, params.documentId);
    if (before.version !== version) throw stale(before);
    if (fields.type !== undefined && fields.type !== before.type && before.origin === 'generate') {
      throw invalidField('type', 'The type of a generated document stays as it is');
    }
    await ctx.db.exec(sql`
      update license_documents set type = ${fields.type ?? before.type},
        description = ${fields.description ?? before.description}, internal = ${fields.internal ?? before.internal},
        version = version + 1 where id = ${params.documentId}`);
    await ctx.audit({ action: 'update', entity: 'license_document', entity_id: params.documentId, before,
      after: fields });
    return { data: await findDocument(ctx, params.licenseId, params.documentId) };
  },
  async upload(ctx, { params, body }) {
    if (!ctx.file) throw invalidField('document', 'Choose a file');
    const license = await findLicense(ctx.db, params.licenseId);
    const { id } = await addDocument(ctx, { license_id: license.id, type: body.type, description: body.description,
      status: 'issued', origin: 'upload', internal: body.internal === 'true',
      file: { name: ctx.file.filename, mime_type: mimeOf(ctx.file), content: ctx.file.content } });
    await writeLicenseEvent(ctx, { license_id: license.id, event: 'upload_document', details: { document_id: id,
      type: body.type } });
    await ctx.audit({ action: 'create', entity: 'license_document', entity_id: id, after: body });
    await refreshChecklist(ctx, license.id);
    return { data: await findDocument(ctx, license.id, id) };
  },
  send: (ctx, { params, body }) => send(ctx, params.licenseId, params.documentId, body),
  async generateOffer(ctx, { params }) {
    const license = await lockLicense(ctx.db, params.licenseId, null);
    requireDraft(license);
    if (license.priced_at === null) {
      throw conflict('license.precondition', 'Price every performance.', { phase: license.phase,
        unmet: [{ guard: 'performances_priced', message: 'Price every performance.' }] });
    }
    const offer = await freezeOffer(ctx, license.id);
    await writeLicenseEvent(ctx, { license_id: license.id, event: 'generate_offer',
      details: { offer_version: offer.version_no, sha256: offer.sha256 } });
    await ctx.audit({ action: 'generate_offer', entity: 'license', entity_id: license.id,
      after: { version_no: offer.version_no, sha256: offer.sha256 } });
    return { data: await findDocument(ctx, license.id, offer.document_id) };
  },
  remove: (ctx, { params }) => setTrash(ctx, params.licenseId, params.documentId, true),
  async restore(ctx, { params }) {
    await setTrash(ctx, params.licenseId, params.documentId, false);
    return { data: await findDocument(ctx, params.licenseId, params.documentId) };
  },
  async previewPdf(ctx, { params }) {
    const license = await findLicense(ctx.db, params.licenseId);
    const snapshot = await priceOrRefuse(() => offerSnapshot(ctx, license.id, Math.max(license.offer_version, 1)));
    return { filename: `Preview ${license.number}.pdf`, content_type: 'application/pdf', inline: true,
      content: await renderPdf(quoteLetter(snapshot, ctx.now())) };
  },
  async everywhere(ctx, { query }) {
    const ofLicense = compact([
      query.division !== undefined && sql`l.division = ${query.division}`,
      query.customer_id !== undefined && sql`l.customer_id = ${query.customer_id}`,
      query.search !== undefined && matches(sql`l.search_text`, query.search),
    ]);
    return listPage<LicenseDocumentRow & { license_number: string; customer_id: number; customer_name: string;
      title: string; division: string; phase: LicensePhase; offer_expires_at: string | null }>(ctx.db, {
      base: sql`license_documents t`, sorts, defaultSort: 'updated_at', defaultDirection: 'desc',
      columns: sql`${documentColumns},
        coalesce(l.license_number, l.number) as license_number, l.customer_id, c.name as customer_name,
        l.title_on_license as title, l.division, l.phase, l.offer_expires_at`,
      joins: sql`${documentJoins} join licenses l on l.id = t.license_id join customers c on c.id = l.customer_id`,
      conditions: compact([sql`t.deleted_at is null`, query.type !== undefined && sql`t.type = ${query.type}`,
        query.status !== undefined && sql`t.status = ${query.status}`,
        query.unsigned === 'true' && sql`t.type = 'production_contract' and t.status in ('sent', 'viewed')`,
        ...ofLicense.map((condition) => sql`exists (select 1 from licenses l where l.id = t.license_id
          and ${condition})`)]),
    }, query, '/api/admin/staff/documents');
  },
});
