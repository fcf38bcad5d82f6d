/**
 * Vendors from a list. The same vendor is not made twice; one of the same name elsewhere, and one of nearly the same
 * name in its town, are asked about. An address for payments is read for new vendors only: a file redirects no money.
 */
import type * as z from 'zod';
import { address, DIVISIONS, type Address } from '#kit/field.ts';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import { createVendor, rehearseVendors, updateVendor } from '#modules/operations/operations.public.server.ts';
import { TAX_1099_CATEGORIES, vendor, VENDOR_PAYMENT_METHODS, VENDOR_TAX_FORMS }
  from '#modules/operations/vendor/vendor.contract.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { SIMILAR_RECORD, type SourceRow } from '../import-work.server.ts';
import type { RowProblem } from '../read-cell.ts';
import { nameKey } from './alike.ts';
import { AlikeNames } from './alike-names.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { recordWork, type ExistingRecord, type Verdict } from './record-work.server.ts';
import { wholePostalCode } from './united-states.ts';
import { VENDOR_FIELDS } from './vendors.contract.ts';

type Input = z.output<typeof vendor.create>;
interface Seller extends ExistingRecord { name: string; town: string; vat: string }
interface Book {
  byName: Map<string, Seller[]>;
  byVat: Map<string, Seller>;
  byTown: Map<string, AlikeNames<Seller>>;
  byId: Map<number, Seller>;
}

/** Similarity from which two names in one town are asked about. */
const ALIKE = 0.88;
const DAYS = 30;
const REMIT_FIELDS = Object.keys(VENDOR_FIELDS).filter((field) => field.startsWith('remit_'));

function addressFrom(cells: Cells, start: '' | 'remit_'): Address | null {
  const cell = (part: string): string => cells.text(`${start}${part}`);
  if (['thoroughfare', 'locality', 'postal_code'].every((part) => cell(part) === '')) return null;
  const country = cells.country(cell('country_code') === '' ? 'country_code' : `${start}country_code`);
  return cells.checked(address, { country_code: country, thoroughfare: cell('thoroughfare'),
    ...(cell('premise') === '' ? {} : { premise: cell('premise') }), locality: cell('locality'),
    administrative_area: cell('administrative_area'), postal_code: wholePostalCode({ country,
      state: cell('administrative_area'), code: cell('postal_code') }) },
  Object.fromEntries(Object.keys(address.shape).map((part) => [part, `${start}${part}`])));
}

function read(cells: Cells): Input {
  const web = cells.optional('website');
  const divisions = cells.choices('divisions', DIVISIONS);
  return cells.checked(vendor.create, {
    name: cells.required('name'), legal_name: cells.optional('legal_name'),
    ...(divisions.length === 0 ? {} : { divisions }), default_currency: cells.currency('currency'),
    contact_name: cells.optional('contact_name'), email: cells.optional('email'), phone: cells.optional('phone'),
    website: web === null || /^https?:/i.test(web) ? web : `https://${web}`, address: addressFrom(cells, ''),
    remit_to_address: addressFrom(cells, 'remit_'), vat_number: cells.optional('vat_number'),
    tax_form_type: cells.choice('tax_form_type', VENDOR_TAX_FORMS, 'none'),
    tax_form_received_on: cells.date('tax_form_received_on'),
    tax_1099_category: cells.choice('tax_1099_category', TAX_1099_CATEGORIES, 'none'),
    backup_withholding_from: null, payment_method: cells.choice('payment_method', VENDOR_PAYMENT_METHODS, 'check'),
    payment_terms_days: cells.count('payment_terms_days', 365) ?? DAYS, notes: '',
  }, { default_currency: 'currency' });
}

async function book(db: Queryable, _reads: readonly Input[], before: Book | null): Promise<Book> {
  if (before !== null) return before;
  const known: Book = { byName: new Map(), byVat: new Map(), byTown: new Map(), byId: new Map() };
  const rows = await db.query<{ id: number; number: string; name: string; town: string; vat: string }>(sql`
    select id, number, name, coalesce(address ->> 'locality', '') as town, coalesce(vat_number, '') as vat
    from vendors where deleted_at is null order by id`);
  for (const { id, number, name, town, vat } of rows) {
    add(known, { id, label: `${name} · ${number}`, name, town: nameKey(town), vat: nameKey(vat) });
  }
  return known;
}

function add(known: Book, one: Seller): void {
  if (one.id !== null) known.byId.set(one.id, one);
  const key = nameKey(one.name);
  const named = known.byName.get(key);
  if (named) named.push(one);
  else known.byName.set(key, [one]);
  if (one.vat !== '' && !known.byVat.has(one.vat)) known.byVat.set(one.vat, one);
  if (one.town === '') return;
  const town = known.byTown.get(one.town) ?? new AlikeNames<Seller>(ALIKE);
  known.byTown.set(one.town, town);
  town.add(key, one);
}

function judge(input: Input, source: SourceRow, known: Book): Verdict<Seller> {
  const mine: Seller = { id: null, label: input.name, name: input.name, town: nameKey(input.address?.locality ?? ''),
    vat: nameKey(input.vat_number ?? '') };
  if (source.decision === 'same' && source.target_id) {
    return { outcome: 'duplicate', known: known.byId.get(source.target_id) ?? { ...mine, id: source.target_id } };
  }
  const named = known.byName.get(nameKey(input.name)) ?? [];
  const same = named.find((one) => one.town === '' || mine.town === '' || one.town === mine.town);
  if (same) return { outcome: 'duplicate', known: same };
  const asked = source.decision === 'new' ? null : question(mine, named[0], known);
  if (asked) return { outcome: 'refused', problem: asked };
  add(known, mine);
  return { outcome: 'ready', known: mine };
}

function question(mine: Seller, named: Seller | undefined, known: Book): RowProblem | null {
  const ask = (one: Seller, field: string, reason: string): RowProblem =>
    ({ reason_code: SIMILAR_RECORD, field, value: mine.name.slice(0, 200), proposed: one, reason });
  if (named) return ask(named, 'name', `${named.name} is there already in another town: the same vendor?`);
  const taxed = mine.vat === '' ? undefined : known.byVat.get(mine.vat);
  if (taxed) return ask(taxed, 'vat_number', `${taxed.name} has the same VAT number: the same vendor?`);
  const alike = mine.town === '' ? undefined : known.byTown.get(mine.town)?.find(nameKey(mine.name));
  return alike ? ask(alike, 'name', `${alike.name} in the same town is nearly the same name: the same vendor?`) : null;
}

export const vendorWork = recordWork<Input, Book, Seller>({
  entity: 'vendor', fields: VENDOR_FIELDS, read, book, judge,
  write: async (ctx, input) => (await createVendor(ctx, input)).id,
  rehearse: rehearseVendors,
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/vendors'], VENDOR_FIELDS, ['name', ...REMIT_FIELDS]),
    said: (input) => input,
    now: (db, ids) => db.query(sql`
      select id, version, legal_name, contact_name, email, phone, website, address, divisions, default_currency,
        payment_terms_days, payment_method, vat_number, tax_form_type, tax_form_received_on, tax_1099_category
      from vendors where id = any(${ids}::bigint[])`),
    update: updateVendor,
  },
  words: (input) => ({ title: input.name, detail: [input.address?.locality, input.email].filter(Boolean).join(', ') }),
});
