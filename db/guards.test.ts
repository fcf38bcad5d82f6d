import { beforeAll, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';

/** Statements the database refuses for any caller: each one here runs as the application's own role. */
const database = testDatabase();

async function refused(statement: ReturnType<typeof sql>): Promise<string> {
  try {
    await database.db.tx((tx) => tx.exec(statement));
    return 'done';
  } catch (error) {
    const cause = (error as Error).cause;
    return `${(error as Error).message} ${cause instanceof Error ? cause.message : ''}`;
  }
}

async function insert(statement: ReturnType<typeof sql>): Promise<number> {
  return (await database.db.one<{ id: number }>(statement)).id;
}

let author = 0, approver = 0, customer = 0, show = 0, license = 0;

beforeAll(async () => {
  const person = (email: string): Promise<number> => insert(sql`
    insert into users (email, first_name, last_name, role)
    values (${email}, 'Ann', 'Lee', 'staff_admin') returning id`);
  author = await person('author@example.org');
  approver = await person('approver@example.org');
  customer = await insert(sql`insert into customers (name, status, divisions, default_division, default_currency)
    values ('Québec Players', 'active', '{US}', 'US', 'USD') returning id`);
  show = await insert(sql`insert into shows (show_code, type, title, sort_title)
    values ('TRU', 'play', 'Tru', 'Tru') returning id`);
  license = await insert(sql`insert into licenses (number, customer_id, show_id, show_code, show_type, category,
      division, currency, title_on_license, execution_policy)
    values (next_number('quote', 'US', '2026-11-21'), ${customer}, ${show}, 'TRU', 'play', 'Pro', 'US', 'USD', 'Tru',
      'advance_paid') returning id`);
});

test('an approved rate card keeps its terms, and nobody approves his own', async () => {
  const card = await insert(sql`insert into rate_cards (show_id, category, division, effective_from, currency,
      fee_method, rate_ppm, execution_policy, author_id)
    values (${show}, 'Pro', 'US', '2020-01-01', 'USD', 'percent_actual', 110000, 'advance_paid', ${author})
    returning id`);
  expect(await refused(sql`update rate_cards set status = 'approved', approved_at = now(), approved_by_id = author_id
    where id = ${card}`)).toMatch(/rate_cards_check/);
  await database.db.exec(sql`update rate_cards set status = 'approved', approved_at = now(),
    approved_by_id = ${approver} where id = ${card}`);
  expect(await refused(sql`update rate_cards set rate_ppm = 1 where id = ${card}`)).toMatch(/make a new one/);
  expect(await refused(sql`delete from rate_cards where id = ${card}`)).toMatch(/only a draft/);
  expect(await refused(sql`insert into rate_card_deductions (rate_card_id, type)
    values (${card}, 'card_commission')`)).toMatch(/no longer change/);
});

test('[I9] a phase moves along the table of transitions only', async () => {
  expect(await refused(sql`update licenses set phase = 'closed' where id = ${license}`)).toMatch(/no way from draft/);
  expect(await refused(sql`update licenses set phase = 'sent' where id = ${license}`)).toMatch(/licenses_check/);
  expect(await refused(sql`update licenses set phase = 'sent', offer_version = 1, offer_expires_at = now()
    where id = ${license}`)).toBe('done');
});

test('a licence is found under the new name of its customer', async () => {
  await database.db.exec(sql`update customers set name = 'Théâtre du Nord' where id = ${customer}`);
  const { search_text } = await database.db.one<{ search_text: string }>(
    sql`select search_text from licenses where id = ${license}`);
  expect(search_text).toContain('theatre du nord');
});

test('an issued invoice keeps its figures and lines; only its state of payment moves', async () => {
  const invoice = await insert(sql`insert into invoices (kind, customer_id, division, currency, billing_name,
      net_minor, total_minor, status)
    values ('invoice', ${customer}, 'US', 'USD', 'Players', 100, 100, 'draft') returning id`);
  await database.db.exec(sql`insert into invoice_items (invoice_id, kind, description, unit_minor, net_minor,
      total_minor, item_class, release_rule)
    values (${invoice}, 'royalty', 'Royalty', 100, 100, 100, 'performing_licence', 'at_once')`);
  await database.db.exec(sql`update invoices set status = 'issued', invoice_number = 'US-2026-1',
    issued_on = '2026-11-21', tax_point_on = '2026-11-21', due_on = '2026-12-21' where id = ${invoice}`);
  expect(await refused(sql`update invoices set net_minor = 90, total_minor = 90 where id = ${invoice}`))
    .toMatch(/credit note/);
  expect(await refused(sql`update invoices set status = 'void', voided_at = now() where id = ${invoice}`))
    .toMatch(/credit note/);
  expect(await refused(sql`delete from invoice_items where invoice_id = ${invoice}`)).toMatch(/lines stay/);
  expect(await refused(sql`update invoices set paid_minor = 101 where id = ${invoice}`)).toMatch(/invoices_check/);
  expect(await refused(sql`update invoices set paid_minor = 100, status = 'paid' where id = ${invoice}`)).toBe('done');
  expect(await refused(sql`update invoice_items set applied_minor = 100 where invoice_id = ${invoice}`)).toBe('done');
});

test('[I1] an allocation that does not sum to its amount is refused at commit; accruals are never edited', async () => {
  const royaltor = await insert(sql`insert into royaltors (name) values ('Playwright') returning id`);
  const agreement = await insert(sql`insert into show_royaltors (show_id, royaltor_id, role, payer_division, currency,
      status) values (${show}, ${royaltor}, 'author', 'US', 'USD', 'active') returning id`);
  const share = (house: number, part: number): ReturnType<typeof sql> => sql`
    with a as (insert into royalty_allocations (show_id, license_id, income_type, division, currency, amount_minor,
        house_minor, group_key, weights_hash, method, occurred_on)
      values (${show}, ${license}, 'royalty', 'US', 'USD', 100, ${house}::bigint, 'g', 'h', 'plain', '2026-11-21')
      returning id)
    insert into royalty_accruals (royalty_allocation_id, show_royaltor_id, license_id, income_type, division, currency,
      base_minor, rate_ppm, share_points, weight, amount_minor, functional_minor, occurred_on)
    select id, ${agreement}::bigint, ${license}::bigint, 'royalty', 'US', 'USD', 100, 800000, 1, 800000,
      ${part}::bigint, ${part}::bigint, '2026-11-21' from a`;
  expect(await refused(share(20, 79))).toMatch(/do not make 100/);
  expect(await refused(share(20, 80))).toBe('done');
  expect(await refused(sql`update royalty_accruals set amount_minor = 81`)).toMatch(/never edited/);
  expect(await refused(sql`update royalty_accruals set due_on = '2026-11-21'`)).toBe('done');
});

test('the same imported row and the same period are refused a second time', async () => {
  const report = (hash: string, to: string): ReturnType<typeof sql> => sql`
    insert into box_office_reports (license_id, division, scope, period_from, period_to, status, currency, gross_minor,
      submitted_at, row_hash)
    values (${license}, 'US', 'week', '2026-01-01', ${to}::date, 'submitted', 'USD', 100, now(),
      sha256(${hash}::bytea))`;
  expect(await refused(report('a', '2026-01-07'))).toBe('done');
  expect(await refused(report('a', '2026-01-08'))).toMatch(/box_office_reports_row/);
  expect(await refused(report('b', '2026-01-07'))).toMatch(/box_office_reports_period/);
});

test('a line multiplies; one that was printed before the rule is still paid', async () => {
  const invoice = await insert(sql`insert into invoices (kind, customer_id, division, currency, billing_name,
      net_minor, total_minor, status)
    values ('invoice', ${customer}, 'US', 'USD', 'Players', 1173, 1173, 'draft') returning id`);
  const line = sql`insert into invoice_items (invoice_id, kind, description, quantity, unit_minor, net_minor,
      total_minor, item_class, release_rule)
    values (${invoice}, 'royalty', 'Royalty', 3, 1173, 1173, 1173, 'performing_licence', 'at_once')`;
  expect(await refused(line)).toMatch(/3 times 1173 is not 1173/);
  await database.owner.exec(sql`alter table invoice_items disable trigger invoice_items_multiply`);
  expect(await refused(line)).toBe('done');
  await database.owner.exec(sql`alter table invoice_items enable trigger invoice_items_multiply`);
  expect(await refused(sql`update invoice_items set applied_minor = 1173 where invoice_id = ${invoice}`)).toBe('done');
  expect(await refused(sql`update invoice_items set unit_minor = 1172 where invoice_id = ${invoice}`))
    .toMatch(/is not 1173/);
});
