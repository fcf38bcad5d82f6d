/** Lines of a document made ready: defaults by kind, release terms, tax on the tax point. */
import { invalid, type FieldErrors } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import { BANK_CHARGES, INCOME } from '#kernel/ledger/income-accounts.ts';
import { formatMinor, MAX_MINOR } from '#kernel/money/money.ts';
import type { ItemClass, LineKind } from '#kernel/money/priced-line.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import type { LocalRateAnswer } from '#modules/taxation/local-tax-rates/local-tax-rate.contract.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { determineByService, determineTax, proveVatNumber, type TaxedLine }
  from '#modules/taxation/taxation.public.server.ts';
import type { IncomeType, InvoiceItemKind, InvoiceLineInput, ReleaseRule } from '../receivables-types.ts';

export interface ReadyLine extends Required<Pick<InvoiceLineInput, 'kind' | 'description' | 'item_class' | 'quantity'
  | 'unit_minor' | 'net_minor' | 'tax_minor' | 'royalty_bearing'>> {
  income_type: IncomeType;
  release_rule: ReleaseRule;
  release_from: string | null;
  release_to: string | null;
  /** Account the income goes to in the end. */
  account_code: string;
  license_charge_id: number | null;
  license_venue_id: number | null;
  performance_id: number | null;
  add_on_id: number | null;
  box_office_report_id: number | null;
  tax_free: boolean;
  carries: ItemClass | null;
  tax: TaxedLine;
}

export interface LicenseDates {
  id: number;
  division: string;
  currency: string;
  customer_id: number;
  fee_method: string | null;
  first_performance_on: string | null;
  last_performance_on: string | null;
  ship_on: string | null;
  return_due_on: string | null;
  purchase_order_no: string | null;
}

const BY_KIND: Record<InvoiceItemKind, readonly [account: string, type: IncomeType, rule: ReleaseRule]> = {
  royalty: [INCOME.fees, 'royalty', 'performances'], minimum: [INCOME.fees, 'royalty', 'performances'],
  advance: [INCOME.reported, 'advance', 'as_recouped'], overage: [INCOME.reported, 'royalty', 'at_once'],
  rental: [INCOME.rental, 'rental', 'straight_line'], extra_week: [INCOME.rental, 'rental', 'straight_line'],
  sale: [INCOME.sales, 'sale', 'shipment'], digital: [INCOME.sales, 'digital', 'access'],
  add_on: [INCOME.sales, 'add_on', 'shipment'],
  shipping: [INCOME.shipping, 'shipping', 'shipment'], fee: [INCOME.other_fees, 'fee', 'at_once'],
  bank_charge: [BANK_CHARGES, 'fee', 'at_once'], late_interest: [INCOME.late_interest, 'late_fee', 'at_once'],
};
const TAX_KINDS: Partial<Record<InvoiceItemKind, LineKind>> = { minimum: 'royalty', advance: 'royalty',
  overage: 'royalty' };

const NO_SUPPLY = { bank_charge: 'A charge of the bank passed on is no supply',
  late_interest: 'Interest on late payment is no supply' };
const isNoSupply = (kind: string): kind is keyof typeof NO_SUPPLY => kind in NO_SUPPLY;

/** A line of a report, a charge passed on and interest never pass through deferred income (accounting.md 2.1). */
export function isEarnedWhenBilled(line: { kind: string; box_office_report_id: number | null }): boolean {
  return line.kind === 'overage' || isNoSupply(line.kind) || line.box_office_report_id !== null;
}

/** Lines with tax, in the given order. 422 with a text at each wrong line. */
export async function readyLines(
  ctx: WorkContext, input: { customer_id: number; division: string; on: string; license: LicenseDates | null;
    lines: readonly InvoiceLineInput[]; ship_to?: Address | null | undefined;
    local_rates?: readonly LocalRateAnswer[] | undefined },
): Promise<ReadyLine[]> {
  refuseWrong(input.lines);
  const taxes = await lineTaxes(ctx, { ...input, license_id: input.license?.id ?? null });
  return input.lines.map((line, k) => ready(line, taxes[k]!, input.license, carriedBy(line, input.lines)));
}

/** ZIP codes that were taxed at the state's rate for want of a local one, each once. */
export function unknownZips(lines: readonly Pick<ReadyLine, 'tax'>[]): { state: string; zip: string }[] {
  const found = lines.flatMap((line) => line.tax.unknown_zip ?? []);
  return found.filter((one, k) => found.findIndex((other) => other.zip === one.zip) === k);
}

export interface TaxQuestion {
  customer_id: number;
  division: string;
  /** Tax point. */
  on: string;
  license_id: number | null;
  lines: readonly Pick<InvoiceLineInput, 'kind' | 'item_class' | 'net_minor' | 'tax_minor' | 'carries' | 'tax_free'
    | 'license_venue_id' | 'quoted_tax_minor'>[];
  ship_to?: Address | null | undefined;
  /** Of a preview: what the person says of ZIP codes, before it is kept. */
  local_rates?: readonly LocalRateAnswer[] | undefined;
}

/** The tax of lines on a tax point, in the given order; the one place where receivables asks for it. */
export async function lineTaxes(ctx: WorkContext, input: TaxQuestion): Promise<TaxedLine[]> {
  const venues = input.license_id === null ? new Map<number, Address>() : await venueAddresses(ctx, input.license_id);
  await proveVatNumber(ctx, input.division, input.customer_id);
  const own: TaxedLine[] = [];
  for (const line of input.lines) {
    const venue = (line.license_venue_id && venues.get(line.license_venue_id)) || [...venues.values()][0] || null;
    const [tax] = isNoSupply(line.kind) ? [await noSupply(ctx, input.division, NO_SUPPLY[line.kind])]
      : await determineTax(ctx, {
      division: input.division, customer_id: input.customer_id, on: input.on, venue,
      ...(input.ship_to ? { ship_to: input.ship_to } : {}), local_rates: input.local_rates ?? [],
      lines: [{ kind: TAX_KINDS[line.kind] ?? (line.kind as LineKind), item_class: line.item_class,
        carries: carriedBy(line, input.lines), net_minor: line.net_minor, tax_free: line.tax_free }],
    });
    own.push(tax!);
  }
  const taxes = await determineByService(ctx, { ...input, own });
  return input.lines.map((line, k) => {
    const tax = taxes[k]!;
    const shared = line.quoted_tax_minor === undefined ? tax : asShare(tax, line.quoted_tax_minor);
    return line.tax_minor === undefined ? shared : asQuoted(tax, line.tax_minor);
  });
}

/**
 * A charge passed on and interest on late payment are compensation: no supply, so no tax and no box of a return (EU and
 * UK: Court of Justice, case 222/81). Sales taxes of the US are on goods and services, never on interest.
 */
async function noSupply(ctx: WorkContext, division: string, reason: string): Promise<TaxedLine> {
  const code = await ctx.db.one<{ id: number; country: string }>(sql`
    select t.id, d.home_country as country from tax_codes t join divisions d on d.code = t.division
    where t.division = ${division} and t.code = 'NO_SUPPLY'`);
  return { code: 'NO_SUPPLY', tax_code_id: code.id, jurisdiction: code.country, rate_ppm: 0, base_minor: 0,
    tax_minor: 0, reason, problem: null, ec_list: false,
    exemption_certificate_id: null, legal_text: '', parts: [] };
}

function ready(line: InvoiceLineInput, tax: TaxedLine, license: LicenseDates | null, carries: ItemClass | null):
ReadyLine {
  const [account, type, byKind] = BY_KIND[line.kind];
  const quantity = line.quantity ?? 1;
  const whole = quantity > 0 && line.net_minor % quantity === 0;
  const dates = releaseDates(line, license);
  const earned = isEarnedWhenBilled({ kind: line.kind, box_office_report_id: line.box_office_report_id ?? null });
  return {
    kind: line.kind, description: line.description, item_class: line.item_class,
    quantity: line.unit_minor === undefined && !whole ? 1 : quantity,
    unit_minor: line.unit_minor ?? (whole ? line.net_minor / quantity : line.net_minor),
    net_minor: line.net_minor, tax_minor: tax.tax_minor, tax,
    income_type: line.income_type ?? type, royalty_bearing: line.royalty_bearing ?? false,
    release_rule: releaseRule(line, byKind, license, dates.from !== null && dates.to !== null),
    release_from: dates.from, release_to: dates.to,
    account_code: earned && !isNoSupply(line.kind) ? INCOME.reported : account,
    license_charge_id: line.license_charge_id ?? null, license_venue_id: line.license_venue_id ?? null,
    performance_id: line.performance_id ?? null, add_on_id: line.add_on_id ?? null,
    box_office_report_id: line.box_office_report_id ?? null, tax_free: line.tax_free ?? false, carries,
  };
}

/** Without a licence there is no run to wait for: what is billed by hand is earned at once. */
function releaseRule(line: InvoiceLineInput, byKind: ReleaseRule, license: LicenseDates | null, hire: boolean):
ReleaseRule {
  if (line.release_rule !== undefined) return line.release_rule;
  if (license === null || line.box_office_report_id != null) return 'at_once';
  if (byKind === 'performances' && license.fee_method === 'flat_run') return 'opening';
  return byKind === 'straight_line' && !hire ? 'shipment' : byKind;
}

function releaseDates(line: InvoiceLineInput,
  license: LicenseDates | null): { from: string | null; to: string | null } {
  const hire = line.kind === 'rental' || line.kind === 'extra_week';
  const from = line.release_from ?? (hire ? license?.ship_on ?? license?.first_performance_on : null) ?? null;
  const to = line.release_to ?? (hire ? license?.return_due_on ?? license?.last_performance_on : null) ?? null;
  return from !== null && to !== null && to >= from ? { from, to } : { from: null, to: null };
}

type Carrying = Pick<InvoiceLineInput, 'kind' | 'item_class' | 'carries'>;

function carriedBy(line: Carrying, lines: readonly Carrying[]): ItemClass | null {
  if (line.carries || line.kind !== 'shipping') return line.carries ?? null;
  return lines.find((other) => ['rental', 'extra_week', 'sale', 'add_on'].includes(other.kind))?.item_class ?? null;
}

/** Minor units by which a share of a quoted tax differs from the tax of the share, through rounding alone. */
const ROUNDING = 2;

/** A share of a quoted tax stands where only rounding tells it from the tax of the day; else the day decides. */
export function asShare(tax: TaxedLine, share: number): TaxedLine {
  return Math.abs(share - tax.tax_minor) > ROUNDING ? tax : asQuoted(tax, share);
}

/** The quoted tax stands; what is stored per jurisdiction is shared by the rates of the tax point. */
function asQuoted(tax: TaxedLine, quoted: number): TaxedLine {
  if (quoted === tax.tax_minor) return tax;
  const weights = tax.parts.map((part) => BigInt(part.rate_ppm));
  const equal = weights.every((weight) => weight === 0n) ? weights.map(() => 1n) : weights;
  const shares = splitByWeight(BigInt(quoted), equal);
  return { ...tax, tax_minor: quoted, reason: `${tax.reason}, as quoted`,
    parts: tax.parts.map((part, k) => ({ ...part, tax_minor: Number(shares[k]!) })) };
}

async function venueAddresses(ctx: WorkContext, licenseId: number): Promise<Map<number, Address>> {
  const rows = await ctx.db.query<{ id: number; address: Address | null }>(sql`
    select id, address from license_venues where license_id = ${licenseId} order by sort, id`);
  return new Map(rows.flatMap((row) => (row.address === null ? [] : [[row.id, row.address] as const])));
}

/** Every line positive and below the limit, the whole below the limit too. */
function refuseWrong(lines: readonly InvoiceLineInput[]): void {
  const errors: FieldErrors = {};
  if (lines.length === 0) errors.items = ['Add a line'];
  lines.forEach((line, k) => {
    if (!Number.isSafeInteger(line.net_minor) || line.net_minor < 0) {
      errors[`items.${k}.net_minor`] = ['The amount cannot be negative'];
    } else if (BigInt(line.net_minor) > MAX_MINOR) {
      errors[`items.${k}.net_minor`] = ['The amount is larger than 10,000,000,000.00'];
    }
    if (line.unit_minor !== undefined && line.unit_minor * (line.quantity ?? 1) !== line.net_minor) {
      errors[`items.${k}.net_minor`] = [`${line.quantity ?? 1} times ${formatMinor(BigInt(line.unit_minor))
      } is ${formatMinor(BigInt(line.unit_minor) * BigInt(line.quantity ?? 1))}`];
    }
    if (line.description.trim() === '') errors[`items.${k}.description`] = ['Description is required'];
  });
  const total = lines.reduce((all, line) => all + line.net_minor, 0);
  if (Object.keys(errors).length === 0 && total > Number(MAX_MINOR)) {
    errors.items = ['Together the lines are larger than 10,000,000,000.00'];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
