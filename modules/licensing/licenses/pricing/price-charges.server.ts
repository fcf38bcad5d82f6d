/** Charges of a license besides the royalty: hire package, extra periods, add-ons, shipping, fees (domain.md 2.7). */
import { invalidField } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { formatRate, type Currency } from '#kernel/money/money.ts';
import type { PriceCharge } from '#kernel/pricing/price-types.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { addOnOffered, priceIn, type AddOnChoice } from './offered-add-ons.server.ts';

/** Chosen charges; prices are read from the catalog each time a draft is priced. */
export interface Selection {
  with_package: boolean;
  extra_periods: number;
  add_ons: AddOnChoice[];
  fees: { description: string; amount_minor: number }[];
}

export interface ChargeMeta {
  show_package_id: number | null;
  add_on_id: number | null;
  /** A material of the licence that its package does not cover. */
  license_material_id: number | null;
  income_type: string;
  royalty_bearing: boolean;
  /** Of an add-on that is paid by a share of a stream's gross: it is billed when the takings are reported. */
  share_ppm: number | null;
}

export interface Charges {
  charges: PriceCharge[];
  meta: Map<string, ChargeMeta>;
}

export interface ChargeQuestion {
  show_id: number;
  division: Division;
  currency: Currency;
  category: 'Amateur' | 'Pro';
  performances: number;
  /** Add-ons that are new on the licence are offered on that day; null or absent: the dates are not known yet. */
  first_performance_on?: string | null;
  show_package_id: number | null;
  selection: Selection;
  /** A stored licence; a price that is only asked for has no materials of its own. */
  license_id?: number;
}

interface Package {
  id: number; name: string; item_class: ItemClass; price_minor: number; included_period_count: number;
  period_unit: 'week' | 'month'; extra_period_price_minor: number; shipping_minor: number;
}

interface AddOn {
  id: number; name: string; item_class: ItemClass; income_type: string; royalty_bearing: boolean; price: number | null;
  pricing_model: 'flat' | 'per_performance' | 'per_week' | 'percent_stream_gross' | 'per_user'; offered: boolean;
  /** As sold with this licence, else as the add-on has it now; null with every other pricing model. */
  share_ppm: number | null;
}

export async function chargesFor(db: Queryable, question: ChargeQuestion): Promise<Charges> {
  const found: Charges = { charges: [], meta: new Map() };
  if (question.selection.with_package) await addPackage(db, question, found);
  await addAddOns(db, question, found);
  if (question.license_id !== undefined) await addMaterials(db, question.license_id, found);
  for (const [index, fee] of question.selection.fees.entries()) {
    put(found, { key: `fee:${index}`, kind: 'fee', label: fee.description, quantity: 1,
      unit_minor: BigInt(fee.amount_minor), item_class: 'fee' }, { income_type: 'fee' });
  }
  return found;
}

function put(found: Charges, charge: PriceCharge, meta: Partial<ChargeMeta>): void {
  found.charges.push(charge);
  found.meta.set(charge.key, { show_package_id: null, add_on_id: null, license_material_id: null,
    income_type: 'add_on', royalty_bearing: false, share_ppm: null, ...meta });
}

/** The card's package, else the first of the show in this division and currency; none: nothing is hired out. */
export function packageOf(
  db: Queryable, question: Pick<ChargeQuestion, 'show_id' | 'division' | 'currency' | 'show_package_id'>,
): Promise<Package | null> {
  return db.maybeOne<Package>(sql`
    select id, name, item_class, price_minor, included_period_count, period_unit, extra_period_price_minor,
      shipping_minor from show_packages
    where show_id = ${question.show_id} and division = ${question.division}
      and currency = ${question.currency} and active
    order by (id = ${question.show_package_id ?? 0}) desc, id limit 1`);
}

async function addPackage(db: Queryable, question: ChargeQuestion, found: Charges): Promise<void> {
  const pack = await packageOf(db, question);
  if (!pack) return;
  const periods = `${pack.included_period_count} ${pack.period_unit}${pack.included_period_count === 1 ? '' : 's'}`;
  const hire = { show_package_id: pack.id, income_type: 'rental', royalty_bearing: true };
  put(found, { key: `package:${pack.id}`, kind: 'rental', quantity: 1,
    label: pack.name.endsWith(periods) ? pack.name : `${pack.name}, ${periods}`,
    unit_minor: BigInt(pack.price_minor), item_class: pack.item_class }, hire);
  if (question.selection.extra_periods > 0) {
    put(found, { key: `extra:${pack.id}`, kind: 'extra_week', label: `${pack.name}, extra ${pack.period_unit}`,
      quantity: question.selection.extra_periods, unit_minor: BigInt(pack.extra_period_price_minor),
      item_class: pack.item_class }, hire);
  }
  if (pack.shipping_minor > 0) {
    put(found, { key: `shipping:${pack.id}`, kind: 'shipping', label: 'Shipping', quantity: 1,
      unit_minor: BigInt(pack.shipping_minor), item_class: 'shipping', carries: pack.item_class },
    { income_type: 'shipping' });
  }
}

async function addAddOns(db: Queryable, question: ChargeQuestion, found: Charges): Promise<void> {
  const wanted = question.selection.add_ons;
  if (wanted.length === 0) return;
  const rows = await db.query<AddOn>(sql`
    select t.id, t.name, t.item_class, t.income_type, t.royalty_bearing, t.pricing_model,
      ${priceIn(question.currency)} as price, ${shareOf(question.license_id)} as share_ppm, ${addOnOffered(question)}
        or (${addOnOffered({ ...question, first_performance_on: null })} and exists (select 1 from license_charges c
          where c.license_id = ${question.license_id ?? null} and c.add_on_id = t.id)) as offered
    from add_ons t where t.show_id = ${question.show_id} and t.deleted_at is null
      and t.id = any (${wanted.map((choice) => choice.add_on_id)})`);
  for (const [index, choice] of wanted.entries()) {
    const row = rows.find((candidate) => candidate.id === choice.add_on_id);
    if (!row || !row.offered) throw invalidField(`add_ons.${index}.add_on_id`, 'This add-on is not offered here');
    if (row.price === null && row.share_ppm === null) throw invalidField(`add_ons.${index}.add_on_id`,
      `${row.name} has no price in this currency`);
    const quantity = row.pricing_model === 'per_performance' ? question.performances
      : row.share_ppm === null ? choice.quantity : 1;
    const label = row.share_ppm === null ? row.name : `${row.name}, ${formatRate(BigInt(row.share_ppm))} of the stream`;
    put(found, { key: `add_on:${row.id}`, kind: 'add_on', label, quantity,
      unit_minor: BigInt(row.share_ppm === null ? row.price ?? 0 : 0), item_class: row.item_class },
    { add_on_id: row.id, income_type: row.income_type, royalty_bearing: row.royalty_bearing,
      share_ppm: row.share_ppm });
  }
}

/** The share of a licence that was offered is its own; over `add_ons t`. */
const shareOf = (licenseId: number | undefined) => sql`case when t.pricing_model = 'percent_stream_gross' then
  coalesce((select c.share_ppm from license_charges c join licenses l on l.id = c.license_id
    where c.license_id = ${licenseId ?? null} and c.add_on_id = t.id and l.phase not in ('draft', 'expired', 'declined')
    limit 1), t.rate_ppm) end`;

const KIND_OF_TYPE = { rental: 'rental', sale: 'sale', digital: 'digital', service: 'fee', perusal: 'rental' } as const;

/** Materials beside the package: each is a line of its own, at the price that was copied onto the licence. */
async function addMaterials(db: Queryable, licenseId: number, found: Charges): Promise<void> {
  const rows = await db.query<{ id: number; name: string; type: keyof typeof KIND_OF_TYPE; quantity: number;
    unit_price_minor: number; item_class: ItemClass; income_type: string; royalty_bearing: boolean;
    tax_free: boolean }>(sql`
    select t.id, t.name, t.type, t.quantity, t.unit_price_minor, t.item_class, t.income_type, t.royalty_bearing,
      case when l.division in ('US', 'PROD') then not m.tax else not m.vat end as tax_free
    from license_materials t join licenses l on l.id = t.license_id join materials m on m.id = t.material_id
    where t.license_id = ${licenseId} and not t.included_in_package and t.unit_price_minor > 0 order by t.sort, t.id`);
  for (const row of rows) {
    put(found, { key: `material:${row.id}`, kind: KIND_OF_TYPE[row.type], label: row.name, quantity: row.quantity,
      unit_minor: BigInt(row.unit_price_minor), item_class: row.item_class, tax_free: row.tax_free },
    { license_material_id: row.id, income_type: row.income_type, royalty_bearing: row.royalty_bearing });
  }
}

/** Selection behind a license's stored charges; a license without charges starts with its package. */
export async function selectionOf(db: Queryable, licenseId: number): Promise<Selection> {
  const rows = await db.query<{ kind: string; add_on_id: number | null; show_package_id: number | null;
    license_material_id: number | null; quantity: number; description: string; net_minor: number }>(sql`
    select kind, add_on_id, show_package_id, license_material_id, quantity, description, net_minor from license_charges
    where license_id = ${licenseId} and origin = 'quoted' order by sort, id`);
  if (rows.length === 0) return { with_package: true, extra_periods: 0, add_ons: [], fees: [] };
  return {
    with_package: rows.some((row) => row.kind === 'rental' && row.show_package_id !== null),
    extra_periods: rows.find((row) => row.kind === 'extra_week')?.quantity ?? 0,
    // One of none was taken off after it was invoiced.
    add_ons: rows.flatMap((row) => (row.add_on_id === null || row.quantity === 0 ? [] : [{ add_on_id: row.add_on_id,
      quantity: row.quantity }])),
    fees: rows.filter((row) => row.kind === 'fee' && row.license_material_id === null)
      .map((row) => ({ description: row.description, amount_minor: row.net_minor })),
  };
}
