/** The people and records that a story begins with, made over the API: a show with its authors, a house, a venue. */
import { clientFor, type Body, type DemoClient } from '#db/demo/client.ts';
import { initialOf, type Address } from '#kit/field.ts';
import { agreement } from '#modules/catalogue/agreement/agreement.contract.ts';
import { royaltor } from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { show } from '#modules/catalogue/show/show.contract.ts';
import { sql } from '#server/sql.ts';
import type { TestApp } from './app.ts';
import { pdfText } from './pdf-text.ts';

export const API = '/api/admin/staff';

export interface Stage {
  test: TestApp;
  /** Client that writes, and the one that approves actions that take two people. */
  staff: DemoClient;
  second: DemoClient;
}

export async function openStage(test: TestApp): Promise<Stage> {
  return { test, staff: await clientOf(test, 'staff_admin'), second: await clientOf(test, 'staff_admin') };
}

/** A client whose session outlives every move of the clock. */
export async function clientOf(
  test: TestApp, role: 'staff_admin' | 'system_admin' | 'customer', customers: { id: number; role: string }[] = [],
): Promise<DemoClient> {
  const { email } = await test.signedIn(role, { customers });
  return clientFor(test.app, test.database.db, email);
}

export interface AuthorInput { name: string; share_points: number; rate_ppm: number }

/** A musical whose authors share one rate by their points, and its set of books where it has a rental. */
export async function makeWork(
  { staff, second }: Stage, work: { code: string; title: string; division: 'US' | 'UK' | 'PROD';
    currency: 'GBP' | 'USD';
    authors: readonly AuthorInput[]; card: object; rental?: object; facts?: object },
): Promise<{ show_id: number; royaltor_ids: number[] }> {
  const { data: row } = await staff.post(`${API}/shows`, { ...initialOf(show.fields), show_code: work.code,
    title: work.title, type: 'musical', divisions: [work.division], active: true, royalty_presentation: 'gross',
    ...work.facts });
  const royaltor_ids: number[] = [];
  for (const author of work.authors) royaltor_ids.push(await addAuthor({ staff, second }, row.id, work, author));
  const rental = work.rental && (await staff.post(`${API}/show_packages`, { show_id: row.id, division: work.division,
    currency: work.currency, item_class: 'rental', active: true, ...work.rental })).data;
  const { data: card } = await staff.post(`${API}/rate_cards`, { show_id: row.id, effective_from: '2026-01-01',
    name: work.title, division: work.division, currency: work.currency, show_package_id: rental?.id ?? null,
    ...work.card });
  await second.put(`${API}/rate_cards/${card.id}/approve`, { version: card.version });
  return { show_id: row.id, royaltor_ids };
}

async function addAuthor(
  { staff, second }: Pick<Stage, 'staff' | 'second'>, showId: number,
  { division, currency }: { division: string; currency: string }, author: AuthorInput,
): Promise<number> {
  const country = currency === 'GBP' ? 'GB' : 'US';
  const { data: person } = await staff.post(`${API}/royaltors`, { ...initialOf(royaltor.fields), name: author.name,
    kind: 'person', currency, divisions: [division], residence_country: country, payment_method: 'wire',
    tax_form_type: country === 'US' ? 'w9' : 'w8ben', author_by_profession: true });
  const path = `${API}/royaltors/${person.id}`;
  const { data: written } = await staff.put(`${path}/bank_details`, { version: person.version, account: '400070001' });
  await second.put(`${path}/bank_details/verify`, { version: written.version,
    note: 'Called the agent' });
  const { data: row } = await staff.post(`${API}/show_royaltors`, { ...initialOf(agreement.fields), show_id: showId,
    royaltor_id: person.id, role: 'author', signed_on: '2026-01-01', term_from: '2026-01-01', territory: 'World',
    payer_division: division, currency, accrual_basis: 'on_invoice', royalty_presentation: 'gross',
    reserve_schedule_ppm: [] });
  await staff.post(`${API}/show_royaltors/${row.id}/terms`, { match_income_types: ['royalty', 'advance'],
    rate_ppm: author.rate_ppm, share_points: author.share_points, basis: 'receipts' });
  const { data } = await staff.get(`${API}/show_royaltors/${row.id}`);
  await staff.put(`${API}/show_royaltors/${row.id}`, { status: 'active', version: data.version });
  return person.id;
}

export interface VenueInput { name: string; address: Address; time_zone: string; capacity: number; tickets: object[] }

/** A customer with its venues and the person who signs and reports. */
export async function makeHouse(
  { test, staff }: Stage, house: { customer: Body; currency: string; venues: readonly VenueInput[] },
): Promise<{ id: number; venue_ids: number[]; signer: DemoClient }> {
  const venue_ids: number[] = [];
  for (const { tickets, ...venue } of house.venues) {
    const { data } = await staff.post(`${API}/venues`, { kind: 'theatre', phone: null, website: null, active: true,
      ...venue });
    await staff.put(`${API}/venues/${data.id}/tickets`, { currency: house.currency, tickets });
    venue_ids.push(data.id);
  }
  const { data } = await staff.post(`${API}/customers`, { legal_name: null, phone: null, website: null,
    is_business: false, business_evidence: null, vat_number: null, payment_terms_days: 30,
    purchase_orders_accepted: false, execution_policy_default: null, marketing_opt_in: false,
    default_currency: house.currency, ...house.customer });
  await staff.put(`${API}/customers/${data.id}/activate`);
  await staff.post(`${API}/customers/${data.id}/venues/sync`, { venue_ids });
  return { id: data.id, venue_ids, signer: await clientOf(test, 'customer', [{ id: data.id, role: 'signer' }]) };
}

/** Sends the offer of a draft and signs it as the house. */
export async function offerAndSign(
  { staff }: Stage, licenseId: number, house: { id: number; signer: DemoClient }, name: string,
): Promise<Body> {
  const path = `${API}/licenses/${licenseId}`;
  await staff.post(`${path}/license_documents/generate-offer`);
  const { data: { version } } = await staff.get(path);
  await staff.put(`${path}/phase`, { event: 'send_offer', version, recipients: ['office@house.example'] });
  const home = `/api/customers/${house.id}/licenses/${licenseId}`;
  const { data: offer } = await house.signer.get(`${home}/quote`);
  await house.signer.post(`${home}/sign`, { offer_version: offer.offer_version, hash: offer.hash, accept: true,
    signer_name: name, signer_title: 'Producer', confirm_name: true });
  return offer;
}

/** Accounts that moved between two days, in minor units of the division's currency; debits positive. */
export async function booked(
  { test }: Stage, division: string, from: string, to: string,
): Promise<Record<string, number>> {
  const rows = await test.database.db.query<{ code: string; minor: number }>(sql`
    select a.code, sum(e.base_amount_minor)::bigint as minor from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
    where e.division = ${division} and e.transaction_at between ${from} and ${to}
    group by 1 having sum(e.base_amount_minor) <> 0 order by 1`);
  return Object.fromEntries(rows.map((row) => [row.code, Number(row.minor)]));
}

/** The text of a document as a person reads it. */
export async function textOf(test: TestApp, path: string): Promise<string> {
  const reader = await test.signedIn('staff_admin');
  const { raw, status } = await reader.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return pdfText(raw);
}
