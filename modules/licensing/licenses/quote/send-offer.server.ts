/** Offer out, offer back, offer opened again: edges 2, 3 and 7 of domain.md 1.1. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { promiseHeadline } from '#kernel/pricing/promise-words.ts';
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { proveVatNumber } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { refuseUnprintable } from '#server/pdf-words.ts';
import { sql } from '#server/sql.ts';
import { refuseUnpayableOffer } from '../billing/billing.server.ts';
import { checkLicenseRights, lockShowRights } from '../../availability/check-availability.server.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { freezeOffer, offerPapers } from '../../documents/generate-offer.server.ts';
import { licenceWord } from '../../documents/document-language.ts';
import { styleOf } from '../../documents/offer-price.ts';
import { priceLicense } from '../pricing/price-license.server.ts';
import { findLicense, lockLicense, type License } from '../license-record.server.ts';
import type { Mover } from '../phase/mover.server.ts';
import { closeTasks, mailCustomer } from '../phase/notify.server.ts';
import { assertMove, moveLicense } from '../phase/transition.server.ts';

export interface SendOffer {
  license_id: number;
  /** The version the caller saw; null for programs of ours. */
  version: number | null;
  recipients?: readonly string[] | undefined;
  /** Words of staff to the customer; no part of what is signed. */
  covering_note?: string | undefined;
  /** False asks the person about characters that cannot be printed; programs of ours send the offer all the same. */
  unprintable_accepted?: boolean | undefined;
}

/**
 * Sends the offer. The rights are checked under the lock of the show, so that of two offers for the same rights sent
 * at the same moment one is refused (I8). 409 license.phase_conflict, license.precondition,
 * invoice.no_way_to_pay, document.unprintable; 412.
 */
export async function sendOffer(ctx: WorkContext, input: SendOffer, by: Mover): Promise<License> {
  const seen = await findLicense(ctx.db, input.license_id);
  await proveVatNumber(ctx, seen.division, seen.customer_id);
  await lockShowRights(ctx.db, seen.show_code);
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  if (license.phase === 'draft') await checkLicenseRights(ctx, license.id);
  await assertMove(ctx, { license: await findLicense(ctx.db, license.id), event: 'send_offer', by });
  await refuseUnpayableOffer(ctx, await findLicense(ctx.db, license.id));
  const offer = await freezeOffer(ctx, license.id);
  await refuseUnprintable(offerPapers(offer.snapshot), input.unprintable_accepted ?? true);
  const note = input.covering_note?.trim() || null;
  const word = licenceWord(license.division);
  const sent = await moveLicense(ctx, {
    license: await findLicense(ctx.db, license.id), event: 'send_offer', by,
    details: { offer_version: offer.version_no, sha256: offer.sha256,
      ...(note === null ? {} : { covering_note: note }) },
    set: [sql`offer_version = ${offer.version_no}`, sql`covering_note = ${note}`,
      sql`offer_sent_at = ${ctx.now().toISOString()}`,
      sql`offer_expires_at = (${offer.snapshot.expires_on}::date + 1)::timestamp
        at time zone (select timezone from divisions where code = ${license.division}) - interval '1 second'`],
  });
  await ctx.db.exec(sql`
    update license_documents set status = 'sent', sent_at = ${ctx.now().toISOString()}, version = version + 1
    where license_version_id = ${offer.license_version_id} and status = 'issued'`);
  await mailCustomer(ctx, sent, {
    template: 'quote.sent', to: input.recipients?.length ? input.recipients
      : await signerEmails(ctx, license.customer_id),
    subject: `Your quote for ${license.title_on_license}`,
    lines: [
      `Here is our offer for a performance ${word} for ${license.title_on_license}, reference ${license.number}.`,
      ...note === null ? [] : [note],
      ...offer.snapshot.promise ? [`${promiseHeadline(offer.snapshot.promise, styleOf(offer.snapshot))}.`] : [],
      `It is open through ${dateFor(documentLanguage(license.division), offer.snapshot.expires_on)}.`],
    link: { label: 'Read and sign the offer', tab: 'quote' },
    attachments: offer.documents.map((document) => ({ filename: document.name, content_type: 'application/pdf',
      storage_key: document.storage_key })),
  });
  await refreshChecklist(ctx, license.id);
  return findLicense(ctx.db, license.id);
}

/** Dates of an offer that is taken back stay held this long (domain.md 1.1 edge 3). */
const HELD_AFTER_REVISION_MS = 48 * 3_600_000;

/** The offer comes back to be changed; its documents are void and the frozen version stays as history. */
export async function reviseOffer(
  ctx: WorkContext, input: { license_id: number; version: number | null; reason?: string | undefined }, by: Mover,
): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  const heldUntil = new Date(ctx.now().getTime() + HELD_AFTER_REVISION_MS).toISOString();
  const revised = await moveLicense(ctx, { license, event: 'revise', by, reason: input.reason,
    set: [sql`offer_expires_at = null`, sql`rights_held_until = ${heldUntil}`] });
  await voidOfferDocuments(ctx, license.id, 'superseded');
  await refreshChecklist(ctx, license.id);
  return revised;
}

/** Offers, contracts and addenda that no longer stand. */
export async function voidOfferDocuments(
  ctx: WorkContext, licenseId: number, status: 'superseded' | 'void',
): Promise<void> {
  await ctx.db.exec(sql`
    update license_documents set status = ${status}, version = version + 1
    where license_id = ${licenseId} and origin = 'generate'
      and type in ('quote_letter', 'offer', 'production_contract', 'rider')
      and status in ('draft', 'issued', 'sent', 'viewed')`);
}

/** A lapsed or refused offer becomes a draft again: rights checked, priced with the card in force now. */
export async function reopenOffer(
  ctx: WorkContext, input: { license_id: number; version: number | null; reason?: string | undefined }, by: Mover,
): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  let repriced = false;
  if (license.phase === 'expired' || license.phase === 'declined') {
    await checkLicenseRights(ctx, license.id);
    await priceLicense(ctx, license.id);
    repriced = true;
  }
  const reopened = await moveLicense(ctx, { license: await findLicense(ctx.db, license.id), event: 'reopen', by,
    reason: input.reason, facts: { repriced },
    set: license.phase === 'closed' ? [sql`closed_at = null`] : [sql`offer_expires_at = null`,
      sql`decline_reason_code = null`, sql`accepted_at = null`, sql`pay_by = null`,
      sql`pay_by_reason = null`, sql`pay_by_ships_on = null`] });
  await voidOfferDocuments(ctx, license.id, 'superseded');
  await closeTasks(ctx, license.id, ['offer_declined']);
  await refreshChecklist(ctx, license.id);
  return reopened;
}
