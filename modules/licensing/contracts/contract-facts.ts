/** Values an offer fills into the text of its contract: words, tables and conditions, from the frozen version. Pure. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import {
  CONDITIONS, TABLES, type ContractCondition, type ContractFacts, type ContractTable,
  type ContractWord,
} from '#kernel/licensing/contract-form.ts';
import { isPaidBeforeIssue } from '#kernel/licensing/pay-by.ts';
import { formatMoney, formatRate } from '#kernel/money/money.ts';
import { licenceWord } from '../documents/document-language.ts';
import { offerTotals, payByOf, reportScopeOf, styleOf } from '../documents/offer-price.ts';
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';
import { runInWords } from '../documents/offer-run.ts';

const RIGHTS: Readonly<Record<string, string>> = {
  stage: 'performances on stage', stream_live: 'live streaming', stream_scheduled: 'scheduled streaming',
  stream_on_demand: 'streaming on demand', video_archival: 'an archival recording', concert: 'a concert performance',
  excerpt: 'an excerpt',
};
const EFFECT: Readonly<Record<string, string>> = {
  paid_in_full: ' and everything due before issue has been paid',
  deposit_paid: ' and the deposit and everything else due before issue have been paid',
  advance_paid: ' and the advance and everything else due before issue have been paid',
  purchase_order: ' and Licensor has accepted Licensee\'s purchase order',
  signature_only: '',
};
/** Countries and unions that take an article in a sentence. */
const ARTICLE = /^(United (States|Kingdom|Arab)|European Union|Netherlands|Czech Republic|Philippines|Bahamas)/;
export const withArticle = (territory: string): string => (ARTICLE.test(territory) ? `the ${territory}` : territory);

export function contractFacts(offer: OfferSnapshot): ContractFacts {
  return { words: { ...certainWords(offer), ...possibleWords(offer) }, tables: tablesOf(offer),
    conditions: conditionsOf(offer) };
}

/** 'a, b and c', in American contracts, too. */
const AND = new Intl.ListFormat('en-GB');

export function performanceCount(offer: OfferSnapshot): number {
  return offer.venues.reduce((total, venue) => total + venue.performances.length, 0);
}

type Words<K extends string> = Record<K, string>;

function termsOf({ terms }: OfferSnapshot) {
  return {
    text: (key: string): string => (typeof terms[key] === 'string' ? terms[key].trim() : ''),
    number: (key: string): number | null => (typeof terms[key] === 'number' ? terms[key] : null),
    rights: Array.isArray(terms.rights_granted) ? terms.rights_granted.map(String) : ['stage'],
  };
}

function certainWords(offer: OfferSnapshot): Words<'licensor' | 'licensee' | 'reference' | 'offer_date' | 'expires_on'
  | 'work' | 'title' | 'producing_organization' | 'rights' | 'language' | 'territory' | 'run' | 'performance_count'
  | 'venues' | 'total' | 'effect' | 'pay_by'> {
  const { language } = styleOf(offer);
  const { text, rights } = termsOf(offer);
  const count = performanceCount(offer);
  const territory = text('territory');
  return {
    licensor: offer.house.name, licensee: offer.customer.name,
    reference: `${offer.number}, version ${offer.offer_version}`, offer_date: dateFor(language, offer.issued_on),
    expires_on: dateFor(language, offer.expires_on), title: offer.title,
    work: offer.authors_credit === '' ? offer.title : `${offer.title}, ${offer.authors_credit}`,
    producing_organization: offer.producing_organisation || offer.customer.name,
    rights: AND.format(rights.map((right) => RIGHTS[right] ?? right.replaceAll('_', ' '))),
    language: text('language') || 'English',
    territory: territory === '' ? 'the country of the venues' : withArticle(territory),
    run: runInWords(offer), performance_count: count === 1 ? 'one performance' : `${count} performances`,
    venues: AND.format(offer.venues.map((venue) => venue.name)) || 'venues to be agreed',
    total: formatMoney(offerTotals(offer.totals).total_minor, offer.currency),
    effect: `This ${licenceWord(offer.division)} takes effect when both parties have signed it${
      EFFECT[offer.execution_policy] ?? ''}.`, pay_by: payByOf(offer) ?? 'after signing',
  };
}

function possibleWords(offer: OfferSnapshot): Words<Exclude<ContractWord, keyof ReturnType<typeof certainWords>>> {
  const { language } = styleOf(offer);
  const { text, number } = termsOf(offer);
  const money = (minor: number | null): string => (minor === null || minor <= 0 ? ''
    : formatMoney(minor, offer.currency));
  const day = (date: string | null | undefined): string => (date ? dateFor(language, date) : '');
  const count = (amount: number | null, noun: string): string => (amount === null || amount <= 0 ? ''
    : `${amount} ${noun}${amount === 1 ? '' : 's'}`);
  const totals = offerTotals(offer.totals);
  const interest = number('late_interest_ppm_per_month') ?? 0;
  const scope = reportScopeOf(offer);
  const billing = number('licensee_billing_ppm') ?? 0;
  return {
    exclusivity: exclusivity(offer), max_performances: count(number('max_performances'), 'performance'),
    average_seat_cap: count(number('average_seat_cap'), 'seat'),
    ticket_price_cap: money(number('ticket_price_cap_minor')),
    discount: money(offer.totals.discount_minor), refundable_deposit: money(totals.deposit_beside_minor),
    on_account: money(totals.on_account_minor),
    late_interest: interest > 0 ? formatRate(BigInt(interest)) : '',
    report: scope === null ? '' : `${scope === 'run' ? 'for the run' : `for each ${scope}`}, within ${
      number('report_due_days') ?? 7} days of its end`,
    ship_on: day(offer.contract?.ship_on), returns_due_on: day(offer.contract?.returns_due_on),
    comps: count(number('comps'), 'complimentary ticket'),
    producer_billing: billing > 0 ? formatRate(BigInt(billing)) : '',
    presenter_line: text('presenter_line'), program_text: text('mandatory_program_text'),
    changes: text('changes_clause'),
    merchandise: text('merchandise'), insurance: text('insurance'), other_terms: text('other_terms'),
    governing_law: text('governing_law').replace(/^State of/, 'the State of'),
  };
}

function exclusivity(offer: OfferSnapshot): string {
  const { terms } = offer;
  if (terms.exclusive !== true) return '';
  const { language } = styleOf(offer);
  const radius = termsOf(offer).number('exclusivity_radius_km');
  const days = [terms.exclusive_from, terms.exclusive_to];
  const british = language === 'en-GB';
  return [
    radius === null || radius === 0 ? 'the territory' : british ? `${radius} km around each venue`
      : `${Math.round(radius / 1.609344)} miles (${radius} km) around each venue`,
    typeof days[0] === 'string' ? `from ${dateFor(language, days[0])}` : '',
    typeof days[1] === 'string' ? `until ${dateFor(language, days[1])}` : '',
  ].filter((part) => part !== '').join(' ');
}

function tablesOf(offer: OfferSnapshot): ReadonlySet<ContractTable> {
  const there: Record<ContractTable, boolean> = {
    parties_table: true, performances_table: performanceCount(offer) > 0,
    seats_table: offer.venues.some((venue) => venue.ticketing.length > 0), price_table: true,
    royalty_table: Boolean(offer.promise), payment_table: true,
    cancellation_table: (offer.contract?.cancellation.length ?? 0) > 0,
    materials_table: (offer.contract?.materials.length ?? 0) > 0, credits_table: offer.billing.length > 0,
  };
  return new Set((Object.keys(TABLES) as ContractTable[]).filter((table) => there[table]));
}

function conditionsOf(offer: OfferSnapshot): ReadonlySet<ContractCondition> {
  const { text, number, rights } = termsOf(offer);
  const { terms } = offer;
  const clause = text('video_clause');
  const archival = clause === 'archival' || rights.includes('video_archival');
  const personal = clause === 'personal_noncommercial';
  const streams = rights.some((right) => right.startsWith('stream'));
  const lent = offer.lines.some((line) => line.kind === 'rental')
    || (offer.contract?.materials.some((row) => row.return_required) ?? false);
  const met: Record<ContractCondition, boolean> = {
    always: true, paid_before_issue: isPaidBeforeIssue(offer.execution_policy),
    purchase_order: offer.execution_policy === 'purchase_order',
    signature_only: offer.execution_policy === 'signature_only', percentage: Boolean(offer.promise),
    fixed_price: !offer.promise, materials_lent: lent,
    exclusive: terms.exclusive === true, non_exclusive: terms.exclusive !== true, streaming: streams,
    no_streaming: !streams, no_recording: !archival && !personal, archival_recording: archival,
    personal_recording: personal && !archival, replica_forbidden: terms.replica_elements_forbidden === true,
    logo_licensed: text('logo_usage') === 'licensed', logo_not_licensed: text('logo_usage') !== 'licensed',
    audit: terms.audit_right === true, no_late_interest: (number('late_interest_ppm_per_month') ?? 0) === 0,
    no_insurance_terms: text('insurance') === '',
  };
  return new Set((Object.keys(CONDITIONS) as ContractCondition[]).filter((one) => met[one]));
}

/** 'US Amateur 1': how a version of a text is called on paper and on screens. */
export function formName(division: string, category: string, versionNo: number): string {
  return `${division} ${category === 'Pro' ? 'Professional' : 'Amateur'} ${versionNo}`;
}
