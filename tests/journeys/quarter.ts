/**
 * What story 6 needs before Eleanor begins: authors of three divisions with income of this quarter, and an account of
 * each division with its next check number and the bank's details for payment files. All made over the API.
 */
// cspell:ignore COBADEFFXXX
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { AuthorMaker, HOUSES, PEOPLE, type Caller, type House, type Person } from '#tests/support/quarter-people.ts';
import type { Body, Visitor } from './visitor.ts';

const STAFF = '/api/admin/staff';
const BOOKS = `${STAFF}/accounting`;
export const DIVISIONS = ['US', 'UK', 'EU'] as const;

/** Everybody with something special, and two or three without. */
export const AUTHORS: Readonly<Record<House, readonly Person[]>> = { US: PEOPLE.US.slice(9), UK: PEOPLE.UK.slice(7),
  EU: PEOPLE.EU.slice(7) };
/** Minor units that each author earns by the show of the division. */
export const EACH = { US: 30_000, UK: 20_000, EU: 25_000 } as const;
export const ADVANCE = 50_000;

const OWN = { US: { kind: 'us', routing: '231380104' }, UK: { kind: 'uk', routing: '089999' },
  EU: { kind: 'iban', routing: null } } as const;
const NUMBERS = { US: '7445678999', UK: '66374958', EU: 'DE89370400440532013000' } as const;
const FILES = { US: { company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank' },
  UK: { service_user: '123456' }, EU: { bic: 'COBADEFFXXX' } } as const;
const COUNTRIES = { US: 'US', UK: 'GB', EU: 'DE' } as const;

export interface Account { id: number; name: string }
export interface Desk {
  /** Ends the name of everybody and everything made here. */
  key: string;
  /** Royaltors by their names without the key. */
  ids: ReadonlyMap<string, number>;
  accounts: Readonly<Record<House, Account>>;
}

const callerOf = ({ get, send }: Visitor): Caller => ({ get, post: (path, body) => send('POST', path, body),
  put: (path, body) => send('PUT', path, body) });

async function openAccount(staff: Caller, house: House, key: string): Promise<Account> {
  const { data: bank } = await staff.post(`${BOOKS}/banks`, { name: `Quarter Bank ${house}${key}`,
    country: COUNTRIES[house] });
  const { data: made } = await staff.post(`${BOOKS}/bank_accounts`, { bank_id: bank.id, division: house,
    currency: HOUSES[house].currency, name: `Quarter ${house}${key}`,
    ...(house === 'US' ? { next_check_number: 2001 } : {}) });
  const path = `${BOOKS}/bank_accounts/${made.id}`;
  await staff.put(`${path}/number`, { version: made.version, ...OWN[house], account: NUMBERS[house] });
  const { data: profile } = await staff.get(`${path}/payment_files`);
  await staff.put(`${path}/payment_files`, { version: profile.version, originator_name: 'Grand Rights',
    ...FILES[house] });
  return { id: made.id, name: made.name };
}

/** A played performance, billed today: what the authors share of it is earned and due today. */
async function bill(staff: Caller, house: House, of: { show_id: number; customer_id: number; net_minor: number }) {
  const { currency } = HOUSES[house];
  const { data: license } = await staff.post(`${STAFF}/licenses`, { customer_id: of.customer_id, show_id: of.show_id,
    division: house, category: 'Amateur' });
  const { data: draft } = await staff.post(`${STAFF}/invoices`, { customer_id: of.customer_id, license_id: license.id,
    division: house, currency, items: [{ kind: 'overage', description: 'Royalty', item_class: 'performing_licence',
      net_minor: of.net_minor, royalty_bearing: true }] });
  await staff.post(`${STAFF}/invoices/${draft.id}/issue`, { version: draft.version });
}

/** Gus was paid an advance by wire before. */
async function payAdvance({ staff, second }: { staff: Caller; second: Caller }, of: { agreement: number; day: string;
  account: number }): Promise<void> {
  const { data: advance } = await staff.post(`${STAFF}/royalty_advances`, { currency: 'USD', due_on: of.day,
    amount_minor: ADVANCE, show_royaltor_id: of.agreement });
  const path = `${BOOKS}/royalty_payment_batches`;
  const { data: batch } = await staff.post(path, { division: 'US', method: 'wire', pay_on: of.day,
    bank_account_id: of.account, statement_ids: [], advance_ids: [advance.id] });
  const { data: { version } } = await second.put(`${path}/${batch.id}/approve`, { version: batch.version });
  await staff.put(`${path}/${batch.id}/pay`, { version });
}

export async function setUp(admin: Visitor, other: Visitor, { key, day }: { key: string; day: string }): Promise<Desk> {
  for (const one of [admin, other]) {
    await one.send('POST', '/api/auth/confirm-password', { password: DEMO_PASSWORD });
  }
  const callers = { staff: callerOf(admin), second: callerOf(other) };
  const { staff } = callers;
  const maker = new AuthorMaker(callers, key);
  const accounts = {} as Record<House, Account>;
  const customers: Body[] = (await staff.get(`${STAFF}/customers?per_page=100`)).data;
  for (const house of DIVISIONS) {
    accounts[house] = await openAccount(staff, house, key);
    const customer = customers.find((one) => one.default_division === house
      && one.default_currency === HOUSES[house].currency);
    for (const person of AUTHORS[house]) await maker.person(house, person.name, person);
    const { show_id } = await maker.show(house, `The ${house} Quarter`, AUTHORS[house]);
    const shared = EACH[house] * AUTHORS[house].length * 1_000_000;
    await bill(staff, house, { show_id, customer_id: customer.id, net_minor: shared / HOUSES[house].rate_ppm });
  }
  const gus = AUTHORS.US.filter((one) => one.group);
  const other_show = await maker.show('US', 'The Other Road', gus);
  const home = customers.find((one) => one.default_division === 'US' && one.default_currency === 'USD');
  await bill(staff, 'US', { show_id: other_show.show_id, customer_id: home.id, net_minor: 50_000 });
  await payAdvance(callers, { agreement: maker.group, day, account: accounts.US.id });
  return { key, ids: maker.ids, accounts };
}
