/** A small house for tests of licensing: a show with a rate card, a venue, a customer with people. */
import { randomUUID } from 'node:crypto';
import { recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports } from '#server/context.ts';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';

let serial = 0;

export interface Fixture {
  show_id: number;
  show_code: string;
  customer_id: number;
  venue_id: number;
  approver_id: number;
  rate_card_id: number;
}

/** 12.5% of the weighted house in steps of 5.00: the card of domain.md example E2. */
export async function licensingFixture(
  db: Db, options: { policy?: string; division?: string; fee_method?: string } = {},
): Promise<Fixture> {
  serial += 1;
  const division = options.division ?? 'US';
  const currency = { US: 'USD', PROD: 'USD', UK: 'GBP', EU: 'EUR' }[division]!;
  const code = `T${serial}-${randomUUID().slice(0, 6).toUpperCase()}`;
  const approver = await db.one<{ id: number }>(sql`
    insert into users (email, first_name, last_name, role, email_verified_at)
    values (${`approver-${code.toLowerCase()}@test.example`}, 'Ada', 'Approver', 'staff_admin', now()) returning id`);
  const show = await db.one<{ id: number }>(sql`
    insert into shows (show_code, type, title, sort_title, authors_credit)
    values (${code}, 'musical', ${`The Gardener ${serial}`}, ${`Gardener ${serial}`}, 'by A. Author') returning id`);
  const card = await db.one<{ id: number }>(sql`
    insert into rate_cards (show_id, category, division, effective_from, currency, fee_method, rate_ppm,
      round_up_to_minor, min_per_performance_minor, execution_policy)
    values (${show.id}, 'Amateur', ${division}, '2020-01-01', ${currency},
      ${options.fee_method ?? 'percent_potential'}, 125000, 500, 9500, ${options.policy ?? 'paid_in_full'})
    returning id`);
  await db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${approver.id}, approved_at = now()
    where id = ${card.id}`);
  const customer = await makeCustomer(db, division);
  const venue = await db.one<{ id: number }>(sql`
    insert into venues (name, address, lat, lng, time_zone, capacity) values (${`Town Hall ${serial}`},
      ${JSON.stringify(ADDRESS)}, ${40 + serial / 1000}, ${-74 - serial / 1000}, 'America/New_York',
        400) returning id`);
  return { show_id: show.id, show_code: code, customer_id: customer, venue_id: venue.id, approver_id: approver.id,
    rate_card_id: card.id };
}

const ADDRESS = { country_code: 'US', thoroughfare: '1 Main Street', locality: 'Springfield',
  administrative_area: 'NJ', postal_code: '07081' };

/** A newer card of the show, for the US: paid in full before issue, with a security deposit of 400.00. */
export async function securityCard(db: Db, fixture: Pick<Fixture, 'show_id' | 'approver_id'>): Promise<void> {
  const card = await db.one<{ id: number }>(sql`
    insert into rate_cards (show_id, category, division, effective_from, currency, fee_method, rate_ppm,
      round_up_to_minor, min_per_performance_minor, deposit_kind, deposit_minor, execution_policy)
    values (${fixture.show_id}, 'Amateur', 'US', '2021-01-01', 'USD', 'percent_potential', 125000, 500, 9500,
      'security', 40000, 'paid_in_full') returning id`);
  await db.exec(sql`update rate_cards set status = 'approved', approved_by_id = ${fixture.approver_id},
    approved_at = now() where id = ${card.id}`);
}

export async function makeCustomer(db: Db, division = 'US'): Promise<number> {
  const currency = { US: 'USD', PROD: 'USD', UK: 'GBP', EU: 'EUR' }[division]!;
  const row = await db.one<{ id: number }>(sql`
    insert into customers (name, kind, status, divisions, default_division, default_currency, billing_address)
    values (${`Springfield Players ${randomUUID().slice(0, 8)}`}, 'community', 'active', ${[division]}, ${division},
      ${currency}, ${JSON.stringify(ADDRESS)}) returning id`);
  await db.exec(sql`insert into customer_contacts (customer_id, name, email, is_primary)
    values (${row.id}, 'Chris Contact', ${`contact-${row.id}@test.example`}, true)`);
  return row.id;
}

/** The house of example E2: GPC 7,850.00, weighted 7,850.00, 985.00 per performance after the step. */
export const E2_TICKETS = [
  { number_of_seats: 150, price: 25, weight: 50 }, { number_of_seats: 200, price: 18, weight: 30 },
  { number_of_seats: 50, price: 10, weight: 20 },
];

/** `count` evenings from `from` on (within one month). */
export function evenings(from: string, count: number): { local_date: string; local_time: string }[] {
  const [year, month, day] = from.split('-').map(Number) as [number, number, number];
  return Array.from({ length: count }, (_, k) => ({
    local_date: `${year}-${String(month).padStart(2, '0')}-${String(day + k).padStart(2, '0')}`, local_time: '19:30',
  }));
}

/** The customer pays every pro forma and invoice of the licence, each by a wire of its own; answers how many. */
export async function payWhatIsAsked(ports: Ports, licenseId: number): Promise<number> {
  return ports.db.tx(async (tx) => {
    const ctx = workContext(ports, tx, SYSTEM_ACTOR);
    const open = await tx.query<{ id: number; customer_id: number; division: string; currency: string;
      balance_minor: number }>(sql`
      select id, customer_id, division, currency, balance_minor from invoices where license_id = ${licenseId}
        and status in ('proforma', 'issued') and balance_minor > 0`);
    for (const { id, customer_id, division, currency, balance_minor: amount_minor } of open) {
      await recordReceipt(ctx, { customer_id, division, currency, method: 'wire', amount_minor,
        received_on: await ctx.today(division), reference: '', apply_to: [{ invoice_id: id, amount_minor }] });
    }
    return open.length;
  });
}
