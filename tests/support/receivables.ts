/** Customers and licences as receivables need them, and what a posting did, account by account. */
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { openItems } from '#apps/server/src/open-items.ts';
import { randomUUID } from 'node:crypto';
import { fixedClock } from '#server/clock.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import type { Db } from '#server/db.ts';
import { diskFiles } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { seal } from '#server/secret.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const DAY = '2026-03-02';
const CURRENCIES: Record<string, string> = { US: 'USD', PROD: 'USD', UK: 'GBP', EU: 'EUR' };
const ADDRESSES: Record<string, object> = {
  US: { country_code: 'US', thoroughfare: '1 Broadway', locality: 'New York', administrative_area: 'NY',
    postal_code: '10004' },
  UK: { country_code: 'GB', thoroughfare: '1 Mill Lane', locality: 'Leeds', administrative_area: '',
    postal_code: 'LS1 1AA' },
  EU: { country_code: 'IE', thoroughfare: '1 Dame Street', locality: 'Dublin', administrative_area: '',
    postal_code: 'D02 X000' },
};

/** Ports without a server: the clock stands at noon of {@link DAY}. */
export function testPorts(db: Db): Ports {
  return {
    db, limits: db, clock: fixedClock(`${DAY}T12:00:00Z`),
    files: diskFiles(join(tmpdir(), `receivables-${randomUUID()}`)),
    mail: outboxMailer(), settings: readSettings({ ENCRYPTION_KEY: 'a key of tests' }, '/'), wake: () => {},
    log: () => {},
    money: moneyEvents, customers: customerEvents, openItems, live: closedHub(),
  };
}

/** One command in one transaction, as a request would run it. */
export function command<T>(ports: Ports, work: (ctx: WorkContext) => Promise<T>): Promise<T> {
  return ports.db.tx((tx) => work(workContext(ports, tx, SYSTEM_ACTOR)));
}

/** Lets customers pay the EU in euros: alone of the divisions it takes no checks, so it needs an account. */
export async function giveAccountInEurope(db: Db): Promise<void> {
  await db.exec(sql`update divisions set payee = 'Grand Rights Europe DAC', payee_iban = 'IE29AIBK93115212345678',
    payee_bic = 'AIBKIE2D' where code = 'EU' and payee is null`);
}

/** Lets customers pay a division in a currency of no books of its own: its default bank account there has a number. */
export async function giveForeignAccount(
  { db, settings }: Pick<Ports, 'db' | 'settings'>, division: string, currency: string,
): Promise<number> {
  const known = await db.maybeOne<{ id: number }>(sql`
    select id from bank_accounts where division = ${division} and currency = ${currency} and is_default`);
  const { id } = known ?? await db.one<{ id: number }>(sql`
    insert into bank_accounts (bank_id, division, currency, name, ledger_account_id, is_default)
    select (select min(id) from banks), ${division}, ${currency}, 'Foreign account',
      open_bank_ledger_account(${division}, ${currency}, 'Foreign account'), true returning id`);
  const { bytes, key_id } = seal(settings, `bank_account:${id}:bank_account`, 'GB29NWBK60161331926819');
  await db.exec(sql`
    update bank_accounts set bank_account_encrypted = ${bytes}, bank_key_id = ${key_id}, bank_account_last4 = '6819',
      number_kind = 'iban', holder = 'Grand Rights' where id = ${id}`);
  return id;
}

export async function makeCustomer(db: Db, division: string, options: { business?: boolean; country?: string } = {}):
Promise<number> {
  const address = ADDRESSES[division === 'PROD' ? 'US' : division]!;
  if (division === 'EU') await giveAccountInEurope(db);
  const { id } = await db.one<{ id: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency, billing_address, tax_country,
      is_business, business_evidence)
    values (${`Players ${randomUUID().slice(0, 8)}`}, 'active', ${[division]}, ${division}, ${CURRENCIES[division]},
      ${JSON.stringify(options.country ? { ...address, country_code: options.country } : address)},
      ${options.country ?? null}, ${options.business ?? false}, ${options.business ? 'register' : null}) returning id`);
  return id;
}

export interface TestLicense {
  id: number;
  customer_id: number;
  division: string;
  currency: string;
  venue_id: number;
  performance_ids: number[];
}

/** A licence with one venue and performances on consecutive days from 1 October 2026. */
export async function makeLicense(db: Db, division: string, performances = 2, customerId?: number):
Promise<TestLicense> {
  const customer_id = customerId ?? await makeCustomer(db, division);
  const code = `T${randomUUID().slice(0, 6).toUpperCase()}`;
  const show = await db.one<{ id: number }>(sql`
    insert into shows (show_code, type, title, sort_title) values (${code}, 'musical', ${code}, ${code}) returning id`);
  const { id } = await db.one<{ id: number }>(sql`
    insert into licenses (number, customer_id, show_id, show_code, show_type, category, division, currency,
      title_on_license, execution_policy, first_performance_on, last_performance_on)
    values (next_number('quote', ${division}, ${DAY}), ${customer_id}, ${show.id}, ${code}, 'musical', 'Amateur',
      ${division}, ${CURRENCIES[division]}, ${code}, 'paid_in_full', '2026-10-01', '2026-10-10') returning id`);
  const venue = await db.one<{ id: number }>(sql`
    insert into license_venues (license_id, name, address) values (${id}, 'Town Hall',
      ${JSON.stringify(ADDRESSES[division === 'PROD' ? 'US' : division])}) returning id`);
  const performance_ids: number[] = [];
  for (let n = 0; n < performances; n += 1) {
    const day = `2026-10-${String(n + 1).padStart(2, '0')}`;
    const row = await db.one<{ id: number }>(sql`
      insert into performances (license_id, license_venue_id, ordinal, starts_at, local_date, local_time, week_key)
      values (${id}, ${venue.id}, ${n + 1}, ${`${day}T23:00:00Z`}, ${day}, '19:00', '2026-09-28') returning id`);
    performance_ids.push(row.id);
  }
  return { id, customer_id, division, currency: CURRENCIES[division]!, venue_id: venue.id, performance_ids };
}

/** Net movement per account of the posted transactions that a piece of work made: { '1100': 128400 }. */
export async function movement(db: Db, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await db.one<{ id: number }>(sql`select coalesce(max(id), 0)::bigint as id from transactions`);
  await work();
  const rows = await db.query<{ code: string; amount: number }>(sql`
    select a.code, sum(e.amount_minor)::bigint as amount from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id
    where e.transaction_id > ${before.id} group by a.code having sum(e.amount_minor) <> 0 or sum(e.base_amount_minor)
      <> 0
    order by a.code`);
  return Object.fromEntries(rows.map((row) => [row.code, row.amount]));
}
