/** The remittance advice: which documents a payment settles, under the payee's own numbers. Plain data in and out. */
import { dateFor, periodFor } from '#kernel/calendar/calendar.ts';
import type { Language } from '#kernel/money/division.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { methodOnPaper, type MethodOnPaper } from '#kernel/receivables/method-on-paper.ts';
import { spellIn } from '#kernel/text/english.ts';
import type { PdfBlock, PdfInput } from '#server/pdf.ts';
import type { RoyaltyPart } from './royalty-parts.server.ts';

export interface RemittancePart {
  /** The payee's number for the document, then the company's. */
  payee_number: string;
  document: string;
  dated_on: string;
  /** Total of the document, in minor units; below zero: a credit of the payee. */
  total_minor: number;
  discount_minor: number;
  paid_minor: number;
}

export interface Remittance {
  number: string;
  payee: readonly string[];
  currency: string;
  amount_minor: number;
  /** Backup withholding of a vendor; the amount is net of it. */
  withheld_minor: number;
  method: MethodOnPaper;
  value_on: string;
  is_posted: boolean;
  /** Last four characters of the account that is paid, or the number of the check. */
  last4: string | null;
  check_number: string | null;
  /** Under which the bank shows it. */
  reference: string;
  memo: string;
  parts: readonly RemittancePart[];
  /** Gives back what a customer paid: `parts` are its payments and credits. */
  is_refund: boolean;
  /** Statements and advances, of a payment of royalties. */
  royalties: readonly RoyaltyPart[];
}

interface House { name: string; lines: readonly string[]; language: Language }

/** A payment without a bank of its division was made by another division. */
const paidBy = ({ method }: Remittance, language: Language): string =>
  (method === 'set_off' ? 'Another company of our group' : methodOnPaper(method, language));

export function remittancePaper(advice: Remittance, house: House, made_at: Date): PdfInput {
  const title = `Remittance advice ${advice.number}`;
  return { title, paper: 'remittance_advice', language: house.language, sender: house.lines,
    recipient: advice.payee, made_at, footer: `${house.name} · ${title}`, blocks: blocksOf(advice, house.language) };
}

function blocksOf(advice: Remittance, language: Language): PdfBlock[] {
  const say = spellIn(language);
  const facts: (readonly [string, string])[] = [
    ['Payment', advice.number], ['Amount', formatMoney(advice.amount_minor, advice.currency)],
    ['Paid by', paidBy(advice, language)],
    [advice.is_posted ? 'Paid on' : 'Value date', dateFor(language, advice.value_on)],
    ...(advice.check_number === null ? [] : [[say`Check number`, advice.check_number] as const]),
    ...(advice.last4 === null ? [] : [['To account', `ending in ${advice.last4}`] as const]),
    ...(advice.reference === '' ? [] : [['Reference', advice.reference] as const]),
    ...(advice.memo === '' ? [] : [['Note', advice.memo] as const]),
  ];
  return [{ kind: 'title', text: 'Remittance advice' }, { kind: 'facts', rows: facts },
    ...(advice.royalties.length > 0 ? royaltyBlocks(advice, language)
      : advice.parts.length > 0 ? [documentsOf(advice, language)] : [])];
}

const money = (minor: number): string => `${minor < 0 ? '-' : ''}${formatMinor(BigInt(Math.abs(minor)))}`;

/** Gross, tax and cash where tax is withheld. */
function totalsOf({ amount_minor, withheld_minor, currency }: Remittance): readonly (readonly [string, string])[] {
  const paid = ['Total', formatMoney(amount_minor, currency)] as const;
  return withheld_minor === 0 ? [paid] : [['Gross', money(amount_minor + withheld_minor)],
    ['Backup withholding', money(-withheld_minor)], paid];
}

function documentsOf(advice: Remittance, language: Language): PdfBlock {
  const discounted = advice.parts.some((part) => part.discount_minor > 0);
  return { kind: 'table',
    columns: [{ label: advice.is_refund ? 'Your payment' : 'Your invoice', width: 22 },
      { label: 'Our number', width: 22 }, { label: 'Date', width: 20 },
      { label: 'Total', width: 16, align: 'right' },
      ...(discounted ? [{ label: 'Discount', width: 14, align: 'right' as const }] : []),
      { label: advice.is_refund ? 'Refunded' : 'Paid', width: 16, align: 'right' }],
    rows: advice.parts.map((part) => [
      part.paid_minor < 0 ? `${part.payee_number} (credit)` : part.payee_number, part.document,
      dateFor(language, part.dated_on), money(part.total_minor),
      ...(discounted ? [money(-part.discount_minor)] : []), money(part.paid_minor)]),
    totals: totalsOf(advice).map(([label, amount]) => [label, '', '', '', ...(discounted ? [''] : []), amount]) };
}

/** Statements and advances with the tax that was withheld, then how each statement comes to its amount. */
function royaltyBlocks(advice: Remittance, language: Language): PdfBlock[] {
  const name = (part: RoyaltyPart): string => (part.statement === null ? `Advance${part.show && `, ${part.show}`}`
    : `${part.is_agent ? 'Commission on statement' : 'Statement'} ${part.statement}`);
  const sums = advice.royalties.reduce((all, part) => ({ paid: all.paid + part.paid_minor,
    withheld: all.withheld + part.withheld_minor }), { paid: 0, withheld: 0 });
  const detailed = advice.royalties.filter((part) => part.lines.length > 0);
  return [
    { kind: 'table', columns: [{ label: 'Royalties', width: 30 }, { label: 'Period', width: 26 },
      { label: 'Gross', width: 15, align: 'right' }, { label: 'Tax withheld', width: 15, align: 'right' },
      { label: 'Paid', width: 15, align: 'right' }],
    rows: advice.royalties.map((part) => [
      part.debt_currency === advice.currency ? name(part)
        : `${name(part)} (${formatMoney(part.debt_minor, part.debt_currency)})`,
      part.period_from === null || part.period_to === null ? ''
        : periodFor(language, part.period_from, part.period_to),
      money(part.paid_minor + part.withheld_minor), money(-part.withheld_minor), money(part.paid_minor)]),
    totals: [['Total', '', money(sums.paid + sums.withheld), money(-sums.withheld),
      formatMoney(advice.amount_minor, advice.currency)]] },
    ...detailed.flatMap((part): PdfBlock[] => [{ kind: 'heading', text: name(part) },
      { kind: 'table', columns: [{ label: 'Production', width: 75 },
        { label: `Amount, ${part.debt_currency}`, width: 25, align: 'right' }],
      rows: part.lines.map((line) => [line.description, money(line.amount_minor)]),
      totals: [['Payable', money(part.debt_minor)]] }]),
  ];
}
