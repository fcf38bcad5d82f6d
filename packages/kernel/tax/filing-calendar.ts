/**
 * Filing calendars of the states: the days a sales tax return covers, the day it is due, what the state lets the seller
 * keep for filing in time, and the figures of a return (accounting.md 2.2 event 23, 3.9). The rules are rows that staff
 * enter; amounts are minor units of US dollars.
 */
import {
  addDays, addMonths, endOfMonth, isBusinessDay, maxDate, minDate, startOfMonth, type IsoDate,
} from '../calendar/calendar.ts';
import { applyPpm, sum } from '../money/money.ts';
import { stateRuleOn, type StateSales } from './sales-tax-return.ts';

export const FILING_FREQUENCIES = ['monthly', 'quarterly', 'annual'] as const;
export type FilingFrequency = (typeof FILING_FREQUENCIES)[number];

/** A state's rule for a seller, in force from a day on. */
export interface FilingRule {
  /** 'US-NY'. */
  readonly state: string;
  readonly frequency: FilingFrequency;
  /** Month that quarters and years are counted from: 1, in New York 3. */
  readonly first_month: number;
  /** Day of the month after the period; beyond its end, the last day. */
  readonly due_day: number;
  /** Vendor discount on the sales tax due, in parts per million; 0 where the state gives none. */
  readonly discount_ppm: bigint;
  /** Most that the discount of one return comes to; null: no limit. */
  readonly discount_cap_minor: bigint | null;
  readonly valid_from: IsoDate;
}

export interface FilingPeriod<Rule extends FilingRule = FilingRule> {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly rule: Rule;
}

const MONTHS: Readonly<Record<FilingFrequency, number>> = { monthly: 1, quarterly: 3, annual: 12 };

/**
 * The filing period of a state around a day, by the rule in force on that day: another rule, before or after, cuts it.
 * Null where no rule is entered.
 */
export function filingPeriodOn<Rule extends FilingRule>(
  rules: readonly Rule[], state: string, on: IsoDate,
): FilingPeriod<Rule> | null {
  const rule = stateRuleOn(rules, state, on);
  if (rule === null) return null;
  const months = MONTHS[rule.frequency];
  const into = (Number(on.slice(5, 7)) - rule.first_month + 12) % months;
  const start = addMonths(startOfMonth(on), -into);
  const end = endOfMonth(addMonths(start, months - 1));
  const later = rules.filter((one) => one.state === state && one.valid_from > on).map((one) => one.valid_from).sort();
  return { rule, from: maxDate(start, rule.valid_from),
    to: later[0] === undefined ? end : minDate(end, addDays(later[0], -1)) };
}

/** The day a return is due: in the month after its period, moved to the next business day. */
export function filingDueOn(
  rule: Pick<FilingRule, 'due_day'>, to: IsoDate, holidays: readonly IsoDate[],
): IsoDate {
  const month = addMonths(startOfMonth(to), 1);
  let due = minDate(addDays(month, rule.due_day - 1), endOfMonth(month));
  while (!isBusinessDay(due, holidays)) due = addDays(due, 1);
  return due;
}

/** Part of the sales tax that the seller keeps: nothing after the due date, and nothing of a credit. */
export function vendorDiscount(
  rule: Pick<FilingRule, 'discount_ppm' | 'discount_cap_minor'>, taxMinor: bigint,
  days: { readonly filed_on: IsoDate; readonly due_on: IsoDate },
): bigint {
  if (taxMinor <= 0n || days.filed_on > days.due_on) return 0n;
  const kept = applyPpm(taxMinor, rule.discount_ppm);
  return rule.discount_cap_minor !== null && kept > rule.discount_cap_minor ? rule.discount_cap_minor : kept;
}

export const FILING_BOXES = ['gross', 'exempt', 'not_taxable', 'taxable', 'tax', 'excess', 'use_base', 'use_tax',
  'discount', 'credit', 'net'] as const;
export type FilingBox = (typeof FILING_BOXES)[number];
const LABELS: Readonly<Record<FilingBox, string>> = { gross: 'Gross sales', exempt: 'Exempt sales',
  not_taxable: 'Sales not taxed', taxable: 'Taxable sales', tax: 'Sales tax due at the rates',
  excess: 'Sales tax collected above the rates', use_base: 'Purchases subject to use tax', use_tax: 'Use tax due',
  discount: 'Vendor discount', credit: 'Credit from earlier returns', net: 'To pay' };

export interface SalesTaxFiling {
  readonly boxes: readonly { readonly box: FilingBox; readonly label: string; readonly amount_minor: bigint }[];
  readonly collected_minor: bigint;
  readonly use_tax_minor: bigint;
  /** Due at the rates and not collected, by rounding: the seller's cost. */
  readonly short_minor: bigint;
  readonly discount_minor: bigint;
  /** Credit of earlier returns that this one uses: never more than it comes to. */
  readonly credit_minor: bigint;
  /** Tax, excess and use tax less discount and credit used; below zero it is a new credit with the state. */
  readonly net_minor: bigint;
}

/**
 * Figures of a return. What was collected is the state's also where the rates come to less; where they come to more,
 * the seller pays the difference. Gross is exempt, not taxed and taxable together. `creditMinor` is the credit that
 * earlier returns left with the state; its line is there only where there is one.
 */
export function salesTaxFiling(
  sales: StateSales | null, use: { readonly base_minor: bigint; readonly tax_minor: bigint },
  discountOf: (taxMinor: bigint) => bigint, creditMinor = 0n,
): SalesTaxFiling {
  const gross = sales?.gross_minor ?? 0n;
  const taxable = sales?.taxable_minor ?? 0n;
  const exempt = sum((sales?.exempt ?? []).map((one) => one.minor));
  const collected = sales?.collected_minor ?? 0n;
  const due = sales?.due_minor ?? 0n;
  const excess = collected > due ? collected - due : 0n;
  const discount = discountOf(due);
  const total = due + excess + use.tax_minor - discount;
  const credit = total <= 0n ? 0n : total < creditMinor ? total : creditMinor;
  const amounts: Record<FilingBox, bigint> = { gross, exempt, not_taxable: gross - exempt - taxable, taxable, tax: due,
    excess, use_base: use.base_minor, use_tax: use.tax_minor, discount: -discount,
    credit: -credit, net: total - credit };
  const shown = FILING_BOXES.filter((box) => box !== 'credit' || creditMinor > 0n);
  return { boxes: shown.map((box) => ({ box, label: LABELS[box], amount_minor: amounts[box] })),
    collected_minor: collected, use_tax_minor: use.tax_minor, short_minor: due > collected ? due - collected : 0n,
    discount_minor: discount, credit_minor: credit, net_minor: amounts.net };
}

export interface FilingLine {
  /** `sales_tax` and `use_tax` name the authority, `small_differences` is the seller's own. */
  readonly account: 'sales_tax' | 'use_tax' | 'small_differences';
  readonly what: 'sales_tax' | 'use_tax' | 'short' | 'discount' | 'credit';
  readonly amount_minor: bigint;
}

/** Lines of the bill that pays a return (event 23); they come to what is paid. */
export function filingLines(filing: Omit<SalesTaxFiling, 'boxes' | 'net_minor'>): FilingLine[] {
  const lines: FilingLine[] = [
    { account: 'sales_tax', what: 'sales_tax', amount_minor: filing.collected_minor },
    { account: 'use_tax', what: 'use_tax', amount_minor: filing.use_tax_minor },
    { account: 'small_differences', what: 'short', amount_minor: filing.short_minor },
    { account: 'small_differences', what: 'discount', amount_minor: -filing.discount_minor },
    { account: 'sales_tax', what: 'credit', amount_minor: -filing.credit_minor },
  ];
  return lines.filter((line) => line.amount_minor !== 0n);
}

/**
 * Posting of a return that no bill pays: its use tax, rounding and discount go to sales tax payable, debits above zero,
 * so that the account holds the credit with the state. Empty where the return has sales tax alone.
 */
export function unpaidLines(filing: Omit<SalesTaxFiling, 'boxes'>):
Pick<FilingLine, 'account' | 'amount_minor'>[] {
  if (filing.net_minor > 0n) return [];
  const { use_tax_minor: used, short_minor: short, discount_minor: discount } = filing;
  const lines: Pick<FilingLine, 'account' | 'amount_minor'>[] = [
    { account: 'use_tax', amount_minor: used },
    { account: 'small_differences', amount_minor: short - discount },
    { account: 'sales_tax', amount_minor: discount - short - used },
  ];
  return lines.filter((line) => line.amount_minor !== 0n);
}
