/**
 * The customer signs the addendum of an amendment in the portal, like the contract. The amendment holds since it was
 * made (decision 7); the latest addendum stands for those before it.
 */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { lockLicense } from '../licenses/license-record.server.ts';
import { mailCustomer } from '../licenses/phase/notify.server.ts';
import { EXECUTED_WORDS, storeSignature, type Signature } from '../licenses/quote/sign-offer.server.ts';

export interface PendingAddendum { amendment_id: number; version_id: number; version_no: number; sha256: string }

/** The addendum that waits for a signature; null when the version in force is signed or is the offer itself. */
export function pendingAddendum(ctx: WorkContext, licenseId: number): Promise<PendingAddendum | null> {
  return ctx.db.maybeOne<PendingAddendum>(sql`
    select a.id as amendment_id, v.id as version_id, v.version_no, v.sha256
    from licenses l join license_versions v on v.license_id = l.id and v.version_no = l.offer_version
    join license_amendments a on a.license_version_id = v.id
    where l.id = ${licenseId} and l.phase in ('licensed', 'in_production', 'settlement') and not exists (
      select 1 from signatures s where s.license_version_id = v.id and s.voided_at is null)`);
}

/**
 * Signing twice is one signature. 409 `amendment.not_to_sign` where nothing waits, `license.precondition` with
 * `same_version` where another version than the one read waits.
 */
export async function signAddendum(
  ctx: WorkContext, input: Signature & { license_id: number; offer_version: number; hash: string },
): Promise<void> {
  const license = await lockLicense(ctx.db, input.license_id, null);
  const signed = await ctx.db.maybeOne(sql`
    select 1 from signatures s join license_versions v on v.id = s.license_version_id
    where s.license_id = ${license.id} and v.version_no = ${input.offer_version} and v.sha256 = ${input.hash}
      and s.voided_at is null and s.signer_name = ${input.signer_name}
      and s.signed_by_user_id = ${input.signed_by_user_id}`);
  if (signed) return;
  const pending = await pendingAddendum(ctx, license.id);
  if (!pending) throw conflict('amendment.not_to_sign', 'There is no addendum to sign.');
  if (pending.version_no !== input.offer_version || pending.sha256 !== input.hash) {
    throw conflict('license.precondition', 'The contract has changed since it was opened. Read the current addendum.',
      { phase: license.phase, unmet: [{ guard: 'same_version', message: 'The contract has changed.' }] });
  }
  const executed = await storeSignature(ctx, license, { id: pending.version_id, sha256: pending.sha256 }, input);
  await writeLicenseEvent(ctx, { license_id: license.id, event: 'sign_addendum',
    details: { signer_name: input.signer_name, offer_version: pending.version_no } });
  await ctx.audit({ action: 'sign_addendum', entity: 'license', entity_id: license.id,
    after: { amendment_id: pending.amendment_id, signer_name: input.signer_name } });
  await mailCustomer(ctx, license, { template: 'contract.signed_copy',
    subject: `Addendum signed: ${license.title_on_license}`,
    lines: [`${input.signer_name} has signed the addendum to the contract for ${license.title_on_license}, ${
      numbersInWords(license)}.`, EXECUTED_WORDS], link: { label: 'See your documents', tab: 'documents' },
    attachments: [executed] });
}
