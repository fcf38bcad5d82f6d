/**
 * The customer signs, or staff record a signature on paper; or the signature is void (edges 4, 6, 9 of domain.md
 * 1.1).
 */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { UploadedFile, WorkContext } from '#server/context.ts';
import type { MailAttachment } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { sealSignature } from '../../documents/executed-copy.server.ts';
import { offerChanges } from '../../documents/offer-changes.ts';
import type { OfferSnapshot } from '../../documents/offer-snapshot.server.ts';
import { addDocument, mimeOf } from '../../documents/store-document.server.ts';
import { DECLINE_WORDS } from '../license.contract.ts';
import { billAcceptance, voidBilling } from '../billing/billing.server.ts';
import { executeIfMet } from '../phase/execute-license.server.ts';
import { findLicense, lockLicense, type License } from '../license-record.server.ts';
import type { Mover } from '../phase/mover.server.ts';
import { askStaff, mailCustomer } from '../phase/notify.server.ts';
import { deadlineOf } from './payment-days.server.ts';
import { accountOfSigner } from './signer-name.server.ts';
import { moveLicense } from '../phase/transition.server.ts';

/** Signer, signed version, time and origin of a signature; on paper the scan instead of the person. */
export interface Signature {
  signer_name: string;
  signer_title: string;
  signed_on: string;
  signed_by_user_id: number | null;
  ip?: string | null;
  user_agent?: string | null;
  document?: UploadedFile;
  /** The name differs from that of the account, and is meant. */
  confirm_name?: boolean | undefined;
}

export interface SignOffer extends Signature {
  license_id: number;
  /** Of the licence row, where the caller saw one. */
  version: number | null;
  offer_version: number;
  /** Hash of the version the signer read; on paper the version number stands for it. */
  hash?: string;
}

/**
 * Signs the offer as it stands. Signing the same version twice is the same signature (a double click). Errors: 409
 * license.phase_conflict; license.precondition with `offer_not_expired` or `same_version`, the latter with `changes`;
 * 422 at `confirm_name`, `signed_on` or `document`.
 */
export async function signOffer(ctx: WorkContext, input: SignOffer, by: Mover): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  const offer = await ctx.db.maybeOne<{ id: number; version_no: number; sha256: string }>(sql`
    select id, version_no, sha256 from license_versions
    where license_id = ${license.id} and version_no = ${license.offer_version}`);
  const same = offer !== null && offer.version_no === input.offer_version
    && (input.hash === undefined || offer.sha256 === input.hash);
  if (offer && same && await signedBefore(ctx, offer.id, input)) return license;
  if (!same && license.phase === 'sent') throw await changedOffer(ctx, license, input);
  const accepted = ctx.now().toISOString();
  const today = await ctx.today(license.division);
  if (input.document) await checkPaperDate(ctx, license, input.signed_on, today);
  const deadline = await deadlineOf(ctx, license, today);
  const moved = await moveLicense(ctx, { license, event: 'sign', by, facts: { same_version: same },
    details: { signer_name: input.signer_name, offer_version: input.offer_version },
    set: [sql`accepted_at = ${accepted}`, sql`pay_by = ${deadline?.on ?? null}`,
      sql`pay_by_reason = ${deadline?.reason ?? null}`, sql`pay_by_ships_on = ${deadline?.ships_on ?? null}`] });
  const executed = await storeSignature(ctx, license, offer!, input);
  await billAcceptance(ctx, moved);
  await askStaff(ctx, moved, { kind: 'contract_signed', title: `${license.number} was signed by ${input.signer_name}`,
    priority: 3 });
  await mailCustomer(ctx, moved, { template: 'contract.signed_copy', subject: `Signed: ${license.title_on_license}`,
    lines: [`${input.signer_name} has signed the contract for ${license.title_on_license}, ${license.number}.`,
      EXECUTED_WORDS], link: { label: 'See your documents', tab: 'documents' }, attachments: [executed] });
  await refreshChecklist(ctx, license.id);
  await executeIfMet(ctx, license.id);
  return findLicense(ctx.db, license.id);
}

/** For the mail about a contract or an addendum that was signed. */
export const EXECUTED_WORDS = 'The executed copy is attached: the signed document and its certificate of signature. '
  + 'It is also among the documents of your production.';

/** 409 with the difference between what was read and what is out now. */
async function changedOffer(ctx: WorkContext, license: License, input: SignOffer): Promise<Error> {
  const versions = await ctx.db.query<{ snapshot: OfferSnapshot; current: boolean }>(sql`
    select snapshot, version_no = ${license.offer_version} as current from license_versions
    where license_id = ${license.id} and (version_no = ${license.offer_version}
      or (version_no = ${input.offer_version} and (${input.hash ?? null}::text is null or sha256 = ${
        input.hash ?? null}))) order by version_no`);
  const read = versions.find((row) => !row.current)?.snapshot;
  const now = versions.find((row) => row.current)?.snapshot;
  return conflict('license.precondition', 'The offer has changed since you opened it. Read the current version.',
    { phase: license.phase, unmet: [{ guard: 'same_version', message: 'The offer has changed.' }],
      offer_version: license.offer_version, changes: read && now ? offerChanges(read, now) : [] });
}

/** A paper is dated between the day its offer went out and today. */
async function checkPaperDate(ctx: WorkContext, license: License, on: string, today: string): Promise<void> {
  const { sent_on } = await ctx.db.one<{ sent_on: string | null }>(sql`
    select (l.offer_sent_at at time zone d.timezone)::date::text as sent_on
    from licenses l join divisions d on d.code = l.division where l.id = ${license.id}`);
  if (sent_on !== null && (on < sent_on || on > today)) {
    const language = documentLanguage(license.division);
    throw invalidField('signed_on', `Enter a day from ${dateFor(language, sent_on)}, the day of the offer, to ${
      dateFor(language, today)}`);
  }
}

async function signedBefore(ctx: WorkContext, versionId: number, input: SignOffer): Promise<boolean> {
  const known = await ctx.db.maybeOne(sql`
    select 1 from signatures where license_version_id = ${versionId} and voided_at is null
      and signer_name = ${input.signer_name} and signed_by_user_id is not distinct from ${input.signed_by_user_id}`);
  return known !== null;
}

/** Of a version by its id and hash. Its papers are signed with it; answers the executed copy. */
export async function storeSignature(
  ctx: WorkContext, license: License, offer: { id: number; sha256: string }, input: Signature,
): Promise<MailAttachment> {
  const account = await accountOfSigner(ctx, license, input);
  const at = ctx.now().toISOString();
  const paper = input.document ? await addDocument(ctx, { license_id: license.id, license_version_id: offer.id,
    type: 'signed_contract', description: `As received, signed by ${input.signer_name}`, status: 'signed',
    origin: 'upload', file: { name: input.document.filename, mime_type: mimeOf(input.document),
      content: input.document.content } }) : null;
  if (input.signed_by_user_id === null && paper === null) throw refuse('invalid',
    'A signature on paper needs its scan.');
  await ctx.db.exec(sql`
    insert into signatures (license_id, license_version_id, sha256, method, signer_name, signer_title, signed_on,
      signed_by_user_id, recorded_by_id, document_id, ip, user_agent, account_name, created_at)
    values (${license.id}, ${offer.id}, ${offer.sha256}, ${paper ? 'wet' : 'portal'}, ${input.signer_name},
      ${input.signer_title}, ${input.signed_on}, ${paper ? null : input.signed_by_user_id},
      ${paper ? ctx.actor.actor_id : null}, ${paper?.file.id ?? null}, ${input.ip ?? null}, ${input.user_agent ?? null},
      ${account}, ${at})`);
  await ctx.db.exec(sql`
    update license_documents set status = 'signed', signed_at = ${at}, version = version + 1
    where license_version_id = ${offer.id} and status in ('issued', 'sent', 'viewed')`);
  return sealSignature(ctx, license, offer.id);
}

export interface DeclineOffer {
  license_id: number;
  version: number | null;
  /** Version the customer read, if the customer declines. */
  offer_version?: number;
  reason_code: keyof typeof DECLINE_WORDS;
  reason?: string | undefined;
}

export async function declineOffer(ctx: WorkContext, input: DeclineOffer, by: Mover): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  if (input.offer_version !== undefined && input.offer_version !== license.offer_version) {
    throw conflict('license.precondition', 'The offer has changed since it was opened. Read the current version.',
      { phase: license.phase, unmet: [{ guard: 'same_version', message: 'The offer has changed.' }] });
  }
  const declined = await moveLicense(ctx, { license, event: 'decline', by, reason: input.reason ?? input.reason_code,
    facts: { reason_given: true }, details: { reason_code: input.reason_code },
    set: [sql`decline_reason_code = ${input.reason_code}`] });
  const why = DECLINE_WORDS[input.reason_code].toLowerCase();
  await askStaff(ctx, declined, { kind: 'offer_declined', title: `${license.number} was declined: ${why}`,
    priority: 3 });
  await refreshChecklist(ctx, license.id);
  return declined;
}

/** Administrators only, and only while no money has moved: the pro formas are void, the offer is open again. */
export async function voidSignature(
  ctx: WorkContext, input: { license_id: number; version: number | null; reason: string }, by: Mover,
): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  if (input.reason.trim() === '') throw conflict('license.precondition', 'Give a reason.', { phase: license.phase,
    unmet: [{ guard: 'reason_given', message: 'Give a reason.' }] });
  const open = await moveLicense(ctx, { license, event: 'void_signature', by, reason: input.reason,
    set: [sql`accepted_at = null`, sql`pay_by = null`, sql`pay_by_reason = null`, sql`pay_by_ships_on = null`] });
  await ctx.db.exec(sql`
    update signatures set voided_at = ${ctx.now().toISOString()}, voided_by_id = ${ctx.actor.actor_id},
      void_reason = ${input.reason} where license_id = ${license.id} and voided_at is null`);
  await ctx.db.exec(sql`
    update license_documents set status = case when type = 'signed_contract' then 'void' else 'sent' end,
      signed_at = null, version = version + 1
    where license_id = ${license.id} and status = 'signed'`);
  await voidBilling(ctx, license.id, input.reason);
  await refreshChecklist(ctx, license.id);
  return open;
}
