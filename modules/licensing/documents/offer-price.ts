/** The price on papers: rows that a reader can add up again, what follows the takings, when it is to be paid. Pure. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { instalmentDue, isFirstPayment, isPaidBeforeIssue, payByPromise } from '#kernel/licensing/pay-by.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, formatMoney, formatRate } from '#kernel/money/money.ts';
import { blockLabel } from '#kernel/pricing/price-rows.ts';
import { promiseFacts, rateWords, type PromiseFact, type PromiseStyle } from '#kernel/pricing/promise-words.ts';
import type { ReportScope } from '#kernel/pricing/report-scope.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { PdfBlock } from '#server/pdf.ts';
import type { PriceBlockRow } from '../licenses/pricing/pricing.contract.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';

export const styleOf = (offer: Pick<OfferSnapshot, 'division' | 'currency'>): PromiseStyle =>
  ({ language: documentLanguage(offer.division), currency: offer.currency });

/** Reports the offer asks for; null: none. A version from before they were stored asks as its terms say. */
export function reportScopeOf({ terms, report_scope }: Pick<OfferSnapshot, 'terms' | 'report_scope'>):
ReportScope | null {
  if (report_scope !== undefined) return report_scope;
  const agreed = terms.report_frequency;
  if (agreed === 'none') return null;
  return agreed === 'performance' || agreed === 'week' ? agreed : 'run';
}

/** Net and total of the price in minor units; a deposit that is given back is no part of either. */
export function offerTotals({ royalty_minor, charges_minor, tax_minor, due_minor,
  deposit_minor }: OfferSnapshot['totals']):
{ net_minor: number; tax_minor: number; total_minor: number; deposit_beside_minor: number; on_account_minor: number } {
  const net = royalty_minor + charges_minor;
  const total = net + tax_minor;
  const beside = Math.max(0, due_minor - total);
  const agreed = deposit_minor - beside;
  return { net_minor: net, tax_minor, total_minor: total, deposit_beside_minor: beside,
    // As the payment plan asks for it: never more than the price.
    on_account_minor: total > 0 ? Math.min(agreed, total) : agreed };
}

/** The rows of the version; one from before they were stored tells its lines as they are. */
export function offerBlocks(offer: Pick<OfferSnapshot, 'rows' | 'lines'>): PriceBlockRow[] {
  return offer.rows ?? offer.lines.map((line, place): PriceBlockRow => {
    const multiplies = line.unit_minor !== null && line.unit_minor * line.quantity === line.net_minor;
    return { kind: line.kind, label: line.label, net_minor: line.net_minor, tax_minor: line.tax_minor,
      lines: [place], rows: [{ kind: 'item', label: line.label, quantity: multiplies ? line.quantity : null,
        unit_minor: multiplies ? line.unit_minor : null, amount_minor: line.net_minor }] };
  });
}

const minor = (amount: number): string => formatMinor(BigInt(amount));

/** Tax by its rate, so that each can be worked out again from what it is taken of. */
export function taxRows(offer: Pick<OfferSnapshot, 'lines' | 'division'>): { label: string; amount_minor: number }[] {
  const word = documentLanguage(offer.division) === 'en-GB' ? 'VAT' : 'Sales tax';
  const rates = new Map<number, { net: number; tax: number }>();
  for (const line of offer.lines.filter((one) => one.tax_minor !== 0)) {
    const sum = rates.get(line.tax_rate_ppm) ?? { net: 0, tax: 0 };
    rates.set(line.tax_rate_ppm, { net: sum.net + line.net_minor, tax: sum.tax + line.tax_minor });
  }
  return [...rates].map(([rate, sum]) => ({ label: `${word} ${formatRate(BigInt(rate))} on ${minor(sum.net)}`,
    amount_minor: sum.tax }));
}

/** 'Total USD'; where a percentage follows it is what is guaranteed, and says so. */
export function totalLabel(offer: Pick<OfferSnapshot, 'promise' | 'currency'>): string {
  return offer.promise ? `Guaranteed ${offer.currency}, plus ${rateWords(offer.promise)}` : `Total ${offer.currency}`;
}

export function priceTable(offer: OfferSnapshot): PdfBlock {
  const totals = offerTotals(offer.totals);
  const guaranteed = Boolean(offer.promise);
  const taxes = taxRows(offer);
  return {
    kind: 'table',
    columns: [{ label: 'Item', width: 6 }, { label: 'Number', width: 1.5, align: 'right' },
      { label: 'Each', width: 2, align: 'right' }, { label: 'Amount', width: 2.2, align: 'right' },
      { label: `Subtotal ${offer.currency}`, width: 2.4, align: 'right' }],
    rows: offerBlocks(offer).flatMap((block) => blockRows(block, blockLabel(block, guaranteed))),
    totals: [
      ...taxes.length > 0 ? [['Subtotal', '', '', '', minor(totals.net_minor)]] : [],
      ...taxes.map((tax) => [tax.label, '', '', '', minor(tax.amount_minor)]),
      [totalLabel(offer), '', '', '', minor(totals.total_minor)],
    ],
  };
}

/** One row where there is one; else each part and then what they come to. */
function blockRows(block: PriceBlockRow, label: string): string[][] {
  const cells = (row: PriceBlockRow['rows'][number]): string[] => [row.quantity === null ? '' : String(row.quantity),
    row.unit_minor === null ? '' : minor(row.unit_minor), minor(row.amount_minor)];
  const [first] = block.rows;
  if (block.rows.length === 1 && first) return [[first.kind === 'item' || first.kind === 'performances' ? label
    : `${label}: ${first.label.toLowerCase()}`,
    ...cells(first), minor(block.net_minor)]];
  return [...block.rows.map((row) => [row.label, ...cells(row), '']), [label, '', '', '', minor(block.net_minor)]];
}

/** Deposit due besides the price, in a sentence of its own. An addendum asks for none: the contract did. */
export function depositNote(offer: OfferSnapshot, isAgreed = false): PdfBlock[] {
  const { deposit_beside_minor: beside } = offerTotals(offer.totals);
  if (beside === 0) return [];
  const deposit = `refundable deposit of ${formatMoney(beside, offer.currency)}`;
  return [{ kind: 'text', text: `${isAgreed ? `The ${deposit} stays as agreed.`
    : `A ${deposit} is also due ${payByOf(offer) ?? 'after signing'}.`} It is not part of the price and is refunded `
    + 'after the materials are returned.' }];
}

/** 'Royalty: 11% of gross' and what belongs to it; none where the price is the whole price. */
export function promisedFacts(offer: Pick<OfferSnapshot, 'promise' | 'division' | 'currency'>): PromiseFact[] {
  return offer.promise ? promiseFacts(offer.promise, styleOf(offer)) : [];
}

export function promiseBlocks(offer: OfferSnapshot): PdfBlock[] {
  const facts = promisedFacts(offer);
  return facts.length === 0 ? [] : [{ kind: 'heading', text: 'The royalty' }, { kind: 'facts', rows: facts }];
}

/**
 * All that is asked for and when: a deposit beside the price is asked for at acceptance (billing.server.ts) and is no
 * instalment of it. A royalty instalment of a percentage deal is the least that is then due.
 */
export function paymentPlan(offer: OfferSnapshot): OfferSnapshot['payment_plan'] {
  const { deposit_beside_minor: beside } = offerTotals(offer.totals);
  const rows = offer.payment_plan.map((row) => (offer.promise && row.due_event === 'report'
    ? { ...row, label: `Royalty, ${rateWords(offer.promise)}: at least` } : row));
  return beside === 0 ? rows : [...rows, { label: 'Refundable deposit, refunded after returns',
    due_event: 'acceptance', due_on: null, amount_minor: beside, line_kinds: [], is_deposit: true }];
}

/** The last day to pay what is asked for before the license is issued; null in a version that does not say. */
export function payByOf(offer: OfferSnapshot): string | null {
  const { payment_days: days, issued_on, expires_on } = offer;
  return days === undefined ? null : payByPromise({ ...days, issued_on, expires_on }, styleOf(offer).language);
}

interface PlanInWords { label: string; due: string; amount_minor: number }

/** The rows of the plan in the spelling of the division, each with the day or the event that it is due at. */
export function planInWords(offer: OfferSnapshot): (OfferSnapshot['payment_plan'][number] & PlanInWords)[] {
  const { language } = styleOf(offer);
  const spell = spellIn(language);
  const terms = { execution_policy: offer.execution_policy, pay_by: payByOf(offer),
    invoice_days: offer.payment_days?.invoice_days ?? null };
  // Stored plans of older quotes hold the British word; without payment before issue the license is issued first.
  const inWords = (label: string): string => spell(label.replaceAll('licence', 'license')
    .replace(/^Before(?= the license is issued)/, isPaidBeforeIssue(offer.execution_policy) ? 'Before' : 'When'));
  return paymentPlan(offer).map((row) => ({ ...row, label: inWords(row.label),
    due: row.due_on ? dateFor(language, row.due_on) : spell(instalmentDue(row, terms)) }));
}

/** 'USD 1,641.40 before issue, by January 14, 2027, so that …': all that signing makes due, for the sign box. */
export function firstPayments(offer: OfferSnapshot): { label: string; text: string }[] {
  const rows = planInWords(offer).filter((row) => isFirstPayment(row) && row.amount_minor > 0);
  const payments = [...new Set(rows.map((row) => row.due))].map((due) => {
    const total = rows.filter((row) => row.due === due).reduce((all, row) => all + row.amount_minor, 0);
    return { label: 'To pay', text: `${formatMoney(total, offer.currency)} ${due}` };
  });
  const payBy = payByOf(offer);
  return offer.execution_policy === 'purchase_order' && payBy !== null
    ? [{ label: 'Purchase order', text: `to be sent to us ${payBy}` }, ...payments] : payments;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function planTable(offer: OfferSnapshot): PdfBlock {
  const spell = spellIn(styleOf(offer).language);
  return { kind: 'table', columns: [{ label: spell`Installment`, width: 5 },
    { label: 'Due', width: 6 }, { label: offer.currency, width: 2, align: 'right' }],
  rows: planInWords(offer).map((row) => [row.label, capital(row.due), minor(row.amount_minor)]) };
}
