/**
 * The VAT return of a division from the items of its period (accounting.md 3.8): the nine boxes of the United Kingdom,
 * the boxes of the Irish VAT3 for the EU division. Amounts are minor units of the functional currency.
 */
import { abs } from '../money/money.ts';

/** Tax that is owed for sales (output) or taken back for purchases (input), with the net amount it was computed on. */
export interface VatItem {
  readonly side: 'output' | 'input';
  /** Signed: a credit note or a vendor's credit is below zero. */
  readonly tax_minor: bigint;
  readonly net_minor: bigint;
  /** Reverse-charged trade with a business of another member state (ES1, ES2; goods E1, E2). */
  readonly intra_eu: boolean;
  readonly is_goods: boolean;
}

export interface VatBox { readonly box: string; readonly label: string; readonly amount_minor: bigint }

export interface VatReturn {
  readonly boxes: readonly VatBox[];
  /** Output tax less input tax: above zero it is paid, below zero it is reclaimed. */
  readonly net_minor: bigint;
  readonly output_minor: bigint;
  readonly input_minor: bigint;
}

export type VatDivision = 'UK' | 'EU';

/** Labels as HMRC prints them on the return. */
const UK_LABELS: Readonly<Record<string, string>> = {
  1: 'VAT due on sales and other outputs', 2: 'VAT due on acquisitions from EU member states',
  3: 'Total VAT due', 4: 'VAT reclaimed on purchases and other inputs', 5: 'Net VAT to pay or reclaim',
  6: 'Total value of sales, excluding VAT', 7: 'Total value of purchases, excluding VAT',
  8: 'Total value of goods supplied to EU member states', 9: 'Total value of goods acquired from EU member states',
};
const EU_LABELS: Readonly<Record<string, string>> = {
  T1: 'VAT on sales', T2: 'VAT on purchases', T3: 'Net payable', T4: 'Net repayable',
  E1: 'Goods to other EU countries', E2: 'Goods from other EU countries',
  ES1: 'Services to other EU countries', ES2: 'Services from other EU countries',
};

const isOutput = (item: VatItem): boolean => item.side === 'output';

function total(items: readonly VatItem[], of: 'tax_minor' | 'net_minor'): bigint {
  return items.reduce((sum, item) => sum + item[of], 0n);
}

/** Boxes 6 to 9 are whole pounds, cut toward zero, negatives too (accounting.md 3.8). */
export function wholePounds(minor: bigint): bigint {
  return minor / 100n * 100n;
}

/**
 * Boxes of the items. Boxes 1 to 4 and 6 to 9 may be below zero; box 5 never is, `net_minor` keeps its direction. The
 * tax of a reverse charge stands on both sides, and its net in boxes 6 and 7.
 */
export function vatReturn(division: VatDivision, items: readonly VatItem[]): VatReturn {
  const outputs = items.filter(isOutput);
  const inputs = items.filter((item) => !isOutput(item));
  const output_minor = total(outputs, 'tax_minor');
  const input_minor = total(inputs, 'tax_minor');
  const net_minor = output_minor - input_minor;
  const amounts = division === 'UK'
    ? { 1: output_minor, 2: 0n, 3: output_minor, 4: input_minor, 5: abs(net_minor),
      6: wholePounds(total(outputs, 'net_minor')), 7: wholePounds(total(inputs, 'net_minor')), 8: 0n, 9: 0n }
    : euAmounts(outputs, inputs, net_minor);
  const labels = division === 'UK' ? UK_LABELS : EU_LABELS;
  const boxes = Object.entries(labels).map(([box, label]) =>
    ({ box, label, amount_minor: (amounts as Record<string, bigint>)[box]! }));
  return { boxes, net_minor, output_minor, input_minor };
}

function euAmounts(outputs: readonly VatItem[], inputs: readonly VatItem[], net: bigint): Record<string, bigint> {
  const intra = (items: readonly VatItem[], goods: boolean): bigint =>
    total(items.filter((item) => item.intra_eu && item.is_goods === goods), 'net_minor');
  const sold = outputs.filter((item) => item.tax_minor === 0n);
  return { T1: total(outputs, 'tax_minor'), T2: total(inputs, 'tax_minor'), T3: net > 0n ? net : 0n,
    T4: net < 0n ? -net : 0n, E1: intra(sold, true), E2: intra(inputs, true), ES1: intra(sold, false),
    ES2: intra(inputs, false) };
}

/** Selects the items behind a box; null where the box is computed from others. */
export function itemsOfBox(division: VatDivision, box: string): ((item: VatItem) => boolean) | null {
  const boxes: Record<string, (item: VatItem) => boolean> = division === 'UK' ? {
    1: (item) => isOutput(item) && item.tax_minor !== 0n, 4: (item) => !isOutput(item) && item.tax_minor !== 0n,
    6: (item) => isOutput(item) && item.net_minor !== 0n, 7: (item) => !isOutput(item) && item.net_minor !== 0n,
  } : {
    T1: (item) => isOutput(item) && item.tax_minor !== 0n, T2: (item) => !isOutput(item) && item.tax_minor !== 0n,
    E1: (item) => isOutput(item) && item.tax_minor === 0n && item.intra_eu && item.is_goods,
    E2: (item) => !isOutput(item) && item.intra_eu && item.is_goods,
    ES1: (item) => isOutput(item) && item.tax_minor === 0n && item.intra_eu && !item.is_goods,
    ES2: (item) => !isOutput(item) && item.intra_eu && !item.is_goods,
  };
  return boxes[box] ?? null;
}

/**
 * Whether errors of earlier periods, found late, may be put right on the next return: up to 10,000.00 net, above that
 * up to 1% of its box 6 and 50,000.00 at most (VAT Notice 700/45 section 4 as known-failures.md reads it).
 */
export function mayCorrect(netErrorMinor: bigint, box6Minor: bigint): boolean {
  const error = abs(netErrorMinor);
  if (error <= 1_000_000n) return true;
  const share = box6Minor / 100n;
  return error <= (share < 5_000_000n ? share : 5_000_000n);
}

/** The nine boxes under the names of HMRC's VAT API 1.0: pounds with two decimals, boxes 6 to 9 whole. */
export function mtdReturn(periodKey: string, boxes: readonly VatBox[], finalised: boolean): Record<string, unknown> {
  const pounds = (box: string): number => Number(boxes.find((one) => one.box === box)!.amount_minor) / 100;
  return {
    periodKey, vatDueSales: pounds('1'), vatDueAcquisitions: pounds('2'), totalVatDue: pounds('3'),
    vatReclaimedCurrPeriod: pounds('4'), netVatDue: pounds('5'), totalValueSalesExVAT: pounds('6'),
    totalValuePurchasesExVAT: pounds('7'), totalValueGoodsSuppliedExVAT: pounds('8'),
    totalAcquisitionsExVAT: pounds('9'), finalised,
  };
}

export interface TakenTax {
  readonly account: '1300' | '2300';
  readonly authority_id: number;
  /** Debit positive, as the lines stand on the account. */
  readonly base_minor: bigint;
}

export interface ReturnLine {
  readonly account: '1300' | '2300' | '2350';
  readonly authority_id: number;
  readonly amount_minor: bigint;
}

/** Event 22: what was taken leaves both accounts, the difference is owed to (or by) the authority on 2350. */
export function returnLines(taken: readonly TakenTax[], authorityId: number): ReturnLine[] {
  const lines = taken.filter((one) => one.base_minor !== 0n)
    .map((one): ReturnLine => ({ account: one.account, authority_id: one.authority_id,
      amount_minor: -one.base_minor }));
  const rest = -lines.reduce((sum, line) => sum + line.amount_minor, 0n);
  return rest === 0n ? lines : [...lines, { account: '2350', authority_id: authorityId, amount_minor: rest }];
}
