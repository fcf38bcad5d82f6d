/** Texts of quote letter and contract, in the division's spelling, months in words (domain.md 6.2-6.4). Pure. */
import { addressLines, inCountry } from '#kernel/address/address-lines.ts';
import { dateFor, timeFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { promiseSentences } from '#kernel/pricing/promise-words.ts';
import { percentText } from '#kernel/pricing/trace.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { Paper, PdfBlock, PdfInput } from '#server/pdf.ts';
import type { ContractContact } from '../contracts/offer-contract.ts';
import { withArticle } from '../contracts/contract-facts.ts';
import { licenceWord } from './document-language.ts';
import { depositNote, payByOf, planTable, priceTable, promiseBlocks, reportScopeOf, styleOf } from './offer-price.ts';
import { runInWords } from './offer-run.ts';
import { seatRows, venueDeductionRows } from './seat-rows.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';

const POLICIES: Record<string, string> = {
  paid_in_full: 'It takes effect on signature and receipt of all amounts due before issue.',
  deposit_paid: 'It takes effect on signature and receipt of the deposit and all else due before issue.',
  advance_paid: 'It takes effect on signature and receipt of the advance and all else due before issue.',
  purchase_order: 'It takes effect on signature and acceptance of the purchase order.',
  signature_only: 'It takes effect on signature.',
};

/** The frame of every paper about an offer: house, reader, reference in the foot. */
export function offerPdf(
  offer: OfferSnapshot, paper: Paper, title: string, blocks: PdfBlock[], madeAt: Date,
): PdfInput {
  return {
    title, paper, language: documentLanguage(offer.division), made_at: madeAt,
    sender: [offer.house.name, ...addressLines(offer.house.address)],
    recipient: [offer.customer.name, ...addressLines(offer.customer.address)],
    footer: `${offer.number}, version ${offer.offer_version}, ${dateFor(documentLanguage(offer.division),
      offer.issued_on)}`, blocks,
  };
}

export function quoteLetter(offer: OfferSnapshot, madeAt: Date): PdfInput {
  const word = licenceWord(offer.division);
  const { language } = styleOf(offer);
  return offerPdf(offer, 'quote_letter', `Quote ${offer.number}: ${offer.title}`, [
    { kind: 'title', text: `Quote for ${offer.title}` },
    { kind: 'facts', rows: productionFacts(offer) },
    { kind: 'text', text: `Thank you for your interest. We are pleased to offer ${offer.producing_organisation
      || offer.customer.name} a performance ${word} on the terms of the contract that comes with this letter. `
      + `${POLICIES[offer.execution_policy] ?? ''} Until then the production may not be announced or rehearsed.` },
    { kind: 'heading', text: 'Price' }, priceTable(offer), ...discountNote(offer), ...depositNote(offer),
    ...promiseBlocks(offer),
    { kind: 'heading', text: 'When it is due' }, planTable(offer), ...orderNote(offer),
    { kind: 'heading', text: 'How this was calculated' },
    { kind: 'table', columns: [{ label: 'Step', width: 5 }, { label: 'Calculation', width: 6 },
      { label: offer.currency, width: 2, align: 'right' }],
    rows: offer.explanation.map((step) => [inLanguage(step.label, language), step.formula,
      formatMinor(BigInt(step.result_minor))]) },
    ...seatNote(offer),
    { kind: 'text', text: `This offer is open until ${dateFor(language, offer.expires_on)}.` },
  ], madeAt);
}

/** The day until when a purchase order is awaited, as To do asks for it. */
function orderNote(offer: OfferSnapshot): PdfBlock[] {
  const payBy = payByOf(offer);
  return offer.execution_policy !== 'purchase_order' || payBy === null ? []
    : [{ kind: 'text', text: `Please send us your purchase order ${payBy}.` }];
}

export function productionFacts(offer: OfferSnapshot): [string, string][] {
  const count = offer.venues.reduce((total, venue) => total + venue.performances.length, 0);
  return [
    ['Work', offer.authors_credit === '' ? offer.title : `${offer.title}, ${offer.authors_credit}`],
    [spellIn(documentLanguage(offer.division))`Producing organization`,
      offer.producing_organisation || offer.customer.name],
    ['Performances', `${count}, ${runInWords(offer)}`],
    ['Venues', offer.venues.map((venue) => [venue.name,
      venue.address?.locality].filter(Boolean).join(', ')).join('; ')],
    ['Reference', `${offer.number}, version ${offer.offer_version}`],
    ...questionFacts(offer.contract?.licensor),
  ];
}

/** The person to ask, where the paper has one. */
export const questionFacts = (contact: ContractContact | null | undefined): [string, string][] => (contact
  ? [['Questions', [contact.name, contact.phone, contact.email].filter(Boolean).join(', ')]] : []);

/** The amount stands in the rows; why it is given stands here. */
function discountNote(offer: OfferSnapshot): PdfBlock[] {
  if (offer.discount_reason === null || offer.totals.discount_minor === 0) return [];
  return [{ kind: 'text', text: `The royalty includes a discount of ${formatMoney(offer.totals.discount_minor,
    offer.currency)}: ${offer.discount_reason}.` }];
}

/** MTI's practice (domain.md 0): the seats and prices an offer stands on are part of it. */
function seatNote(offer: OfferSnapshot): PdfBlock[] {
  return offer.venues.filter((venue) => venue.ticketing.length > 0).flatMap((venue): PdfBlock[] => [
    { kind: 'heading', text: `Seats and prices, ${venue.name}` },
    { kind: 'table', columns: [{ label: 'Price band', width: 5 }, { label: 'Seats', width: 2, align: 'right' },
      { label: `Price ${offer.currency}`, width: 2, align: 'right' }],
    rows: [...seatRows(venue, 'Band'), ...venueDeductionRows(offer, venue)] },
  ]);
}

/** Every performance, house by house. */
export function nightTables(offer: OfferSnapshot): PdfBlock[] {
  const { language } = styleOf(offer);
  return offer.venues.map((venue): PdfBlock => ({ kind: 'table', columns: [{ label: venue.name, width: 4 },
    { label: 'Time', width: 1.5 }, { label: 'Kind', width: 2 }],
  rows: venue.performances.map((row) => [dateFor(language, row.local_date), timeFor(language, row.local_time),
    row.type.replaceAll('_', ' ')]) }));
}

const RIGHTS: Record<string, string> = {
  stage: 'performances on stage', stream_live: 'live streaming', stream_scheduled: 'scheduled streaming',
  stream_on_demand: 'streaming on demand', video_archival: 'an archival video', concert: 'a concert performance',
  excerpt: 'an excerpt',
};

const PLACEMENTS: Readonly<Record<string, string>> = { above: 'above the title', below: 'below the title' };

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const BRITISH_DATE = new RegExp(`\\b(\\d{1,2}) (${MONTHS}) (\\d{4})\\b`, 'g');

/** Steps name days as '5 April 2027', which American papers have their way, and countries by their codes. */
function inLanguage(label: string, language: 'en-US' | 'en-GB'): string {
  const said = label.replace(/\bin ([A-Z]{2})$/, (_, code: string) => `in ${inCountry(code)}`);
  return language === 'en-GB' ? said : said.replace(BRITISH_DATE, '$2 $1, $3');
}

/**
 * The structured terms as sentences; contract, licence and portal show them. `promised` false where the promised
 * royalty stands in a part of its own.
 */
export function termSentences(offer: Pick<OfferSnapshot, 'terms' | 'billing' | 'division' | 'currency'
  | 'execution_policy' | 'promise' | 'report_scope'>, promised = true): string[] {
  const { terms, division, currency } = offer;
  const british = documentLanguage(division) === 'en-GB';
  const programme = british ? 'programme' : 'program';
  const word = licenceWord(division);
  const scope = reportScopeOf(offer);
  const text = (key: string): string => (typeof terms[key] === 'string' ? terms[key] : '');
  const number = (key: string): number | null => (typeof terms[key] === 'number' ? terms[key] : null);
  const rights = Array.isArray(terms.rights_granted) ? terms.rights_granted : ['stage'];
  const sentences = [
    `The ${word} covers ${rights.map((right) => RIGHTS[String(right)] ?? String(right)).join(', ')}, in the ${
      text('language') || 'English'} language${text('territory') ? `, in ${withArticle(text('territory'))}` : ''}.`,
    terms.exclusive === true ? `It is exclusive${number('exclusivity_radius_km') === null ? ''
      : ` within ${number('exclusivity_radius_km')} km`}.` : 'It is non-exclusive.',
    POLICIES[offer.execution_policy] ?? '',
    number('max_performances') === null ? '' : `At most ${number('max_performances')} performances.`,
    number('average_seat_cap') === null ? '' : `At most ${number('average_seat_cap')} seats on average over the run.`,
    number('ticket_price_cap_minor') === null ? ''
      : `No ticket costs more than ${formatMoney(number('ticket_price_cap_minor')!, currency)}.`,
    ...offer.billing.map((line) => `Billing: "${line.text}" no smaller than `
      + `${percentText(BigInt(line.percent_of_title_ppm))}% of the title, ${
        PLACEMENTS[line.placement] ?? `in the ${programme} only`}.`),
    text('presenter_line') ? `Required ${programme} credit: "${text('presenter_line')}"` : '',
    text('mandatory_program_text') ? `Mandatory ${programme} text: "${text('mandatory_program_text')}"` : '',
    text('changes_clause'),
    terms.replica_elements_forbidden === true
      ? 'Licensee may not copy the staging, design or choreography of another production.' : '',
    ...promised && offer.promise ? promiseSentences(offer.promise, styleOf(offer)) : [],
    scope === null || offer.promise ? '' : `Box-office receipts are reported per ${scope}, within ${
      number('report_due_days') ?? 7} days.`,
    terms.audit_right === true ? 'Licensor may audit box-office records.' : '',
    (number('comps') ?? 0) > 0 ? `On request Licensee holds ${number('comps')} complimentary ${
      number('comps') === 1 ? 'ticket' : 'tickets'} per performance for Licensor.` : '',
    text('merchandise'), text('insurance'), text('other_terms'),
    text('governing_law') ? `Governing law: ${text('governing_law')}.` : '',
  ];
  return sentences.filter((sentence) => sentence !== '');
}
