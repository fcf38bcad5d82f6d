/** Freezes a draft as an offer: snapshot with its SHA-256, quote letter and contract (domain.md 1.1 edge 2). */
import type { WorkContext } from '#server/context.ts';
import { sha256 } from '#server/files.ts';
import { renderPdfs, type PdfInput } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { canonicalJson } from './canonical-json.ts';
import { offerSnapshot, type OfferSnapshot } from './offer-snapshot.server.ts';
import { addendumText } from './addendum-text.ts';
import { contractText } from '../contracts/contract-text.ts';
import { quoteLetter } from './offer-texts.ts';
import { addDocument } from './store-document.server.ts';

export interface FrozenOffer {
  license_version_id: number;
  version_no: number;
  sha256: string;
  snapshot: OfferSnapshot;
  /** The quote letter. */
  document_id: number;
  /** Every document of the version, with the key of its file for the mail. */
  documents: { id: number; type: string; storage_key: string; name: string }[];
}

/** The version for what the licence says now: the last one if nothing changed since, else a new one. */
export async function freezeOffer(ctx: WorkContext, licenseId: number): Promise<FrozenOffer> {
  const last = await ctx.db.maybeOne<{ id: number; version_no: number; sha256: string; snapshot: OfferSnapshot }>(sql`
    select id, version_no, sha256, snapshot from license_versions where license_id = ${licenseId}
    order by version_no desc limit 1`);
  if (last) {
    const same = await offerSnapshot(ctx, licenseId, last.version_no);
    const documents = await documentsOf(ctx, last.id);
    const letter = documents.find((document) => document.type === 'quote_letter');
    if (sha256(canonicalJson(same)) === last.sha256 && letter) {
      return { license_version_id: last.id, version_no: last.version_no, sha256: last.sha256, snapshot: same,
        document_id: letter.id, documents };
    }
  }
  return newVersion(ctx, licenseId, (last?.version_no ?? 0) + 1);
}

/** Writes version n with its documents: letter and contract, or the addendum of an amendment and why it was made. */
export async function newVersion(
  ctx: WorkContext, licenseId: number, versionNo: number, amendment?: { reason: string },
): Promise<FrozenOffer> {
  const snapshot = await offerSnapshot(ctx, licenseId, versionNo);
  const hash = sha256(canonicalJson(snapshot));
  const license = await findLicense(ctx.db, licenseId);
  const version = await ctx.db.one<{ id: number }>(sql`
    insert into license_versions (license_id, version_no, reason, snapshot, sha256, grand_total_minor, currency,
      contract_template_id, created_by_id, created_at)
    values (${licenseId}, ${versionNo}, ${amendment ? 'amendment' : 'offer'}, ${JSON.stringify(snapshot)}, ${hash},
      ${license.grand_total_minor}, ${license.currency}, ${snapshot.contract?.template_id ?? null}, ${
        ctx.actor.actor_id},
      ${ctx.now().toISOString()}) returning id`);
  const madeAt = new Date(`${snapshot.issued_on}T00:00:00Z`);
  const before = amendment ? await versionBefore(ctx, licenseId, versionNo) : null;
  const parts: [string, string, PdfInput][] = amendment
    // A licence that was taken over without its offer has nothing to be compared with: the whole contract then.
    ? [['amendment', 'Addendum', before ? addendumText(before, snapshot, amendment.reason, madeAt)
      : contractText(snapshot, madeAt)]]
    : OFFER.map(([type, word], at) => [type, word, offerPapers(snapshot)[at]!]);
  const drawn = await renderPdfs(parts.map(([, , pdf]) => pdf));
  for (const [at, [type, word]] of parts.entries()) {
    const name = `${word} ${license.number} v${versionNo}.pdf`;
    await addDocument(ctx, { license_id: licenseId, license_version_id: version.id, type, status: 'issued',
      description: `${word}, version ${versionNo}`, origin: 'generate',
      file: { name, mime_type: 'application/pdf', content: drawn[at]! } });
  }
  const documents = await documentsOf(ctx, version.id);
  return { license_version_id: version.id, version_no: versionNo, sha256: hash, snapshot,
    document_id: documents[0]!.id, documents };
}

const OFFER = [['quote_letter', 'Quote'], ['production_contract', 'Contract']] as const;

/** Letter and contract of an offer, as {@link OFFER} orders them. */
export function offerPapers(snapshot: OfferSnapshot): PdfInput[] {
  const madeAt = new Date(`${snapshot.issued_on}T00:00:00Z`);
  return [quoteLetter(snapshot, madeAt), contractText(snapshot, madeAt)];
}

async function versionBefore(ctx: WorkContext, licenseId: number, versionNo: number): Promise<OfferSnapshot | null> {
  const row = await ctx.db.maybeOne<{ snapshot: OfferSnapshot }>(sql`
    select snapshot from license_versions where license_id = ${licenseId} and version_no < ${versionNo}
    order by version_no desc limit 1`);
  return row?.snapshot ?? null;
}

function documentsOf(ctx: WorkContext, versionId: number): Promise<FrozenOffer['documents']> {
  return ctx.db.query(sql`
    select d.id, d.type, f.storage_key, f.original_name as name from license_documents d
    join files f on f.id = d.document_id
    where d.license_version_id = ${versionId} and d.status not in ('void', 'superseded') and d.deleted_at is null
      and d.origin = 'generate'
    order by d.type desc, d.id`);
}
