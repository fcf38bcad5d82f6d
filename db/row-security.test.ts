/** The second line behind the gates: what the roles of customers can reach, table by table (decision 10). */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDb, type Db } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';

const database = testDatabase();
let portal: Db, counter: Db;
beforeAll(() => {
  portal = createDb({ connectionString: database.urls.app_portal, max: 2, pipeline: true, onError: () => {} });
  counter = createDb({ connectionString: database.urls.app_counter, max: 2, onError: () => {} });
});
// A cleanup returned by beforeAll runs after every afterAll: the database would be dropped under these connections.
afterAll(async () => {
  await portal.close();
  await counter.close();
});

const names = async (query: Sql): Promise<string[]> =>
  (await database.owner.query<{ name: string }>(query)).map((row) => row.name);

const tables = sql`pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;
const classOf = (wanted: string): Sql =>
  sql`c.relname in (select table_name from table_access where class = ${wanted})`;
const hasPolicy = (name: string): Sql =>
  sql`exists (select 1 from pg_policy where polrelid = c.oid and polname = ${name})`;
const granted = sql`(has_table_privilege('app_portal', c.oid, 'select')
  or has_any_column_privilege('app_portal', c.oid, 'select'))`;

describe('every table', () => {
  test('is said to be a tenant\'s, shared, a reference or the house\'s in access.sql', async () => {
    expect(await names(sql`
      select relname as name from ${tables} and relname not in (select table_name from table_access)`)).toEqual([]);
  });

  test('of a tenant is narrowed for the counter and for the portal', async () => {
    expect(await names(sql`select relname as name from ${tables} and ${classOf('tenant')} and not (c.relrowsecurity
      and ${hasPolicy('house')} and ${hasPolicy('counter')} and ${hasPolicy('portal')} = ${granted})`)).toEqual([]);
    expect(await names(sql`select p.polrelid::regclass::text as name from pg_policy p
      where polname = 'counter' and (polpermissive or polwithcheck is null or polcmd <> '*')`)).toEqual([]);
  });

  test('that is shared shows the portal the rows of its policy only', async () => {
    expect(await names(sql`select relname as name from ${tables} and ${classOf('shared')}
      and not (c.relrowsecurity and ${hasPolicy('portal')})`)).toEqual([]);
  });

  test('of the house grants the portal not one column', async () => {
    expect(await names(sql`select relname as name from ${tables} and ${classOf('house')} and ${granted}`)).toEqual([]);
  });

  test('that names a customer is a tenant\'s or shared, but for those the house keeps about customers', async () => {
    expect(await names(sql`
      select distinct relname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.confrelid in ('customers'::regclass, 'licenses'::regclass, 'invoices'::regclass,
        'license_applications'::regclass, 'box_office_reports'::regclass, 'payments'::regclass)
        and ${classOf('house')} order by 1`)).toEqual([
      // Corrections of bank details by the banks of payees.
      'bank_corrections',
      // Contents of vendor bills.
      'bill_lines', 'bill_schedule_lines',
      // Their numbers are of the bank account.
      'checks',
      // Receipts taken to the bank.
      'deposit_slip_items',
      // Items a payment by the company settles, and how.
      'disbursement_allocations',
      // Answers of the tax service about documents.
      'document_tax_answers',
      // Proofs of VAT numbers, and what the registers said.
      'document_vat_proofs',
      // Mail as it came in; its message is in the conversation.
      'inbound_mails',
      // Money of a customer that another division took in; its receipt is the customer's.
      'intercompany_entries',
      // Debts owed to the company that it wrote off.
      'invoice_write_offs',
      // Interest on their late payments, billed by invoices of their own.
      'late_interest_charges', 'payment_parts', 'payment_run_exits', 'payment_transactions',
      // Refunds and disputes at the card processor.
      'processor_disputes', 'processor_refunds',
      // Debts to royaltors, warehouse shipments, titles kept off the market, work of the staff.
      'royalty_accruals', 'royalty_advances', 'royalty_allocations', 'royalty_payment_conversions',
      'royalty_payment_statements', 'royalty_statement_lines',
      'show_restrictions', 'tasks',
      // Reports to the tax service.
      'tax_service_transactions', 'vat_number_checks',
      // Payments behind the forms of vendors and royaltors.
      'year_end_form_payments',
    ]);
  });

  test('can be written by nobody from the portal', async () => {
    expect(await names(sql`select relname as name from ${tables}
      and has_table_privilege('app_portal', c.oid, 'insert, update, delete, truncate')`)).toEqual([]);
  });

  test('keeps the planner\'s hands free for staff: their policy is true', async () => {
    expect(await names(sql`select polrelid::regclass::text as name from pg_policy
      where polname = 'house' and pg_get_expr(polqual, polrelid) <> 'true'`)).toEqual([]);
  });
});

describe('the roles of customers', () => {
  test('are no superusers, own nothing and bypass nothing', async () => {
    expect(await names(sql`select rolname as name from pg_roles where rolname in ('app_rw', 'app_portal', 'app_counter')
      and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`)).toEqual([]);
    expect(await names(sql`select relname as name from pg_class c join pg_roles r on r.oid = c.relowner
      where r.rolname in ('app_rw', 'app_portal', 'app_counter')
        and relnamespace = 'public'::regnamespace`)).toEqual([]);
    expect(await names(sql`select rolname as name from pg_roles
      where pg_has_role('app_portal', oid, 'member') and rolname <> 'app_portal'`)).toEqual([]);
  });

  test('reach no function that runs with its owner\'s rights, but one that compares the customer itself', async () => {
    expect(await names(sql`select p.oid::regprocedure::text as name from pg_proc p
      where p.prosecdef and has_function_privilege('app_portal', p.oid, 'execute')`))
      .toEqual(['shares_profit(bigint)']);
  });

  test('read no view that runs with the rights of the owner', async () => {
    expect(await names(sql`select relname as name from pg_class c where relkind in ('v', 'm')
      and relnamespace = 'public'::regnamespace and has_table_privilege('app_portal', c.oid, 'select')`)).toEqual([]);
  });

  test('cannot read a table that a migration adds without a word in access.sql', async () => {
    await database.owner.exec(sql`create table brand_new (id bigint)`);
    await expect(portal.query(sql`select * from brand_new`)).rejects.toThrow(/permission denied/);
    await database.owner.exec(sql`drop table brand_new`);
  });

  test('cannot read passwords, addresses of people, or rate cards', async () => {
    for (const query of [sql`select password_hash from users`, sql`select email from users`,
      sql`select 1 from rate_cards`, sql`select 1 from sessions`,
      sql`select credit_hold_reason from customers`, sql`select * from standing_licenses(1, now())`]) {
      await expect(portal.query(query)).rejects.toThrow(/permission denied/);
    }
  });
});

describe('one customer among others', () => {
  let mine = 0, theirs = 0, license = 0;
  const as = (db: Db, customer: number | null): Db => db.bound({ 'app.customer_id': customer, 'app.user_id': null });
  beforeAll(async () => {
    const made = async (name: string): Promise<number> => (await database.db.one<{ id: number }>(sql`
      insert into customers (name, status, divisions, default_division, default_currency)
      values (${name}, 'active', '{US}', 'US', 'USD') returning id`)).id;
    [mine, theirs] = [await made('Mine'), await made('Theirs')];
    const show = (await database.db.one<{ id: number }>(sql`insert into shows (show_code, type, title, sort_title)
      values ('RLS', 'play', 'Rows', 'Rows') returning id`)).id;
    for (const customer of [mine, theirs]) {
      license = (await database.db.one<{ id: number }>(sql`
        insert into licenses (number, customer_id, show_id, show_code, show_type, category, division, currency,
          title_on_license, execution_policy)
        values (next_number('quote', 'US', '2026-11-21'), ${customer}, ${show}, 'RLS', 'play', 'Pro', 'US', 'USD',
          'Rows', 'advance_paid') returning id`)).id;
      await database.db.exec(sql`insert into license_events (license_id, event) values (${license}, 'create')`);
    }
  });

  test('is told of its own licenses only whether royaltors share in the profit', async () => {
    const shared = await database.db.one<{ show_id: number; customer_id: number }>(sql`
      select show_id, customer_id from licenses where id = ${license}`);
    const royaltor = await database.db.one<{ id: number }>(sql`
      insert into royaltors (name) values ('Pool Author') returning id`);
    const agreement = await database.db.one<{ id: number }>(sql`
      insert into show_royaltors (show_id, royaltor_id, role, payer_division, currency, status)
      values (${shared.show_id}, ${royaltor.id}, 'author', 'US', 'USD', 'active') returning id`);
    await database.db.exec(sql`
      insert into royalty_terms (show_royaltor_id, rate_ppm, basis, match_income_types, pool_of,
        pool_min_per_point_minor, pool_points_x100, pool_total_points_x100)
      values (${agreement.id}, 350000, 'pool_points', '{royalty}', 'operating_profit', 50000, 200, 1500)`);
    const ask = sql`select shares_profit(${license}) as told`;
    const told = async (db: Db, customer: number): Promise<unknown> => (await as(db, customer).one<{ told: boolean }>(
      ask)).told;
    const stranger = shared.customer_id === mine ? theirs : mine;
    expect([await told(portal, shared.customer_id), await told(portal, stranger)]).toEqual([true, false]);
  });

  const count = async (db: Db, from: Sql): Promise<number> =>
    (await db.one<{ n: number }>(sql`select count(*) as n from ${from}`)).n;

  test('reads its own rows, nobody\'s without a customer, and no draft from the portal', async () => {
    for (const table of [sql`licenses`, sql`license_events`]) {
      expect(await count(as(counter, mine), table)).toBe(1);
      expect(await count(as(counter, null), table)).toBe(0);
      expect(await count(as(portal, mine), table)).toBe(0);
    }
    expect(await count(as(portal, mine), sql`customers`)).toBe(1);
    expect(await count(as(portal, null), sql`customers`)).toBe(0);
    await database.db.exec(sql`update licenses set phase = 'sent', offer_version = 1, offer_expires_at = now()`);
    expect(await count(as(portal, mine), sql`licenses`)).toBe(1);
    expect(await count(database.db, sql`licenses`)).toBe(2);
  });

  test('reads the memos that are shared with it, none that is internal or another\'s', async () => {
    const author = (await database.db.one<{ id: number }>(sql`
      insert into users (email, first_name, last_name, role) values ('memo@house.test', 'Ada', 'Marsh', 'staff_admin')
      returning id`)).id;
    await database.db.exec(sql`
      insert into memos (entity, entity_id, body, internal, author_id)
      select 'license', l.id,
        case when i then 'internal of ' else 'shared with ' end || l.customer_id || ' @[' || ${author} || ']', i,
        ${author}
      from licenses l, (values (true), (false)) as t (i)`);
    const read = (db: Db) => db.query<{ body: string }>(sql`select memo_text(body) as body from memos`);
    expect(await read(as(portal, mine))).toEqual([{ body: `shared with ${mine} @Ada Marsh` }]);
    expect(await read(as(portal, null))).toEqual([]);
    expect(await count(as(counter, mine), sql`memos`)).toBe(2);
  });

  test('the customer of one transaction is gone in the next on the same connection', async () => {
    const client = new pg.Client(database.urls.app_portal);
    await client.connect();
    const seen = async (): Promise<number> => (await client.query('select 1 from customers')).rowCount ?? 0;
    await client.query(`begin; select set_config('app.customer_id', '${mine}', true)`);
    expect(await seen()).toBe(1);
    await client.query('commit');
    expect(await seen()).toBe(0);
    await client.end();
  });

  test('writes no row of another, neither by changing nor by adding', async () => {
    const own = as(counter, mine);
    expect(await own.exec(sql`update licenses set cast_size = 9`)).toBe(1);
    expect(await own.exec(sql`update licenses set cast_size = 9 where customer_id = ${theirs}`)).toBe(0);
    await expect(own.exec(sql`update licenses set customer_id = ${theirs}`)).rejects.toThrow(/row-level security/);
    await expect(own.exec(sql`insert into license_events (license_id, event) values (${license}, 'forged')`))
      .rejects.toThrow(/row-level security/);
    await expect(own.exec(sql`insert into customer_messages (customer_id, author_id, from_staff, body)
      values (${theirs}, 1, false, 'x')`)).rejects.toThrow(/row-level security/);
  });

  test('cannot change anything in a read, whatever role it has', async () => {
    await expect(as(counter, mine).read((tx) => tx.exec(sql`update licenses set cast_size = 1`)))
      .rejects.toThrow(/read-only/);
  });
});
