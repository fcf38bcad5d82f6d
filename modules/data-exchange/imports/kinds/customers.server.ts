/**
 * Customers from a list, with their addresses, classes, tax data and a contact. The same organization is not made
 * twice; one of the same name elsewhere, and one of nearly the same name in its town, are asked about.
 */
import * as z from 'zod';
import { address, DIVISIONS, nameLine, type Address } from '#kit/field.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Turns } from '#server/turns.ts';
import { createCustomer, furnishCustomer, rehearseCustomers, updateCustomer }
  from '#modules/customers/customers.public.server.ts';
import { customer, CUSTOMER_KINDS } from '#modules/customers/customer/customer.contract.ts';
import { SIMILAR_RECORD, type SourceRow } from '../import-work.server.ts';
import { fail, type RowProblem } from '../read-cell.ts';
import { nameKey } from './alike.ts';
import { AlikeNames } from './alike-names.ts';
import type { Cells } from './cells.ts';
import { CUSTOMER_FIELDS } from './customers.contract.ts';
import { pathsOf } from './differences.ts';
import { recordWork, type ExistingRecord, type Note, type Verdict } from './record-work.server.ts';
import { wholePostalCode } from './united-states.ts';

type Input = z.output<typeof customer.create>;
interface CustomerRow {
  input: Input;
  classes: string[];
  classIds: number[];
  contact: { name: string; email: string | null; phone: string | null } | null;
  shipping: { attention: string; address: Address } | null;
  repair: Note | null;
}

interface House extends ExistingRecord { name: string; town: string; vat: string }

interface Book {
  byName: Map<string, House[]>;
  byVat: Map<string, House>;
  byTown: Map<string, AlikeNames<House>>;
  byId: Map<number, House>;
  classes: Map<string, number>;
}

/** Similarity from which two names in one town are asked about. */
const ALIKE = 0.88;

const addressFrom = (cells: Cells, start: '' | 'ship_'): Address | null => {
  const cell = (part: string): string => cells.text(`${start}${part}`);
  const parts = ['thoroughfare', 'locality', 'postal_code'] as const;
  if (parts.every((part) => cell(part) === '')) return null;
  const premise = cell('premise');
  const country = cells.country(cell('country_code') === '' ? 'country_code' : `${start}country_code`);
  return cells.checked(address, { country_code: country, thoroughfare: cell('thoroughfare'),
    ...(premise === '' ? {} : { premise }), locality: cell('locality'),
    administrative_area: cell('administrative_area'), postal_code: wholePostalCode({ country,
      state: cell('administrative_area'), code: cell('postal_code') }) },
  Object.fromEntries(Object.keys(address.shape).map((part) => [part, `${start}${part}`])));
};

function read(cells: Cells): CustomerRow {
  const country = cells.country('country_code');
  const home = cells.choice('default_division', DIVISIONS, 'US');
  const named = cells.choices('divisions', DIVISIONS);
  const web = cells.optional('website');
  const input = cells.checked(customer.create, {
    name: cells.checked(z.object({ name: nameLine('Name', 160) }), { name: cells.required('name') }).name,
    legal_name: cells.optional('legal_name'), kind: cells.choice('kind', CUSTOMER_KINDS, 'other'),
    divisions: named.length === 0 ? [home] : named, default_division: home,
    default_currency: cells.currency('currency'), billing_address: addressFrom(cells, ''),
    phone: cells.optional('phone'), website: web === null || /^https?:/i.test(web) ? web : `https://${web}`,
    statement_email: cells.optional('statement_email'),
    tax_country: cells.text('tax_country') === '' ? country : cells.country('tax_country'),
    is_business: cells.yes('is_business', false),
    business_evidence: null, vat_number: cells.optional('vat_number'),
    payment_terms_days: cells.count('payment_terms_days', 180) ?? 0,
    purchase_orders_accepted: cells.yes('purchase_orders_accepted', false), execution_policy_default: null,
    marketing_opt_in: false, perusal_fee_minor: null,
  }, { default_currency: 'currency' });
  return { input, classes: cells.list('classifications'), classIds: [], contact: contactFrom(cells),
    shipping: shippingFrom(cells), repair: repairOf(cells, input.billing_address) };
}

/** Tells of a zip code that got its zeros back. */
function repairOf(cells: Cells, to: Address | null | undefined): Note | null {
  const written = cells.text('postal_code').trim();
  return !to || to.postal_code === written ? null : { code: 'zip_repaired', text: `${written} is read as ${
    to.postal_code}: zip codes of ${to.administrative_area} begin with 0` };
}

function shippingFrom(cells: Cells): CustomerRow['shipping'] {
  const to = addressFrom(cells, 'ship_');
  return to && { attention: cells.text('ship_attention').slice(0, 160), address: to };
}

function contactFrom(cells: Cells): CustomerRow['contact'] {
  const [name, email, phone] = [cells.text('contact_name'), cells.text('contact_email'), cells.text('contact_phone')];
  if (name === '' && email === '' && phone === '') return null;
  const checked = cells.checked(z.object({ name: nameLine('Contact'),
    email: z.email('Contact email must be a valid email address').max(254).nullable(),
    phone: z.string().max(40, 'Contact phone is longer than 40 characters').nullable() }),
  { name: name || email || phone, email: email || null, phone: phone || null },
  { name: 'contact_name', email: 'contact_email', phone: 'contact_phone' });
  return checked;
}

const townOf = (to: { locality: string } | null | undefined): string => nameKey(to?.locality ?? '');

async function book(db: Queryable, reads: readonly CustomerRow[], before: Book | null): Promise<Book> {
  const known: Book = before ?? { byName: new Map(), byVat: new Map(), byTown: new Map(), byId: new Map(),
    classes: new Map() };
  if (before === null) {
    const classes = await db.query<{ id: number; key: string; name: string }>(sql`
      select id, key, name from customer_classifications where deleted_at is null`);
    for (const { id, key, name } of classes) known.classes.set(nameKey(key), id).set(nameKey(name), id);
  }
  const towns = [...new Set(reads.map(({ input }) => townOf(input.billing_address)))]
    .filter((town) => town !== '' && !known.byTown.has(town));
  for (const town of towns) known.byTown.set(town, new AlikeNames(ALIKE));
  const rows = await db.query<{ id: number; number: string; name: string; town: string; vat: string }>(sql`
    select c.id, c.number, c.name, coalesce(c.billing_address ->> 'locality', '') as town,
      coalesce(c.vat_number, '') as vat
    from customers c where c.deleted_at is null and c.id in (
      select x.id from unnest(${reads.map(({ input }) => nameKey(input.name))}::text[]) k
        join customers x on name_key(x.name) = k and x.deleted_at is null
      union select x.id from unnest(${reads.flatMap(({ input }) => input.vat_number ?? [])}::text[]) v
        join customers x on x.vat_number = v
      union select x.id from unnest(${towns}::text[]) t
        join customers x on coalesce(name_key(x.billing_address ->> 'locality'), '') = t and x.deleted_at is null)
    order by c.id`);
  const turns = new Turns();
  for (const { id, number, name, town, vat } of rows) {
    if (turns.due()) await turns.give();
    if (!known.byId.has(id)) {
      add(known, { id, label: `${name} · ${number}`, name, town: nameKey(town), vat: nameKey(vat) });
    }
  }
  return known;
}

function add(known: Book, house: House): void {
  if (house.id !== null) known.byId.set(house.id, house);
  const key = nameKey(house.name);
  const named = known.byName.get(key);
  // Rows of this very file come back from the database with their number.
  const own = named?.find((other) => other.id === house.id || (other.id === null && other.town === house.town));
  if (own) return;
  if (named) named.push(house);
  else known.byName.set(key, [house]);
  if (house.vat !== '' && !known.byVat.has(house.vat)) known.byVat.set(house.vat, house);
  if (house.town !== '') {
    const town = known.byTown.get(house.town) ?? new AlikeNames<House>(ALIKE);
    known.byTown.set(house.town, town);
    town.add(key, house);
  }
}

function judge(row: CustomerRow, source: SourceRow, known: Book): Verdict<House> {
  const { input } = row;
  row.classIds = row.classes.map((name) => known.classes.get(nameKey(name))
    ?? fail('unknown_category', `No classification of customers is called "${name.slice(0, 120)}"`, 'classifications',
      name));
  const mine: House = { id: null, label: input.name, name: input.name, town: townOf(input.billing_address),
    vat: nameKey(input.vat_number ?? '') };
  if (source.decision === 'same' && source.target_id) {
    return { outcome: 'duplicate', known: known.byId.get(source.target_id) ?? { ...mine, id: source.target_id },
      note: row.repair };
  }
  const named = known.byName.get(nameKey(input.name)) ?? [];
  const same = named.find((house) => house.town === '' || mine.town === '' || house.town === mine.town);
  if (same) return { outcome: 'duplicate', known: same, note: row.repair };
  const asked = source.decision === 'new' ? null : question(mine, named, known);
  if (asked) return { outcome: 'refused', problem: asked };
  add(known, mine);
  return { outcome: 'ready', known: mine, note: row.repair };
}

function question(mine: House, named: readonly House[], known: Book): RowProblem | null {
  const ask = (house: House, field: string, reason: string): RowProblem =>
    ({ reason_code: SIMILAR_RECORD, field, value: mine.name.slice(0, 200), proposed: house, reason });
  if (named[0]) return ask(named[0], 'name', `${named[0].name} is there already in another town: the same customer?`);
  const taxed = mine.vat === '' ? undefined : known.byVat.get(mine.vat);
  if (taxed) return ask(taxed, 'vat_number', `${taxed.name} has the same VAT number: the same customer?`);
  const alike = mine.town === '' ? undefined : known.byTown.get(mine.town)?.find(nameKey(mine.name));
  return alike ? ask(alike, 'name',
    `${alike.name} in the same town is nearly the same name: the same customer?`) : null;
}

async function write(ctx: WorkContext, row: CustomerRow): Promise<number> {
  const { id } = await createCustomer(ctx, row.input);
  await furnishCustomer(ctx, id, { classification_ids: row.classIds, contact: row.contact, shipping: row.shipping });
  return id;
}

/** Heads of the file by the fields of the resource. */
const COLUMNS = { 'Legal name': 'legal_name', Kind: 'kind', Divisions: 'divisions',
  Street: 'billing_address.thoroughfare',
  'Address 2': 'billing_address.premise', City: 'billing_address.locality',
  State: 'billing_address.administrative_area', 'Postal code': 'billing_address.postal_code', Phone: 'phone',
  Website: 'website', 'Statement email': 'statement_email', 'Tax country': 'tax_country', Business: 'is_business',
  'VAT number': 'vat_number', 'Payment terms (days)': 'payment_terms_days',
  'Purchase orders': 'purchase_orders_accepted' } as const;

export const customerWork = recordWork<CustomerRow, Book, House>({
  entity: 'customer', fields: CUSTOMER_FIELDS, read, book, judge, write,
  rehearse: rehearseCustomers, planned: ({ input }) => input,
  changing: {
    paths: pathsOf(COLUMNS, CUSTOMER_FIELDS, ['name']),
    said: ({ input }) => input,
    now: (db, ids) => db.query(sql`
      select id, version, legal_name, kind, divisions, billing_address, phone, website, statement_email, tax_country,
        is_business, vat_number, payment_terms_days, purchase_orders_accepted
      from customers where id = any(${ids}::bigint[])`),
    update: updateCustomer,
  },
  words: ({ input }) => ({ title: input.name, detail: [input.kind.replaceAll('_', ' '),
    input.billing_address?.thoroughfare, input.billing_address?.locality, input.statement_email]
    .filter(Boolean).join(', ') }),
});
