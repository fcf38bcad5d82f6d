/**
 * Sealing: the signed file with its certificate page, stored once under the lock of the licence and mailed to whoever
 * signs for the customer. Staff and customer open the same stored bytes.
 */
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { MailAttachment } from '#server/mail.ts';
import { keyOf } from '#server/outside.ts';
import { UnreadablePdf, withPages } from '#server/pdf-pages.ts';
import { renderPdf } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';
import { signaturePage, type SignedDocument } from './signature-page.ts';
import { addDocument } from './store-document.server.ts';

interface SignatureRow {
  id: number; method: 'portal' | 'wet'; signer_name: string; signer_title: string; signed_on: string;
  account_name: string; ip: string | null; created_at: string; document_id: number | null;
}

/** The executed copy of a version that has just been signed. 422 at `document` for a paper that is damaged. */
export async function sealSignature(ctx: WorkContext, license: License, versionId: number): Promise<MailAttachment> {
  const signature = await ctx.db.one<SignatureRow>(sql`
    select id, method, signer_name, signer_title, signed_on, coalesce(account_name, '') as account_name, host(ip) as ip,
      created_at, document_id
    from signatures where license_version_id = ${versionId} and voided_at is null`);
  const { type, signed } = await signedFile(ctx, versionId, signature.document_id);
  const facts = await factsOf(ctx, license, versionId, signature,
    { document: type === 'amendment' ? 'Addendum' : 'Contract', sha256: signed.sha256 });
  const content = await sealed(ctx, signed, facts);
  const name = `${facts.document} ${license.number} v${facts.offer_version} executed.pdf`;
  const { file } = await addDocument(ctx, { license_id: license.id, license_version_id: versionId,
    type: 'signed_contract', description: `Executed copy, signed by ${signature.signer_name}`, status: 'signed',
    origin: 'generate', file: { name, mime_type: 'application/pdf', content } });
  await ctx.db.exec(sql`
    update signatures set executed_file_id = ${file.id}, document_sha256 = ${signed.sha256}
    where id = ${signature.id}`);
  return { filename: name, content_type: 'application/pdf', storage_key: file.storage_key };
}

interface SignedFile { storage_key: string; sha256: string; mime_type: string }

/** The uploaded paper, else the contract or addendum as it was issued. */
async function signedFile(
  ctx: WorkContext, versionId: number, uploadId: number | null,
): Promise<{ type: string; signed: SignedFile }> {
  const row = await ctx.db.one<SignedFile & { type: string }>(sql`
    select d.type, f.storage_key, f.sha256, f.mime_type from license_documents d
    join files f on f.id = coalesce(${uploadId}::bigint, d.document_id)
    where d.license_version_id = ${versionId} and d.origin = 'generate'
      and d.type in ('production_contract', 'amendment') order by d.id desc limit 1`);
  return { type: row.type, signed: row };
}

/** Page and joining are one piece of work, so that the transaction is repeated once for both. */
async function sealed(ctx: WorkContext, signed: SignedFile, facts: SignedDocument): Promise<Buffer> {
  const page = signaturePage(facts);
  try {
    return await withPages(await ctx.ports.files.get(signed.storage_key), signed.mime_type, keyOf(page),
      () => renderPdf(page));
  } catch (error) {
    if (error instanceof UnreadablePdf) throw invalidField('document', error.message);
    throw error;
  }
}

async function factsOf(
  ctx: WorkContext, license: License, versionId: number, signature: SignatureRow,
  file: Pick<SignedDocument, 'document' | 'sha256'>,
): Promise<SignedDocument> {
  const row = await ctx.db.one<{ snapshot: OfferSnapshot; version_no: number; timezone: string; issued_at: string;
    issuer: string | null }>(sql`
    select v.snapshot, v.version_no, d.timezone,
      coalesce(case when v.reason = 'offer' then l.offer_sent_at end, v.created_at) as issued_at,
      (select u.first_name || ' ' || u.last_name from users u where u.role <> 'customer' and u.id = coalesce(
        (select e.actor_id from license_events e where e.license_id = l.id and e.event = 'send_offer'
          and v.reason = 'offer' order by e.id desc limit 1), v.created_by_id)) as issuer
    from license_versions v join licenses l on l.id = v.license_id join divisions d on d.code = l.division
    where v.id = ${versionId}`);
  const { snapshot } = row;
  const signatory = licensorSignatory(snapshot, row.issuer);
  return {
    ...file, division: license.division, number: license.number, offer_version: row.version_no, title: snapshot.title,
    timezone: row.timezone,
    licensee: { name: signature.signer_name, title: signature.signer_title, organization: snapshot.customer.name,
      at: new Date(signature.created_at), ip: signature.ip, account: signature.account_name, method: signature.method,
      signed_on: signature.signed_on },
    licensor: { ...signatory, organization: snapshot.house.name, at: new Date(row.issued_at),
      issued_by: row.issuer ?? 'Automatic offer under the rules of the division' },
  };
}

/** The signatory whom the contract names; where it names nobody, the person who issued it, else the licensor alone. */
export function licensorSignatory(
  snapshot: Pick<OfferSnapshot, 'contract' | 'house'>, issuer: string | null,
): { name: string; title: string } {
  const { name = '', title = '' } = snapshot.contract?.signatory ?? {};
  return name === '' ? { name: issuer ?? snapshot.house.name, title: '' } : { name, title };
}
