/** People, groups, customers and venues of the demo season. */
import { hashPassword } from '#modules/identity/session/password.server.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { DemoClient } from './client.ts';
import { DEMO_CUSTOMERS } from './houses.ts';
import { DEMO_GROUPS, DEMO_PASSWORD, DEMO_PEOPLE, signerOf, type DemoPerson } from './people.ts';

function everyone(): DemoPerson[] {
  const signers = DEMO_CUSTOMERS.map(signerOf);
  return [...DEMO_PEOPLE, ...signers.filter((person) => !DEMO_PEOPLE.includes(person))];
}

/** The accounts themselves: an installation without any has nobody who could create them. */
export async function loadPeople(db: Db): Promise<void> {
  const hash = await hashPassword(DEMO_PASSWORD);
  for (const group of DEMO_GROUPS) {
    await db.exec(sql`
      insert into staff_groups (name, permission_values) values (${group.name}, ${group.permission_values})`);
  }
  for (const person of everyone()) {
    const user = await db.one<{ id: number }>(sql`
      insert into users (email, first_name, last_name, role, password_hash, email_verified_at)
      values (${person.email}, ${person.first_name}, ${person.last_name}, ${person.role}, ${hash}, now())
      returning id`);
    if (person.group) {
      await db.exec(sql`
        insert into staff_group_users (staff_group_id, user_id)
        select id, ${user.id} from staff_groups where name = ${person.group}`);
    }
  }
}

const CLASSIFICATIONS = [
  ['school', 'School', 'Schools and universities'],
  ['community', 'Community theatre', 'Amateur societies open to everyone'],
  ['youth', 'Youth theatre', 'Groups of young people outside school'],
  ['professional', 'Professional', 'Producers who employ union members'],
] as const;

export interface House {
  id: number;
  name: string;
  venue_ids: number[];
}

/** Customers with classifications, venues, ticketing presets and people, through the API. */
export async function loadHouses(db: Db, staff: DemoClient): Promise<Map<string, House>> {
  const classes = new Map<string, number>();
  for (const [key, name, description] of CLASSIFICATIONS) {
    const row = await staff.post('/api/admin/staff/customer_classifications', { key, name, description });
    classes.set(key, row.data.id);
  }
  const houses = new Map<string, House>();
  for (const customer of DEMO_CUSTOMERS) {
    const venue_ids: number[] = [];
    for (const venue of customer.venues) {
      const { name, kind, address, time_zone, capacity } = venue;
      const row = await staff.post('/api/admin/staff/venues',
        { name, kind, address, time_zone, capacity, phone: null, website: null, active: true });
      await staff.put(`/api/admin/staff/venues/${row.data.id}/tickets`,
        { currency: customer.currency, tickets: venue.tickets });
      // Positions come from the map service in production; the season brings them along.
      await db.exec(sql`
        update venues set lat = ${venue.lat}, lng = ${venue.lng}, geocode_source = 'manual' where id = ${row.data.id}`);
      venue_ids.push(row.data.id);
    }
    const id = await createCustomer(staff, customer, classes.get(customer.classification)!, venue_ids);
    houses.set(customer.name, { id, name: customer.name, venue_ids });
  }
  await attachPeople(db, staff, houses);
  return houses;
}

async function createCustomer(
  staff: DemoClient, customer: (typeof DEMO_CUSTOMERS)[number], classification: number, venue_ids: number[],
): Promise<number> {
  const row = await staff.post('/api/admin/staff/customers', {
    name: customer.name, legal_name: null, kind: customer.kind, divisions: [customer.division],
    default_division: customer.division, default_currency: customer.currency, billing_address: customer.address,
    phone: null, website: null, statement_email: customer.statement_email, tax_country: customer.address.country_code,
    is_business: customer.is_business, business_evidence: customer.is_business ? 'Registered organisation' : null,
    vat_number: customer.vat_number ?? null, payment_terms_days: 30,
    purchase_orders_accepted: customer.purchase_orders ?? false, execution_policy_default: null,
    marketing_opt_in: false,
  });
  const path = `/api/admin/staff/customers/${row.data.id}`;
  await staff.put(`${path}/activate`, {});
  await staff.post(`${path}/customer_classifications/sync`, { customer_classifications: [classification] });
  await staff.post(`${path}/venues/sync`, { venue_ids });
  if (customer.exempt) {
    await staff.post(`${path}/exemption_certificates`, { jurisdiction: `US-${customer.exempt.state}`, kind: 'school',
      number: customer.exempt.number, valid_from: '2023-01-01' });
  }
  return row.data.id;
}

/** Numbers under which the house is registered: invented, in the shape that each authority gives them. */
const REGISTRATIONS: Record<string, string> = {
  'US-NY sales_tax': '98-7654321', 'GB vat': 'GB 999 0018 79', 'IE vat': 'IE 9990187A', 'IE oss': 'EU372018790',
};

/** Enters the numbers of the registrations that the product ships without one. */
export async function loadRegistrations(staff: DemoClient): Promise<void> {
  const path = '/api/admin/staff/accounting/tax_registrations';
  for (const division of ['US', 'PROD', 'UK', 'EU']) {
    const { data } = await staff.get(`${path}?division=${division}`);
    for (const row of data) {
      const number = REGISTRATIONS[`${row.jurisdiction} ${row.scheme}`];
      if (number) await staff.put(`${path}/${row.id}`, { number, version: row.version });
    }
  }
  for (const [division, number] of [['US', '12-3456789'], ['PROD', '12-9876543']]) {
    await staff.post(path, { division, jurisdiction: 'US', scheme: 'ein', number, valid_from: '2020-01-01' });
  }
}

async function attachPeople(db: Db, staff: DemoClient, houses: Map<string, House>): Promise<void> {
  for (const person of everyone()) {
    if (!person.customer) continue;
    const user = await db.one<{ id: number }>(sql`select id from users where email = ${person.email}`);
    const house = houses.get(person.customer.name);
    if (!house) throw new Error(`no demo customer ${person.customer.name}`);
    await staff.post(`/api/admin/staff/customers/${house.id}/users`, { user_id: user.id, role: person.customer.role });
  }
}
