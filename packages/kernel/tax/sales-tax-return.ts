/**
 * Sales and use tax of the US divisions by state and jurisdiction (accounting.md 3.9), from the tax lines that the
 * documents were issued with, never rated again; and how near a state's own threshold the division is. Amounts are
 * minor units of US dollars.
 */
import { addDays, addMonths, type IsoDate } from '../calendar/calendar.ts';
import { applyPpm, sum } from '../money/money.ts';
import { NO_TAX_REASONS } from './determine.ts';

/** Why nothing was charged; `taxed` where something was. */
export const SALE_REASONS = ['taxed', 'exempt', 'not_taxable', 'not_registered', 'unknown'] as const;
export type SaleReason = (typeof SALE_REASONS)[number];

/** Of a line as it was issued: the kind of its tax code, its rate, and the reason that was stored with it. */
export function saleReasonOf(of: { code_kind: string; rate_ppm: bigint; reason: string }): SaleReason {
  if (of.code_kind === 'sales_tax' && of.rate_ppm > 0n) return 'taxed';
  if (of.code_kind === 'exempt') return 'exempt';
  const { not_registered, not_taxable, marked } = NO_TAX_REASONS;
  if (of.reason.startsWith(not_registered)) return 'not_registered';
  return [not_taxable, marked].some((start) => of.reason.startsWith(start)) ? 'not_taxable' : 'unknown';
}

/** One part of the tax of a document's line: a taxed line has one for each jurisdiction, each over the whole base. */
export interface SalesTaxLine {
  /** The document's line: its parts count once as a sale. */
  readonly item: number;
  readonly document: number;
  readonly on: IsoDate;
  /** 'US-NY', or 'US-NY-Queens-city' for a locality. */
  readonly jurisdiction: string;
  readonly rate_ppm: bigint;
  /** Signed: a credit note is below zero. */
  readonly base_minor: bigint;
  readonly tax_minor: bigint;
  readonly reason: SaleReason;
  /** Kind of the certificate of an exempt sale: school, resale. */
  readonly certificate: string | null;
}

export interface JurisdictionRow {
  readonly jurisdiction: string;
  readonly rate_ppm: bigint;
  readonly taxable_minor: bigint;
  readonly collected_minor: bigint;
  /** Taxable at the rate, rounded once for the row. */
  readonly due_minor: bigint;
  /** Collected beyond what is due; below zero: too little. */
  readonly over_minor: bigint;
}

export interface StateSales {
  /** 'US-NY'. */
  readonly state: string;
  readonly gross_minor: bigint;
  readonly taxable_minor: bigint;
  readonly exempt: readonly { readonly certificate: string; readonly minor: bigint }[];
  readonly not_taxable_minor: bigint;
  readonly not_registered_minor: bigint;
  readonly unknown_minor: bigint;
  readonly rows: readonly JurisdictionRow[];
  readonly collected_minor: bigint;
  readonly due_minor: bigint;
}

export function stateOf(jurisdiction: string): string {
  return jurisdiction.slice(0, 5);
}

function groupBy(
  lines: readonly SalesTaxLine[], key: (line: SalesTaxLine) => string,
): Map<string, SalesTaxLine[]> {
  const groups = new Map<string, SalesTaxLine[]>();
  for (const line of lines) {
    const group = groups.get(key(line));
    if (group) group.push(line);
    else groups.set(key(line), [line]);
  }
  return groups;
}

/** Sales by state, in the order of its code. Gross is the sum of taxable, exempt, not taxable and the others. */
export function salesByState(lines: readonly SalesTaxLine[]): StateSales[] {
  const states = groupBy(lines, (line) => stateOf(line.jurisdiction));
  return [...states].sort(([one], [other]) => one.localeCompare(other)).map(([state, of]) => stateSales(state, of));
}

function stateSales(state: string, lines: readonly SalesTaxLine[]): StateSales {
  const items = [...new Map(lines.map((line) => [line.item, line])).values()];
  const net = (of: readonly SalesTaxLine[]): bigint => sum(of.map((line) => line.base_minor));
  const because = (reason: SaleReason): SalesTaxLine[] => items.filter((line) => line.reason === reason);
  const exempt = groupBy(because('exempt'), (line) => line.certificate ?? 'other');
  const rows = jurisdictionRows(lines.filter((line) => line.reason === 'taxed'));
  return {
    state, gross_minor: net(items), taxable_minor: net(because('taxed')),
    exempt: [...exempt].sort(([one], [other]) => one.localeCompare(other))
      .map(([certificate, of]) => ({ certificate, minor: net(of) })),
    not_taxable_minor: net(because('not_taxable')), not_registered_minor: net(because('not_registered')),
    unknown_minor: net(because('unknown')), rows,
    collected_minor: sum(rows.map((row) => row.collected_minor)), due_minor: sum(rows.map((row) => row.due_minor)),
  };
}

function jurisdictionRows(lines: readonly SalesTaxLine[]): JurisdictionRow[] {
  const rows = groupBy(lines, (line) => `${line.jurisdiction} ${line.rate_ppm}`);
  return [...rows.values()].map((of): JurisdictionRow => {
    const { jurisdiction, rate_ppm } = of[0]!;
    const taxable_minor = sum(of.map((line) => line.base_minor));
    const collected_minor = sum(of.map((line) => line.tax_minor));
    const due_minor = applyPpm(taxable_minor, rate_ppm);
    return { jurisdiction, rate_ppm, taxable_minor, collected_minor, due_minor,
      over_minor: collected_minor - due_minor };
  }).sort((one, other) => one.jurisdiction.localeCompare(other.jurisdiction) || Number(one.rate_ppm - other.rate_ppm));
}

/** A state's rule of economic nexus, in force from a day on. */
export interface NexusRule {
  readonly state: string;
  /** Sales that make a seller register; null: no threshold of money. */
  readonly threshold_minor: bigint | null;
  readonly transactions: number | null;
  /** Whether both thresholds have to be reached, or one. */
  readonly needs_both: boolean;
  readonly measure: 'gross' | 'taxable';
  readonly counted_over: 'calendar_year' | 'rolling_12';
  readonly valid_from: IsoDate;
}

export interface NexusCount {
  readonly rule: NexusRule;
  readonly from: IsoDate;
  readonly sales_minor: bigint;
  readonly transactions: number;
  readonly reached: boolean;
}

/** First day that a rule counts, seen from a day. */
export function countedFrom(over: NexusRule['counted_over'], on: IsoDate): IsoDate {
  return over === 'calendar_year' ? `${on.slice(0, 4)}-01-01` : addDays(addMonths(on, -12), 1);
}

/** The rule of a state in force on a day. */
export function stateRuleOn<Rule extends { readonly state: string; readonly valid_from: IsoDate }>(
  rules: readonly Rule[], state: string, on: IsoDate,
): Rule | null {
  return rules.filter((rule) => rule.state === state && rule.valid_from <= on)
    .reduce<Rule | null>((best, rule) => (best === null || rule.valid_from > best.valid_from ? rule : best), null);
}

/**
 * Progress toward the threshold on a day. Untaxed sales count in gross, credits are deducted. Taxable are all sales but
 * the exempt and those that the state does not tax: where a seller is not registered, nothing is taxed yet. Of calendar
 * years the one before counts too, as states have it: a seller does not drop below the threshold on January 1.
 */
export function countNexus(rule: NexusRule, on: IsoDate, lines: readonly SalesTaxLine[]): NexusCount {
  const first = countedFrom(rule.counted_over, on);
  const current = countedIn(rule, first, on, lines);
  if (rule.counted_over === 'rolling_12' || current.reached) return current;
  const before = countedIn(rule, addMonths(first, -12), addDays(first, -1), lines);
  return before.reached ? before : current;
}

/** Reasons for which a sale is not taxable, registered or not. */
const UNTAXED: readonly SalesTaxLine['reason'][] = ['exempt', 'not_taxable'];

function countedIn(rule: NexusRule, from: IsoDate, to: IsoDate, lines: readonly SalesTaxLine[]): NexusCount {
  const counted = lines.filter((line) => stateOf(line.jurisdiction) === rule.state && line.on >= from && line.on <= to
    && (rule.measure === 'gross' || !UNTAXED.includes(line.reason)));
  const items = [...new Map(counted.map((line) => [line.item, line])).values()];
  const sales_minor = sum(items.map((line) => line.base_minor));
  const transactions = new Set(items.filter((line) => line.base_minor > 0n).map((line) => line.document)).size;
  const money = rule.threshold_minor !== null && sales_minor >= rule.threshold_minor;
  const number = rule.transactions !== null && transactions >= rule.transactions;
  const reached = rule.needs_both ? money && number : money || number;
  return { rule, from, sales_minor, transactions, reached };
}
