/** The licence certificate: what the customer shows at the door (domain.md 6.2 execution_certificate). */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import type { MailAttachment } from '#server/mail.ts';
import { renderPdf } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';
import { licensorSignatory } from './executed-copy.server.ts';
import { offerSnapshot, type OfferSnapshot } from './offer-snapshot.server.ts';
import { licenceWord } from './document-language.ts';
import { promiseBlocks } from './offer-price.ts';
import { runInWords } from './offer-run.ts';
import { questionFacts, termSentences } from './offer-texts.ts';
import { addDocument } from './store-document.server.ts';

/** Both who signed: for the licensee, and for the licensor. */
async function signers(ctx: WorkContext, license: License, offer: OfferSnapshot): Promise<[string, string][]> {
  const row = await ctx.db.maybeOne<{ signer_name: string; signer_title: string; signed_on: string;
    snapshot: OfferSnapshot; issuer: string | null }>(sql`
    select s.signer_name, s.signer_title, s.signed_on, v.snapshot,
      (select u.first_name || ' ' || u.last_name from license_events e join users u on u.id = e.actor_id
        where e.license_id = s.license_id and e.event = 'send_offer' and u.role <> 'customer' order by e.id desc
        limit 1) as issuer
    from signatures s join license_versions v on v.id = s.license_version_id
    where s.license_id = ${license.id} and s.voided_at is null order by v.version_no desc limit 1`);
  if (!row) return [];
  const licensor = licensorSignatory(row.snapshot, row.issuer);
  const person = (name: string, title: string): string => [name, title].filter(Boolean).join(', ');
  return [
    ['Signed for Licensee', `${person(row.signer_name, row.signer_title)}, ${offer.customer.name}, ${
      dateFor(documentLanguage(license.division), row.signed_on)}`],
    ['Signed for Licensor', `${person(licensor.name, licensor.title)}, ${offer.house.name}`],
  ];
}

export async function executionCertificate(ctx: WorkContext, license: License): Promise<MailAttachment> {
  const offer = await offerSnapshot(ctx, license.id, Math.max(license.offer_version, 1));
  const word = licenceWord(license.division);
  const today = await ctx.today(license.division);
  const issued = dateFor(documentLanguage(license.division), today);
  const content = await renderPdf({
    title: `Performance ${word} ${license.license_number}`, paper: 'execution_certificate',
    language: documentLanguage(license.division), sender: [offer.house.name, ...addressLines(offer.house.address)],
    recipient: [offer.customer.name, ...addressLines(offer.customer.address)],
    footer: `${license.license_number}, issued ${issued}`, made_at: new Date(`${today}T00:00:00Z`),
    blocks: [
      { kind: 'title', text: `Performance ${word} ${license.license_number}` },
      { kind: 'text', text: `${offer.house.name} grants ${offer.customer.name} the right to perform the work named `
        + 'below at the venues and on the dates named below.' },
      { kind: 'facts', rows: [['Work', offer.title], ['Dates', runInWords(offer)],
        ['Venues', offer.venues.map((venue) => venue.name).join('; ')], ['Contract', `${offer.number}, version ${
          offer.offer_version}`], ...await signers(ctx, license, offer), ['Issued', issued],
        ...questionFacts(offer.contract?.licensor)] },
      ...promiseBlocks(offer),
      { kind: 'heading', text: 'Terms' }, { kind: 'list', items: termSentences(offer, false) },
    ],
  });
  const name = `${spellIn(documentLanguage(license.division))`License`} ${license.license_number}.pdf`;
  const { file } = await addDocument(ctx, { license_id: license.id, type: 'execution_certificate',
    description: `Performance ${word} ${license.license_number}`, status: 'issued', origin: 'generate',
    file: { name, mime_type: 'application/pdf', content } });
  return { filename: name, content_type: 'application/pdf', storage_key: file.storage_key };
}
