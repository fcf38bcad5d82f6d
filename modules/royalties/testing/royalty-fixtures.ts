/** Shows with parties and licences that report takings, as tests of box office and royalties need them. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface PartyInput {
  name?: string;
  rate_ppm: number;
  share_points?: number;
  accrual_basis?: 'on_receipt' | 'on_invoice' | 'on_close';
  income_types?: readonly string[];
  role?: string;
  royaltor_id?: number;
  reserve_ppm?: number;
  reserve_schedule_ppm?: readonly number[];
  min_payout_minor?: number;
  agent?: { royaltor_id: number; ppm: number; pays: 'split_payment' | 'all_to_agent' };
  division?: string;
  /** A royalty pool: `rate_ppm` of the week by points x 100. */
  pool?: { points: number; total: number; guarantee: number; of?: 'operating_profit' | 'gross' };
}

export interface TestParty {
  show_royaltor_id: number;
  royaltor_id: number;
  term_id: number;
}

export interface TestShow {
  show_id: number;
  show_code: string;
  parties: TestParty[];
}

const CURRENCIES: Record<string, string> = { US: 'USD', PROD: 'USD', UK: 'GBP', EU: 'EUR' };

/** With verified bank details. */
export async function makeRoyaltor(
  db: Db, values: { name?: string; country?: string; form?: string; kind?: string; tin?: boolean } = {},
): Promise<number> {
  const row = await db.one<{ id: number }>(sql`
    with verifier as (insert into users (email, first_name, last_name, role)
      values (${`${randomUUID()}@house.example`}, 'Vera', 'Marsh', 'staff_user') returning id)
    insert into royaltors (name, kind, residence_country, tax_form_type, tin_encrypted, tin_key_id, tin_last4,
      bank_account_encrypted, bank_key_id, bank_account_last4, bank_verified_at, bank_verified_note,
      bank_verified_by_id)
    values (${values.name ?? `Author ${randomUUID().slice(0, 6)}`}, ${values.kind ?? 'person'},
      ${values.country ?? 'US'}, ${values.form ?? 'w9'}, ${values.tin === false ? null : Buffer.from('x')},
      ${values.tin === false ? null : 'test'}, ${values.tin === false ? null : '1234'}, 
      ${Buffer.from('x')}, 'test', '6789', '2020-01-01', 'Called',
      (select id from verifier)) returning id`);
  return row.id;
}

/** A show whose agreements share by these rates; parties of one rate share it by their points. */
export async function makeShow(
  db: Db, parties: readonly PartyInput[], presentation: 'gross' | 'net' = 'gross',
): Promise<TestShow> {
  // Seven digits met once among the thousand shows of the Broadway file.
  const code = `R${randomUUID().replaceAll('-', '').slice(0, 15).toUpperCase()}`;
  const show = await db.one<{ id: number }>(sql`
    insert into shows (show_code, type, title, sort_title, royalty_presentation)
    values (${code}, 'musical', ${code}, ${code}, ${presentation}) returning id`);
  const made: TestParty[] = [];
  for (const party of parties) {
    const royaltor = party.royaltor_id ?? await makeRoyaltor(db, party.name === undefined ? {} : { name: party.name });
    const division = party.division ?? 'US';
    const agreement = await db.one<{ id: number }>(sql`
      insert into show_royaltors (show_id, royaltor_id, role, payer_division, currency, status, accrual_basis,
        royalty_presentation, reserve_schedule_ppm, min_payout_minor, agent_royaltor_id, agent_ppm, agent_pays)
      values (${show.id}, ${royaltor}, ${party.role ?? 'author'}, ${division}, ${CURRENCIES[division]}, 'active',
        ${party.accrual_basis ?? 'on_receipt'}, ${presentation}, ${party.reserve_schedule_ppm ?? []},
        ${party.min_payout_minor ?? null}, ${party.agent?.royaltor_id ?? null}, ${party.agent?.ppm ?? 0},
        ${party.agent?.pays ?? null}) returning id`);
    const term = await db.one<{ id: number }>(sql`
      insert into royalty_terms (show_royaltor_id, rate_ppm, share_points, match_income_types, reserve_ppm, basis,
        pool_of, pool_points_x100, pool_total_points_x100, pool_min_per_point_minor)
      values (${agreement.id}, ${party.rate_ppm}, ${party.share_points ?? 1}, 
        ${party.income_types ?? (party.pool ? ['royalty'] : [])}, ${party.reserve_ppm ?? 0},
        ${party.pool ? 'pool_points' : 'receipts'}, ${party.pool ? party.pool.of ?? 'operating_profit' : null},
        ${party.pool?.points ?? null}, ${party.pool?.total ?? null}, ${party.pool?.guarantee ?? null}) returning id`);
    made.push({ show_royaltor_id: agreement.id, royaltor_id: royaltor, term_id: term.id });
  }
  return { show_id: show.id, show_code: code, parties: made };
}

export interface DealInput {
  division?: string;
  currency?: string;
  customer_id: number;
  rate_ppm?: number;
  guarantee_scope?: 'performance' | 'week' | 'run';
  fee_method?: string;
  min_per_performance_minor?: number;
  min_per_week_minor?: number;
  min_per_run_minor?: number;
  true_up?: string;
  fee_terms?: object;
  ticket_tax_ppm?: number;
  category?: 'Amateur' | 'Pro';
  performances?: readonly string[];
}

export interface TestDeal {
  license_id: number;
  license_venue_id: number;
  customer_id: number;
  performance_ids: number[];
}

/** A licence in production with one venue; its deal as given, else 11% of the week. */
export async function makeDeal(db: Db, show: Pick<TestShow, 'show_id' | 'show_code'>, deal: DealInput):
Promise<TestDeal> {
  const division = deal.division ?? 'US';
  const number = randomUUID().slice(0, 12).toUpperCase();
  const { id } = await db.one<{ id: number }>(sql`
    insert into licenses (number, license_number, customer_id, show_id, show_code, show_type, category, phase, division,
      currency, title_on_license, execution_policy, executed_at, fee_method, rate_ppm, guarantee_scope,
      min_per_performance_minor, min_per_week_minor, min_per_run_minor, true_up, fee_terms, first_performance_on)
    values (${number}, ${number}, ${deal.customer_id}, ${show.show_id}, ${show.show_code}, 'musical',
      ${deal.category ?? 'Pro'}, 'in_production', ${division}, ${deal.currency ?? CURRENCIES[division]},
      ${show.show_code}, 'purchase_order', now(), ${deal.fee_method ?? 'percent_actual'}, ${deal.rate_ppm ?? 110_000},
      ${deal.guarantee_scope ?? 'week'}, ${deal.min_per_performance_minor ?? 0}, ${deal.min_per_week_minor ?? 0},
      ${deal.min_per_run_minor ?? 0}, ${deal.true_up ?? 'none'},
      ${deal.fee_terms === undefined ? null : JSON.stringify(deal.fee_terms)}, ${deal.performances?.[0] ?? null})
    returning id`);
  const country = division === 'UK' ? 'GB' : division === 'EU' ? 'IE' : 'US';
  const venue = await db.one<{ id: number }>(sql`
    insert into license_venues (license_id, name, address, vat_on_tickets_ppm) values (${id}, 'Playhouse',
      ${JSON.stringify({ country_code: country, thoroughfare: '1 Broadway', locality: 'New York',
        administrative_area: country === 'US' ? 'NY' : '', postal_code: '10004' })},
      ${deal.ticket_tax_ppm ?? null}) returning id`);
  const performance_ids: number[] = [];
  for (const [n, day] of (deal.performances ?? []).entries()) {
    const row = await db.one<{ id: number }>(sql`
      insert into performances (license_id, license_venue_id, ordinal, starts_at, local_date, local_time, week_key)
      values (${id}, ${venue.id}, ${n + 1}, ${`${day}T23:00:00Z`}, ${day}, '19:00', ${day}) returning id`);
    performance_ids.push(row.id);
  }
  return { license_id: id, license_venue_id: venue.id, customer_id: deal.customer_id, performance_ids };
}
