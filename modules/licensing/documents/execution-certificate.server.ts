/** The licence certificate: what the customer shows at the door (domain.md 6.2 execution_certificate). */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import type { MailAttachment } from '#server/mail.ts';
import { renderPdf } from '#server/pdf.ts';
import type { License } from '../licenses/license-record.server.ts';
import { offerSnapshot } from './offer-snapshot.server.ts';
import { licenceWord } from './document-language.ts';
import { promiseBlocks } from './offer-price.ts';
import { runInWords, termSentences } from './offer-texts.ts';
import { addDocument } from './store-document.server.ts';

export async function executionCertificate(ctx: WorkContext, license: License): Promise<MailAttachment> {
  const offer = await offerSnapshot(ctx, license.id, Math.max(license.offer_version, 1));
  const word = licenceWord(license.division);
  const today = await ctx.today(license.division);
  const issued = dateFor(documentLanguage(license.division), today);
  const content = await renderPdf({
    title: `Performance ${word} ${license.license_number}`, language: documentLanguage(license.division),
    sender: [offer.house.name, ...addressLines(offer.house.address)],
    recipient: [offer.customer.name, ...addressLines(offer.customer.address)],
    footer: `${license.license_number}, issued ${issued}`, made_at: new Date(`${today}T00:00:00Z`),
    blocks: [
      { kind: 'title', text: `Performance ${word} ${license.license_number}` },
      { kind: 'text', text: `${offer.house.name} grants ${offer.customer.name} the right to perform the work named `
        + 'below at the venues and on the dates named below.' },
      { kind: 'facts', rows: [['Work', offer.title], ['Dates', runInWords(offer)],
        ['Venues', offer.venues.map((venue) => venue.name).join('; ')], ['Contract', `${offer.number}, version ${
          offer.offer_version}`], ['Issued', issued]] },
      ...promiseBlocks(offer),
      { kind: 'heading', text: 'Terms' }, { kind: 'list', items: termSentences(offer, false) },
    ],
  });
  const name = `${word === 'license' ? 'License' : 'Licence'} ${license.license_number}.pdf`;
  const { file } = await addDocument(ctx, { license_id: license.id, type: 'execution_certificate',
    description: `Performance ${word} ${license.license_number}`, status: 'issued', origin: 'generate',
    file: { name, mime_type: 'application/pdf', content } });
  return { filename: name, content_type: 'application/pdf', storage_key: file.storage_key };
}
