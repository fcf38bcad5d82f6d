/** The addendum to a contract: what changes, in nights and figures, and that everything else stays. Pure. */
import { dateFor, timeFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { PdfBlock, PdfInput } from '#server/pdf.ts';
import { differencesOf, type Night } from '../amendments/amendment-differences.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';
import { licenceWord } from './document-language.ts';
import { depositNote, offerTotals, promiseBlocks, totalLabel } from './offer-price.ts';
import { nightTables, offerPdf, productionFacts } from './offer-texts.ts';

export function addendumText(
  before: OfferSnapshot, offer: OfferSnapshot, reason: string, madeAt: Date,
): PdfInput {
  const word = licenceWord(offer.division);
  const changes = differencesOf(before, offer);
  const totals = [offerTotals(before.totals).total_minor, offerTotals(offer.totals).total_minor] as const;
  const { division } = offer;
  return offerPdf(offer, 'amendment', `Addendum to the performance ${word} contract ${offer.number}: ${offer.title}`, [
    { kind: 'title', text: `Addendum: ${offer.title}` },
    { kind: 'text', text: `${offer.house.name} ("Licensor") and ${offer.customer.name} ("Licensee") change the `
      + `performance ${word} contract on the quote ${offer.number}, version ${before.offer_version}, as follows. `
      + `Everything that this addendum does not name stays as agreed. Reason: ${sentence(reason)}` },
    { kind: 'facts', rows: productionFacts(offer) },
    ...nights(division, 'Performances taken off', changes.removed),
    ...nights(division, 'Performances added', changes.added),
    { kind: 'heading', text: 'Price before and after' },
    { kind: 'table', columns: [{ label: 'Item, with its tax', width: 6 },
      { label: 'Before', width: 2, align: 'right' }, { label: 'After', width: 2, align: 'right' },
      { label: `Difference ${offer.currency}`, width: 2.4, align: 'right' }],
    rows: changes.lines.map((line) => [line.description, amount(line.before_minor), amount(line.after_minor),
      amount(line.delta_minor)]),
    totals: [[totalLabel(offer), amount(totals[0]), amount(totals[1]), amount(totals[1] - totals[0])]] },
    ...depositNote(offer, true), ...promiseBlocks(offer),
    { kind: 'heading', text: 'All performances as amended' }, ...nightTables(offer),
    { kind: 'signature', lines: ['Name and title of the person signing for Licensee', 'Signature and date'] },
  ], madeAt);
}

const amount = (minor: number): string => formatMinor(BigInt(minor));

function sentence(text: string): string {
  return /[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}

function nights(division: string, title: string, rows: readonly Night[]): PdfBlock[] {
  if (rows.length === 0) return [];
  const language = documentLanguage(division);
  return [{ kind: 'heading', text: title }, { kind: 'table', columns: [{ label: 'Day', width: 4 },
    { label: 'Time', width: 1.5 }, { label: 'Venue', width: 4 }],
  rows: rows.map((row) => [dateFor(language, row.local_date), timeFor(language, row.local_time),
    row.venue_name]) }];
}
