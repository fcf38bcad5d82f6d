/**
 * Prices a licence and stores all of it: terms, unit fees, charges with their tax, payment plan, totals, trace
 * (domain.md 2.11). A draft takes the rate card in force; a signed licence keeps its own terms.
 */
import { invalid } from '#kit/errors.ts';
import { applyPpm, formatMinor, sum } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { PriceError } from '#kernel/pricing/price-error.ts';
import { priceRows, type PriceRow } from '#kernel/pricing/price-rows.ts';
import type { Discount, PriceLine } from '#kernel/pricing/price-types.ts';
import { untaxed } from '#kernel/pricing/price.ts';
import { toJson } from '#kernel/pricing/trace.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { computePrice, NoRateError, type ComputedPrice, type PriceQuestion } from './compute-price.server.ts';
import { chargesFor, selectionOf, type ChargeMeta, type Selection } from './price-charges.server.ts';
import { pricedVenues } from './priced-venues.server.ts';
import { advanceAsked } from './promise.server.ts';
import { feeTermsOf, termsOfLicense } from './rate-terms.server.ts';

/** A discount beyond this part of the royalty needs a second person (domain.md 2.11, 6.1 pricing_approved). */
export const DISCOUNT_ALONE_PPM = 100_000n;
/** Phases whose terms are the licence's own: a later rate card never alters them. */
const OPEN_PHASES = ['draft', 'expired', 'declined'];

/** Prices and stores; 422 with the kernel's code where no price can be made. */
export async function priceLicense(ctx: WorkContext, licenseId: number, selection?: Selection): Promise<ComputedPrice> {
  const license = await findLicense(ctx.db, licenseId, true);
  const computed = await priceOrRefuse(() => computeLicensePrice(ctx, license, selection));
  await storePrice(ctx, license, computed);
  return computed;
}

/** As priceLicense, but a draft that cannot be priced yet stays unpriced instead of refusing the change. */
export async function tryPrice(ctx: WorkContext, licenseId: number, selection?: Selection):
Promise<ComputedPrice | undefined> {
  const license = await findLicense(ctx.db, licenseId, true);
  try {
    const computed = await computeLicensePrice(ctx, license, selection);
    await storePrice(ctx, license, computed);
    return computed;
  } catch (error) {
    if (!(error instanceof PriceError) && !(error instanceof NoRateError)) throw error;
    await ctx.db.exec(sql`
      update licenses set priced_at = null, calculation_trace = null, royalty_total_minor = 0,
        materials_total_minor = 0, tax_total_minor = 0, grand_total_minor = 0 where id = ${licenseId}`);
    await ctx.db.exec(sql`delete from license_instalments where license_id = ${licenseId}`);
    await ctx.db.exec(sql`delete from license_charges where license_id = ${licenseId} and origin = 'quoted'
      and kind in ('royalty', 'advance')`);
    await ctx.db.exec(sql`update performances set unit_fee_minor = null where license_id = ${licenseId}`);
    if (selection) await keepSelection(ctx.db, license, selection);
    return undefined;
  }
}

/** Stores the selection, untaxed, until dates and a rate make a price possible. */
async function keepSelection(db: Queryable, license: License, selection: Selection): Promise<void> {
  const { charges, meta } = await chargesFor(db, { ...license, license_id: license.id, selection, show_package_id: null,
    performances: license.number_of_performances });
  const lines = charges.map((charge): StoredLine => {
    const net = charge.unit_minor * BigInt(charge.quantity);
    const tax = untaxed({ ...charge, carries: charge.carries ?? null, venue_id: null, net_minor: net });
    const line = { ...charge, carries: charge.carries ?? null, venue_id: null, net_minor: net, tax, tax_minor: 0n,
      total_minor: net };
    return { line, kind: charge.kind, description: charge.label, net, tax: 0n, quantity: charge.quantity,
      unit: charge.unit_minor, detail: '' };
  });
  await storeCharges(db, license.id, lines, meta);
}

export async function priceOrRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PriceError || error instanceof NoRateError) throw invalid({ price: [error.message] },
      error.code);
    throw error;
  }
}

export async function computeLicensePrice(
  ctx: WorkContext, license: License, selection?: Selection, change: Partial<PriceQuestion> = {},
): Promise<ComputedPrice> {
  return computePrice(ctx.db, { ...await licenseQuestion(ctx, license, selection), ...change });
}

/** Pricing input read from a stored license. */
export async function licenseQuestion(
  ctx: WorkContext, license: License, selection?: Selection,
): Promise<PriceQuestion> {
  const { venues, addresses } = await pricedVenues(ctx.db, license.id);
  const open = OPEN_PHASES.includes(license.phase);
  return {
    license_id: license.id, show_id: license.show_id, category: license.category, division: license.division,
      currency: license.currency,
    classification_id: license.customer_classification_id, customer_id: license.customer_id, venues, addresses,
    selection: selection ?? await selectionOf(ctx.db, license.id), discount: discountOf(license),
    negotiated: license.fee_method === 'negotiated' && license.fee_terms?.negotiated_fee_minor !== undefined
      ? { fee_per_performance_minor: license.fee_terms.negotiated_fee_minor, reason: license.negotiated_reason ?? '' }
      : null,
    ...(open ? {} : { frozen: { terms: termsOfLicense(license), rule_id: `license:${license.id}`,
      deposit: license.deposit_minor > 0 ? { kind: license.fee_terms?.deposit_kind ?? 'security',
        amount_minor: BigInt(license.deposit_minor) } : null, show_package_id: null } }),
    execution_policy: license.execution_policy, today: await ctx.today(license.division),
  };
}

function discountOf(license: License): Discount | null {
  if (license.discount_type === null) return null;
  const common = { reason: license.discount_reason ?? '',
    approved_by: license.discount_approved_by_id === null ? '' : String(license.discount_approved_by_id) };
  return license.discount_type === 'percent' ? { kind: 'percent', ppm: BigInt(license.discount_ppm ?? 0), ...common }
    : { kind: 'amount', amount_minor: BigInt(license.discount_amount_minor ?? 0), ...common };
}

/** Writes what was computed; the charges and the plan are replaced as a whole while nothing of them is billed. */
export async function storePrice(ctx: WorkContext, license: License, computed: ComputedPrice): Promise<void> {
  const { result } = computed;
  await storeFees(ctx.db, license.id, computed);
  await storeCharges(ctx.db, license.id, splitAdvance(computed), computed.meta);
  if (OPEN_PHASES.includes(license.phase)) await storePlan(ctx.db, license.id, computed);
  await storeTerms(ctx.db, license, computed);
  const totals = result.totals;
  const deposit = totals.security_deposit_minor + totals.on_account_deposit_minor;
  await ctx.db.exec(sql`
    update licenses set royalty_total_minor = ${Number(totals.royalty_minor)},
      materials_total_minor = ${Number(totals.charges_minor)}, tax_total_minor = ${Number(totals.tax_minor)},
      deposit_minor = ${Number(deposit)}, grand_total_minor = ${Number(totals.total_minor)},
      calculation_trace = ${JSON.stringify(toJson(result.trace))}, priced_at = ${ctx.now().toISOString()}
    where id = ${license.id}`);
}

async function storeFees(db: Queryable, licenseId: number, computed: ComputedPrice): Promise<void> {
  const rows = computed.result.performances;
  await db.exec(sql`
    update performances p set unit_fee_minor = r.fee, fee_rule = r.rule, ordinal = r.ordinal, week_key = r.week_key
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => Number(row.unit_fee_minor))}::bigint[],
      ${rows.map((row) => row.fee_rule)}::text[], ${rows.map((row) => row.ordinal)}::int[],
      ${rows.map((row) => row.week_key)}::date[]) as r (id, fee, rule, ordinal, week_key)
    where p.id = r.id and p.license_id = ${licenseId}`);
  for (const venue of computed.result.venues) {
    await db.exec(sql`
      update license_venues set capacity_gross_minor = ${Number(venue.potentials.capacity_gross_minor)},
        weighted_gross_minor = ${Number(venue.potentials.weighted_gross_minor)},
        weighted_avg_price_minor = ${Number(venue.potentials.weighted_avg_price_minor)},
        unit_fee_minor = ${venue.unit_fee_minor === null ? null : Number(venue.unit_fee_minor)},
        royalty_minor = ${Number(venue.royalty_minor)} where id = ${venue.id}`);
  }
}

/** A stored charge: a kernel line, or the part of a royalty line that is the advance. */
interface StoredLine {
  line: PriceLine;
  kind: string;
  description: string;
  net: bigint;
  tax: bigint;
  quantity: number;
  unit: bigint | null;
  /** Breakdown of the net, if it is more than one row. */
  detail: string;
}

/**
 * A professional advance is a line of its own: it is invoiced at signature and earned as it is recouped (2.4). It is
 * taken from the royalty lines in proportion, each with its part of the tax, so the totals do not move.
 */
function splitAdvance(computed: ComputedPrice): StoredLine[] {
  const { lines } = computed.result;
  const royalties = lines.filter((line) => line.kind === 'royalty');
  const total = sum(royalties.map((line) => line.net_minor));
  const wanted = advanceOf(computed);
  const advance = wanted > total ? total : wanted;
  const parts = advance > 0n ? splitByWeight(advance, royalties.map((line) => line.net_minor)) : [];
  const details = detailsOf(computed);
  return lines.flatMap((line): StoredLine[] => {
    const plain = { line, kind: line.kind, description: line.label, net: line.net_minor, tax: line.tax_minor,
      quantity: line.quantity, unit: line.unit_minor, detail: details.get(line) ?? '' };
    const part = line.kind === 'royalty' ? parts[royalties.indexOf(line)] ?? 0n : 0n;
    if (part === 0n) return [plain];
    const [partTax = 0n, restTax = 0n] = splitByWeight(line.tax_minor, [part, line.net_minor - part]);
    const first = { ...plain, kind: 'advance',
      description: `Advance on the royalty, ${line.label.replace(/^Royalty, /, '')}`, net: part,
      tax: partTax, quantity: 1, unit: part, detail: '' };
    const rest = { ...plain, description: `${line.label}, guaranteed beyond the advance`, net: line.net_minor - part,
      tax: restTax, quantity: 1, unit: line.net_minor - part, detail: '' };
    return rest.net === 0n ? [first] : [first, rest];
  });
}

/** Of each royalty line what its net is made of: "performances 4 × 396.00 = 1,584.00, discount 15% (237.60)". */
function detailsOf(computed: ComputedPrice): Map<PriceLine, string> {
  const { lines, trace } = computed.result;
  return new Map(priceRows(lines, trace).filter((block) => block.rows.length > 1 && block.lines.length === 1)
    .map((block) => [lines[block.lines[0]!]!, block.rows.map(rowWords).join(', ')]));
}

function rowWords({ label, quantity, unit_minor, amount_minor }: PriceRow): string {
  const amount = formatMinor(amount_minor);
  const counted = quantity === null || unit_minor === null ? amount
    : `${quantity} × ${formatMinor(unit_minor)} = ${amount}`;
  return `${label.charAt(0).toLowerCase()}${label.slice(1)} ${counted}`;
}

function advanceOf(computed: ComputedPrice): bigint {
  return advanceAsked(computed.execution_policy, computed.terms.fee_method) ? computed.terms.advance_minor : 0n;
}

/**
 * A line keeps its row while it stays the same thing (invoices name it); what fell away goes, or, once billed, stands
 * with nothing to pay.
 */
async function storeCharges(
  db: Queryable, licenseId: number, lines: readonly StoredLine[], meta: ReadonlyMap<string, ChargeMeta>,
): Promise<void> {
  const known = await db.query<{ id: number; key: string }>(sql`
    select id, concat_ws(':', kind, license_venue_id, add_on_id, show_package_id, license_material_id,
      case when kind = 'fee' and license_material_id is null then description end) as key
    from license_charges where license_id = ${licenseId} and origin = 'quoted' order by sort, id`);
  for (const [sort, item] of lines.entries()) {
    const { line } = item;
    const extra = meta.get(line.key) ?? { show_package_id: null, add_on_id: null, license_material_id: null,
      income_type: item.kind, royalty_bearing: true, share_ppm: null };
    const key = [item.kind, line.venue_id, extra.add_on_id, extra.show_package_id, extra.license_material_id,
      item.kind === 'fee' && extra.license_material_id === null ? item.description : null].filter((part) => part !==
        null).join(':');
    const at = known.findIndex((row) => row.key === key);
    const [same] = at >= 0 ? known.splice(at, 1) : [];
    await writeCharge(db, licenseId, same?.id ?? null, sort, item, extra);
  }
  const gone = known.map((row) => row.id);
  await db.exec(sql`
    delete from license_charges c where id = any (${gone})
      and not exists (select 1 from invoice_items i where i.license_charge_id = c.id)`);
  await db.exec(sql`
    update license_charges set quantity = 0, unit_minor = 0, net_minor = 0, tax_minor = 0, total_minor = 0
    where id = any (${gone})`);
}

async function writeCharge(
  db: Queryable, licenseId: number, id: number | null, sort: number, item: StoredLine, extra: ChargeMeta,
): Promise<void> {
  const { line } = item;
  // Items that do not multiply are stored as one at their price: rows on papers come from the trace (price-rows.ts).
  const [quantity, unit] = item.unit === null ? [1, Number(item.net)] : [item.quantity, Number(item.unit)];
  if (id !== null) {
    await db.exec(sql`
      update license_charges set sort = ${sort}, description = ${item.description}, detail = ${item.detail},
        quantity = ${quantity}, unit_minor = ${unit}, net_minor = ${Number(item.net)}, tax_code = ${line.tax.code},
        tax_jurisdiction = ${line.tax.jurisdiction}, tax_rate_id = ${line.tax.parts[0]?.rate_id ?? null},
        tax_rate_ppm = ${Number(line.tax.rate_ppm)}, tax_minor = ${Number(item.tax)}, tax_reason = ${line.tax.reason},
        total_minor = ${Number(item.net + item.tax)}, share_ppm = ${extra.share_ppm}, version = version + 1
      where id = ${id}`);
    return;
  }
  await db.exec(sql`
    insert into license_charges (license_id, license_venue_id, add_on_id, show_package_id, license_material_id, sort,
      kind, description,
      quantity, unit_minor, net_minor, item_class, income_type, royalty_bearing, tax_code, tax_jurisdiction,
      tax_rate_id, tax_rate_ppm, tax_minor, tax_reason, total_minor, share_ppm, detail)
    values (${licenseId}, ${line.venue_id}, ${extra.add_on_id}, ${extra.show_package_id},
      ${extra.license_material_id}, ${sort}, ${item.kind},
      ${item.description}, ${quantity}, ${unit}, ${Number(item.net)},
      ${line.item_class}, ${extra.income_type}, ${extra.royalty_bearing}, ${line.tax.code}, ${line.tax.jurisdiction},
      ${line.tax.parts[0]?.rate_id ?? null}, ${Number(line.tax.rate_ppm)}, ${Number(item.tax)}, ${line.tax.reason},
      ${Number(item.net + item.tax)}, ${extra.share_ppm}, ${item.detail})`);
}

const INSTALMENT_LABELS: Record<string, string> = {
  acceptance: 'First payment', execution: 'Before the license is issued', shipment: 'At shipment',
  opening: 'At the opening', closing: 'After closing', return_of_materials: 'After return of the materials',
  settlement: 'At settlement', report: 'After the box-office report',
};

interface PlanRow {
  label: string;
  due_event: string;
  line_kinds: readonly string[];
  share_ppm: number | null;
  is_deposit: boolean;
  net: bigint;
  tax: bigint;
}

async function storePlan(db: Queryable, licenseId: number, computed: ComputedPrice): Promise<void> {
  await db.exec(sql`delete from license_instalments where license_id = ${licenseId} and status = 'planned'`);
  const rows = advanceOf(computed) > 0n ? advancePlan(computed) : planRows(computed);
  for (const [sort, row] of rows.filter((item) => item.net + item.tax !== 0n).entries()) {
    await db.exec(sql`
      insert into license_instalments (license_id, sort, label, due_event, line_kinds, share_ppm, is_deposit,
        net_minor, tax_minor, amount_minor)
      values (${licenseId}, ${sort}, ${row.label}, ${row.due_event}, ${[...row.line_kinds]}, ${row.share_ppm},
        ${row.is_deposit}, ${Number(row.net)}, ${Number(row.tax)}, ${Number(row.net + row.tax)})`);
  }
}

/** Net and tax of an instalment follow from its lines; inside one set of lines the tax adds up to the cent. */
function planRows(computed: ComputedPrice): PlanRow[] {
  const { result, plan } = computed;
  const used = new Map<string, { amount: bigint; tax: bigint }>();
  return result.payment_plan.map((item): PlanRow => {
    const deposit = item.label === 'deposit';
    const royalty = result.payment_plan.find((row) => row.label !== 'deposit' && row.line_kinds.includes('royalty'));
    const kinds = deposit ? royalty?.line_kinds ?? item.line_kinds : item.line_kinds;
    const lines = result.lines.filter((line) => kinds.includes(line.kind));
    const before = used.get(kinds.join()) ?? { amount: 0n, tax: 0n };
    const amount = before.amount + item.amount_minor;
    const weights = [sum(lines.map((line) => line.net_minor)), sum(lines.map((line) => line.tax_minor))];
    const taxSoFar = sum(weights) === 0n ? 0n : splitByWeight(amount, weights)[1]!;
    used.set(kinds.join(), { amount, tax: taxSoFar });
    const rule = plan.find((row) => row.due === item.due && (row.line_kinds.length === 0
      || row.line_kinds.join() === item.line_kinds.join()));
    const tax = taxSoFar - before.tax;
    return { label: deposit ? 'Deposit' : INSTALMENT_LABELS[item.due] ?? item.due, due_event: item.due,
      line_kinds: item.line_kinds, share_ppm: deposit ? null : Number(rule?.share_ppm ?? 0n), is_deposit: deposit,
      net: item.amount_minor - tax, tax };
  });
}

/**
 * Professional: the advance with its tax at signature, the guaranteed rest by reports, everything else before
 * shipment.
 */
function advancePlan(computed: ComputedPrice): PlanRow[] {
  const lines = splitAdvance(computed);
  const row = (label: string, due: string, wanted: (kind: string) => boolean): PlanRow => {
    const own = lines.filter((line) => wanted(line.kind));
    return { label, due_event: due, line_kinds: [...new Set(own.map((line) => line.kind))], share_ppm: 1_000_000,
      is_deposit: false, net: sum(own.map((line) => line.net)), tax: sum(own.map((line) => line.tax)) };
  };
  return [row('Advance', 'acceptance', (kind) => kind === 'advance'),
    row(INSTALMENT_LABELS.report!, 'report', (kind) => kind === 'royalty'),
    row(INSTALMENT_LABELS.shipment!, 'shipment', (kind) => kind !== 'advance' && kind !== 'royalty')];
}

/** Only an open licence takes terms over; from acceptance on they are the licence's own. */
async function storeTerms(db: Queryable, license: License, computed: ComputedPrice): Promise<void> {
  if (!OPEN_PHASES.includes(license.phase)) return;
  const { terms, card } = computed;
  const number = (value: bigint): number => Number(value);
  const feeTerms = terms.fee_method === 'negotiated'
    ? { negotiated_fee_minor: license.fee_terms?.negotiated_fee_minor ?? 0,
      deposit_kind: computed.deposit?.kind ?? null }
    : card ? feeTermsOf(card) : license.fee_terms;
  await db.exec(sql`
    update licenses set rate_card_id = ${card?.id ?? null}, fee_method = ${terms.fee_method},
      rate_ppm = ${number(terms.rate_ppm)}, gross_basis = ${terms.gross_basis},
      guarantee_scope = ${terms.guarantee_scope}, round_up_to_minor = ${number(terms.round_up_to_minor)},
      round_up_scope = ${terms.round_up_scope}, min_per_performance_minor = ${number(terms.min_per_performance_minor)},
      min_per_run_minor = ${number(terms.min_per_run_minor)}, min_per_week_minor = ${number(terms.min_per_week_minor)},
      min_performances = ${terms.min_performances}, advance_minor = ${number(terms.advance_minor)},
      full_week_performances = ${terms.full_week_performances},
      empty_week_owes_minimum = ${terms.empty_week_owes_minimum}, true_up = ${card?.true_up ?? 'none'},
      minimum_counts_toward_advance = ${card?.minimum_counts_toward_advance ?? true},
      week_start = ${card?.week_start ?? 1}, fee_terms = ${JSON.stringify(feeTerms)}
    where id = ${license.id}`);
}

/** Whether the stored discount needs a second person, and whether it has one. */
export function discountNeedsApproval(license: License): boolean {
  if (license.discount_type === null || license.discount_approved_by_id !== null) return false;
  if (license.discount_type === 'percent') return BigInt(license.discount_ppm ?? 0) > DISCOUNT_ALONE_PPM;
  const gross = BigInt(license.royalty_total_minor + (license.discount_amount_minor ?? 0));
  return BigInt(license.discount_amount_minor ?? 0) > applyPpm(gross, DISCOUNT_ALONE_PPM);
}
