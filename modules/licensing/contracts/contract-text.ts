/** The contract as it is drawn: numbered clauses with their tables, signature block, version of the text. Pure. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { fillClauses, type ContractTable, type FilledPart } from '#kernel/licensing/contract-form.ts';
import { formatMinor, formatRate } from '#kernel/money/money.ts';
import type { PdfBlock, PdfInput } from '#server/pdf.ts';
import { licenceWord } from '../documents/document-language.ts';
import { planTable, priceTable, promisedFacts, styleOf } from '../documents/offer-price.ts';
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';
import { nightTables, offerPdf } from '../documents/offer-texts.ts';
import { seatRows, venueDeductionRows } from '../documents/seat-rows.ts';
import { contractFacts, formName } from './contract-facts.ts';
import type { ContractContact } from './offer-contract.ts';

export function contractText(offer: OfferSnapshot, madeAt: Date): PdfInput {
  const word = licenceWord(offer.division);
  const paper = offerPdf(offer, 'production_contract', `Performance ${word} contract ${offer.number}: ${offer.title}`, [
    { kind: 'title', text: `Performance ${word}: ${offer.title}` },
    ...fillClauses(offer.contract?.clauses ?? [], contractFacts(offer)).flatMap((clause): PdfBlock[] =>
      [{ kind: 'heading', text: clause.heading }, ...clause.parts.flatMap((part) => blocksOf(part, offer))]),
    ...signatureBlocks(offer),
  ], madeAt);
  return { ...paper, footer: [paper.footer, formNote(offer)].filter(Boolean).join(' · ') };
}

/** 'Contract text US Amateur 1, draft for counsel'; nothing on contracts from before there were versions. */
export function formNote(offer: OfferSnapshot): string {
  if (!offer.contract) return '';
  const name = formName(offer.division, offer.category, offer.contract.version_no);
  return `Contract text ${name}${offer.contract.counsel === null ? ', draft for counsel' : ''}`;
}

function blocksOf(part: FilledPart, offer: OfferSnapshot): PdfBlock[] {
  return part.kind === 'text' ? [{ kind: 'text', text: `${part.number}  ${part.text}` }]
    : TABLE_BLOCKS[part.table](offer);
}

const TABLE_BLOCKS: Readonly<Record<ContractTable, (offer: OfferSnapshot) => PdfBlock[]>> = {
  parties_table: (offer) => [{ kind: 'facts', rows: partyRows(offer) }],
  performances_table: nightTables,
  seats_table: seatTables,
  price_table: (offer) => [priceTable(offer)],
  royalty_table: (offer) => [{ kind: 'facts', rows: promisedFacts(offer) }],
  payment_table: (offer) => [planTable(offer)],
  cancellation_table: cancellationTable,
  materials_table: materialsTable,
  credits_table: creditsTable,
};

function partyRows({ house, customer, contract }: OfferSnapshot): [string, string][] {
  const contact = (one: ContractContact | null | undefined): string =>
    [one?.name, one?.email, one?.phone].filter(Boolean).join(', ');
  const { name = '', title = '' } = contract?.signatory ?? {};
  const rows: [string, string][] = [
    ['Licensor', [house.name, ...addressLines(house.address)].join('\n')],
    ['Signs for Licensor', [name, title].filter(Boolean).join(', ')],
    ['Contact of Licensor', contact(contract?.licensor)],
    ['Licensee', [customer.name, ...addressLines(customer.address)].join('\n')],
    ['Contact of Licensee', contact(contract?.licensee)],
  ];
  return rows.filter(([, text]) => text !== '');
}

/** MTI's practice (domain.md 0): the seats and prices an offer stands on are part of it. */
export function seatTables(offer: OfferSnapshot): PdfBlock[] {
  return offer.venues.filter((venue) => venue.ticketing.length > 0).map((venue): PdfBlock => ({ kind: 'table',
    columns: [{ label: venue.name, width: 5 }, { label: 'Seats', width: 2, align: 'right' },
      { label: `Price ${offer.currency}`, width: 2, align: 'right' }],
    rows: [...seatRows(venue, 'Price band'), ...venueDeductionRows(offer, venue)] }));
}

const minor = (amount: number): string => formatMinor(BigInt(amount));

function cancellationTable(offer: OfferSnapshot): PdfBlock[] {
  const { contract } = offer;
  const { language } = styleOf(offer);
  const ship = contract?.ship_on ? ` (planned for ${dateFor(language, contract.ship_on)})` : '';
  const fees = offer.venues.flatMap((venue) => venue.performances.map((row) => row.unit_fee_minor ?? 0));
  const each = [...new Set(fees)];
  const refunded = offer.promise || fees.every((fee) => fee === 0) ? 'None'
    : each.length === 1 ? `${minor(each[0]!)} for each performance not given`
      : 'The fee of each performance not given';
  const STAGES = { before_shipment: `Before the materials ship${ship}`,
    after_shipment: 'From then until the first performance' };
  return [{ kind: 'table', columns: [{ label: 'Notice of cancellation', width: 5 },
    { label: `Kept ${offer.currency}`, width: 2.4, align: 'right' },
    { label: `Refunded ${offer.currency}`, width: 3, align: 'right' }],
  rows: [...(contract?.cancellation ?? []).map((row) => [STAGES[row.stage], minor(row.kept_minor),
    minor(row.refund_minor)]), ['From the first performance on', 'Everything else', refunded]] }];
}

function materialsTable(offer: OfferSnapshot): PdfBlock[] {
  return [{ kind: 'table', columns: [{ label: 'Item', width: 5 }, { label: 'Number', width: 1.5, align: 'right' },
    { label: 'To be returned', width: 2 }, { label: `Replacement, each ${offer.currency}`, width: 3, align: 'right' }],
  rows: (offer.contract?.materials ?? []).map((row) => [row.name, String(row.quantity),
    row.return_required ? 'Yes' : 'No', row.replacement_price_minor === null || !row.return_required ? ''
      : minor(row.replacement_price_minor)]) }];
}

const PLACEMENTS: Readonly<Record<string, string>> = { above: 'Above the title', below: 'Below the title' };

function creditsTable(offer: OfferSnapshot): PdfBlock[] {
  const program = styleOf(offer).language === 'en-GB' ? 'In the programme only' : 'In the program only';
  return [{ kind: 'table', columns: [{ label: 'Credit', width: 5 }, { label: 'Smallest size', width: 2.4 },
    { label: 'Place', width: 3 }],
  rows: offer.billing.map((line) => [line.text, `${formatRate(BigInt(line.percent_of_title_ppm))} of the title`,
    PLACEMENTS[line.placement] ?? program]) }];
}

function signatureBlocks(offer: OfferSnapshot): PdfBlock[] {
  const { name = '', title = '' } = offer.contract?.signatory ?? {};
  const by = [name, title].filter(Boolean).join(', ');
  const licensor = ended(`For Licensor: ${offer.house.name}${by === '' ? '' : `, by ${by}`}`);
  return [
    { kind: 'heading', text: 'Signatures' },
    { kind: 'text', text: `${licensor} Licensor signs this contract by issuing it on ${
      dateFor(styleOf(offer).language, offer.issued_on)}.` },
    { kind: 'text', text: `${ended(`For Licensee: ${offer.customer.name}`)} A signature given in the portal is `
      + 'recorded on the certificate page that follows this contract.' },
    { kind: 'signature', lines: ['Name and title of the person signing for Licensee', 'Signature and date'] },
  ];
}

/** A name such as 'Grand Rights, Inc.' brings its own full stop. */
const ended = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
