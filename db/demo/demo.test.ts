/**
 * The demo season, and what is proved on it since nothing else holds as much: the audit chain as its command sees it,
 * that staff read and change what their rights say, and that no house reads or changes what is another's or the
 * licensing house's own (reliability.md 1.7 and 2.3).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { localDate } from '#server/clock.ts';
import { sql, type Sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { plantCanaries } from '#tests/support/canaries.ts';
import { chooseCustomers, compareCustomers } from '#tests/support/customer-figures.ts';
import { FULL } from '#tests/support/full.ts';
import { wrongInvoices, wrongOffers } from '#tests/support/papers.ts';
import { makeCast, type Cast } from '#tests/support/principals.ts';
import { chooseRoyaltors, compareRoyaltors } from '#tests/support/royaltor-figures.ts';
import { compareOwnRows } from '#tests/support/own-rows.ts';
import { readStaff, wholeState, writeStaff, type StaffOutcome } from '#tests/support/staff-matrix.ts';
import { searchEverywhere, spelledInSeason } from '#tests/support/searches.ts';
import { sendStale, sendStaleOfOwn } from '#tests/support/stale.ts';
import { chooseHouses, makeStage, readEverything, readPersonal, stateOf, writeEverything,
  type Outcome, type Stage } from '#tests/support/tenancy.ts';
import { demoState } from './load.ts';

const test = testApp({ season: true });
const slow = { timeout: 300_000 };

it('the demo season loads through the API into an empty database', async () => {
  const { db } = test.ports;
  expect(await demoState(db)).toBe('loaded');
  const { shows } = await db.one<{ shows: number }>(sql`select count(*) as shows from shows`);
  expect(shows).toBeGreaterThan(20);
  // Something of everything: what a newcomer opens is never empty.
  const phases = await db.query<{ phase: string }>(sql`select distinct phase from licenses order by phase`);
  expect(phases.map((row) => row.phase)).toEqual(['accepted', 'closed', 'declined', 'draft', 'expired',
    'in_production', 'licensed', 'sent', 'settlement']);
  const returns = await db.query<{ status: string }>(sql`select distinct status from box_office_reports order by 1`);
  expect(returns.map((row) => row.status)).toEqual(expect.arrayContaining(['accepted', 'expected']));
  // Each division has its licences, its returns and somebody who owes something, so that no list is empty.
  const divisions = await db.query<{ division: string; licenses: number; returns: number; open: number }>(sql`
    select d.code as division, (select count(*) from licenses l where l.division = d.code) as licenses,
      (select count(*) from box_office_reports r where r.division = d.code) as returns,
      (select count(*) from invoices i where i.division = d.code and i.kind = 'invoice'
        and i.status in ('issued', 'part_paid') and i.balance_minor > 0) as open
    from divisions d order by 1`);
  const scarce = divisions.filter((one) => one.licenses <= 10 || one.returns <= 10 || one.open === 0);
  expect(scarce).toEqual([]);
  const { offers } = await db.one<{ offers: number }>(sql`select count(*) as offers from licenses l
    join customers c on c.id = l.customer_id where c.name = 'Astoria Community Players' and l.phase = 'sent'`);
  expect(offers, 'offers to sign for the house of the README').toBeGreaterThan(0);
  const statements = await db.query<{ status: string }>(sql`select distinct status from royalty_statements`);
  expect(statements.map((row) => row.status)).toEqual(expect.arrayContaining(['calculated', 'paid']));
  const { advances, recouped } = await db.one<{ advances: string[]; recouped: number }>(sql`
    select array_agg(distinct status order by status) as advances, sum(recouped_minor) as recouped
    from royalty_advances`);
  expect(advances, 'an advance that is paid and one that is not due yet').toEqual(['paid', 'scheduled']);
  expect(Number(recouped), 'recouped by what the season earned').toBeGreaterThan(0);
  // Rental orders are shipped, partly returned and overdue; a book lent for perusal is late, too.
  const hired = await db.query<{ status: string }>(sql`
    select distinct status from sales_orders where kind = 'license' and shipped_on is not null`);
  expect(hired.map((row) => row.status)).toEqual(expect.arrayContaining(['shipped', 'partially_returned', 'overdue']));
  const { late } = await db.one<{ late: number }>(sql`
    select count(*) as late from perusals where status = 'due' and due_back_on < current_date`);
  expect(late, 'perusals whose books are late').toBeGreaterThan(0);
  const asked = await db.query<{ status: string }>(sql`select distinct status from license_applications`);
  expect(asked.map((row) => row.status)).toEqual(expect.arrayContaining(['submitted', 'declined']));
  const automatic = await db.one<{ offers: number; divisions: string }>(sql`
    select count(*) as offers,
      (select string_agg(code, ' ' order by code) from divisions where auto_offers) as divisions
    from license_application_events e join licenses l on l.license_application_id = e.license_application_id
    where e.event = 'auto_offer' and e.actor_id is null and l.phase = 'sent'`);
  expect(automatic, 'an automatic offer').toMatchObject({ divisions: 'EU UK US' });
  expect(automatic.offers).toBeGreaterThan(0);
  const books = await db.one<{ entries: number; sum: number }>(sql`
    select count(*) as entries, sum(base_amount_minor) as sum from journal_entries`);
  expect(books.entries).toBeGreaterThan(500);
  expect(Number(books.sum)).toBe(0);
});

it('a figure of a customer is the same wherever it stands: office, portal, paper and ledger', slow, async () => {
  const { compared, wrong } = await compareCustomers(test, await chooseCustomers(test, 10));
  process.stdout.write(`customers: ${compared} figures compared\n`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(200);
});

describe('papers of the season', () => {
  it('add up again, line by line, in every division', slow, async () => {
    const { read, wrong, divisions, promised } = await wrongOffers(test.database.db);
    expect(wrong).toEqual([]);
    expect(divisions).toEqual(['EU', 'PROD', 'UK', 'US']);
    expect(read).toBeGreaterThan(80);
    expect(promised, 'offers with a percentage').toBeGreaterThan(0);
    expect(await wrongInvoices(test.database.db)).toEqual([]);
  });

  it('say what the screens say: rows, total, percentage and last day of every licence', slow, async () => {
    const staff = await test.signedIn('staff_admin');
    const wrong: string[] = [];
    let pages = 1;
    for (let page = 1; page <= pages; page += 1) {
      const list = (await staff.get(`/api/admin/staff/licenses?per_page=100&page=${page}`)).body;
      pages = list.meta.last_page;
      for (const row of list.data) {
        const price = (await staff.get(`/api/admin/staff/licenses/${row.id}/price_trace`)).body.data;
        const net = price.rows.flatMap((block: { rows: { amount_minor: number }[] }) => block.rows)
          .reduce((sum: number, one: { amount_minor: number }) => sum + one.amount_minor, 0);
        if (net + price.totals.tax_minor !== row.grand_total_minor) wrong.push(`${row.number}: rows and total`);
        if (price.totals.grand_total_minor !== row.grand_total_minor) wrong.push(`${row.number}: two totals`);
        if ((price.promise === null) !== (row.percentage_ppm === null)) wrong.push(`${row.number}: percentage`);
      }
    }
    expect(wrong).toEqual([]);
    const days = await test.database.db.query(sql`
      select l.number from licenses l join divisions d on d.code = l.division
      join license_versions v on v.license_id = l.id and v.version_no = l.offer_version
      where l.phase = 'sent' and (l.offer_expires_at at time zone d.timezone)::date::text
        <> v.snapshot ->> 'expires_on'`);
    expect(days).toEqual([]);
  });
});

it('a figure of a royaltor is the same wherever it stands: list, statement, paper, batch, ledger', slow, async () => {
  const { compared, wrong } = await compareRoyaltors(test, await chooseRoyaltors(test, 10));
  process.stdout.write(`royaltors: ${compared} figures compared\n`);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(200);
});

describe('the season shows what the product does', () => {
  const one = (what: string, from: Sql): [string, Sql] => [what, from];
  it.each([
    one('a box-office file that was imported', sql`imports i join import_records r on r.import_id = i.id
      join import_templates p on p.id = i.import_template_id
      where p.model_name = 'box_office_reports' and r.status = 'imported'`),
    one('a return on hold', sql`box_office_reports where held`),
    one('a royalty pool that paid', sql`royalty_accruals a join royalty_terms t on t.id = a.matched_term_id
      where t.basis = 'pool_points' and a.amount_minor > 0`),
    one('currency that was bought', sql`transactions where kind = 'transfer' and status = 'posted'`),
    one('a closed period', sql`periods where state = 'closed'`),
    one('a locked period', sql`period_locks where locked_through is not null`),
    one('a licence on a purchase order', sql`licenses where execution_policy = 'purchase_order'
      and purchase_order_no is not null and executed_at is not null`),
    one('a tour of several venues', sql`licenses l where production_type = 'tour' and executed_at is not null
      and (select count(*) from license_venues v where v.license_id = l.id) > 1`),
    one('a matinee', sql`performances where type = 'matinee'`),
    one('an add-on that was sold', sql`license_charges where add_on_id is not null`),
    one('an email group', sql`email_groups`),
    one('a credit note', sql`invoices where kind = 'credit_note' and status <> 'draft'`),
    one('a deposit', sql`deposits where status <> 'requested'`),
    one('an amendment', sql`license_amendments`),
    one('an advance', sql`royalty_advances where status = 'paid'`),
    one('a perusal', sql`perusals`), one('a restriction', sql`show_restrictions`),
    one('a package', sql`show_packages`), one('a saved view', sql`saved_views`), one('a memo', sql`memos`),
    one('an answered message', sql`thread_messages where from_staff`), one('a file of a message', sql`thread_files`),
    one('a task', sql`tasks`), one('an exemption certificate', sql`tax_exemption_certificates`),
    one('a write-off', sql`invoice_write_offs`),
    one('a bank rule', sql`bank_rules`),
    one('a payment run that waits', sql`payment_runs where status = 'draft'`),
    one('a payment run at the bank', sql`payment_runs where status = 'exported'`),
    one('a payment run by ACH', sql`payment_runs where status = 'posted' and method = 'ach'`),
    one('a payment run by SEPA', sql`payment_runs where status = 'posted' and method = 'sepa'`),
    one('a payment run by BACS', sql`payment_runs where status = 'posted' and method = 'bacs'`),
    one('a payment that came back', sql`payments where vendor_id is not null and outcome = 'rejected'`),
    one('a check that the bank cleared', sql`checks k join payments p on p.id = k.payment_id
      where k.status = 'printed' and p.status = 'cleared'`),
    one('a prenote that waits', sql`ach_prenotes where returned_on is null
      and clears_on > ${localDate(test.clock.now(), 'America/New_York')}::date`),
    one('a prenote that held', sql`ach_prenotes where returned_on is null
      and clears_on <= ${localDate(test.clock.now(), 'America/New_York')}::date`),
    one('a prenote that came back', sql`ach_prenotes where returned_on is not null`),
    one('a spoiled check', sql`checks where status = 'spoiled'`),
    one('a voided check', sql`checks where status = 'voided'`),
    one('a bill with reverse charge', sql`bill_lines l join bills b on b.id = l.bill_id
      where l.treatment = 'reverse_charge' and b.status = 'approved'`),
    one('a discount that was taken', sql`payment_parts where state = 'paid' and discount_minor > 0`),
    one('a set of opening balances', sql`opening_sets`),
    one('a bill paid at once', sql`payments where kind = 'vendor' and status in ('posted', 'cleared')
      and payment_run_id is null`),
    one('a payment that waits', sql`payments where kind = 'vendor' and status = 'draft' and payment_run_id is null`),
    one('a refund', sql`payments where kind = 'refund' and status in ('posted', 'cleared')`),
    one('a card payment', sql`online_payments where status = 'paid'`),
    one('a refund to a card', sql`processor_refunds where status = 'succeeded'`),
    one('a disputed payment', sql`processor_disputes where status = 'needs_response' and taken_minor > 0`),
    one('a bill that is payable', sql`payable_items where document_type = 'bill' and free_minor > 0`),
    one('a sales tax return', sql`tax_returns where state = 'US-NY' and status = 'filed' and net_minor > 0`),
    one('a sales tax return that is paid', sql`tax_returns t join bills b on b.tax_return_id = t.id
      join bill_list l on l.id = b.id and l.state = 'paid'`),
    one('a sales tax return of zeros', sql`tax_returns where state = 'US-NJ' and status = 'filed'`),
    one('a sales tax return that waits', sql`tax_returns where state is not null and status = 'prepared'`),
    one('a royalty adjustment', sql`royalty_adjustments where statement_id is not null`),
    one('an export', sql`exports`),
    one('a holiday', sql`holidays`), one('a message to a customer', sql`customer_messages`),
  ])('%s', async (_, from) => {
    const { rows } = await test.ports.db.one<{ rows: number }>(sql`select count(*)::int as rows from ${from}`);
    expect(rows).toBeGreaterThan(0);
  });

  it('all divisions are read in USD up to today, and their statements are tied to each other', slow, async () => {
    const ann = await test.signedIn('staff_admin');
    const today = localDate(test.clock.now(), 'America/New_York');
    for (const statement of ['balance_sheet', 'profit_loss', 'cash_flows', 'trial_balance']) {
      const { status, body } = await ann.get(`/api/admin/staff/accounting/reports/statements?scope=group&division=US&${
        `statement=${statement}&from=${today.slice(0, 4)}-01-01&to=${today}`}`);
      expect(status, `${statement}: ${JSON.stringify(body).slice(0, 400)}`).toBe(200);
      expect(body.data.checks.filter((one: { ok: boolean }) => !one.ok), statement).toEqual([]);
    }
  });
});

describe('npm run audit:verify', () => {
  const verify = async (): Promise<{ code: number; stdout: string }> => {
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['tools/audit-verify.ts'],
        { env: { ...process.env, DATABASE_URL_APP: test.database.app_url } });
      return { code: 0, stdout };
    } catch (error) {
      return error as { code: number; stdout: string };
    }
  };

  it('finds the season whole, and a row that was changed behind its back', slow, async () => {
    const { events } = await test.database.db.one<{ events: number }>(sql`select count(*) as events from audit_events`);
    const whole = await verify();
    expect(whole.stdout).toBe(`The chain is whole: ${events} events.\n`);
    expect(whole.code).toBe(0);
    const { owner } = test.database;
    await owner.exec(sql`alter table audit_events disable trigger user`);
    const { id } = await owner.one<{ id: number }>(sql`
      update audit_events set action = 'forged' where id = (select min(id) from audit_events) returning id`);
    const broken = await verify();
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(new RegExp(`^event ${id}, link 1: `));
    await owner.exec(sql`update audit_events set action = 'started' where id = ${id}`);
    await owner.exec(sql`alter table audit_events enable trigger user`);
  });
});

/** Every call of staff by nine kinds of people. */
const patient = { timeout: 900_000 };

describe('staff, with the records of the season', () => {
  it('a change that starts from an old version is refused, by body and by If-Match', patient, async () => {
    const admin = await test.signedIn('system_admin');
    await admin.confirm();
    const before = await wholeState(test);
    const { requests, compared, byState, missing, wrong } = await sendStale(test, admin);
    process.stdout.write(`stale versions: ${requests} requests, ${compared} compared, ${byState} refused by state\n`);
    expect(wrong).toEqual([]);
    // Records the season does not have; their own tests send them a stale version.
    expect(missing.length).toBeLessThan(12);
    expect(compared).toBeGreaterThan(150);
    expect(await wholeState(test)).toEqual(before);
  });

  it('rows below one record stand below no other', slow, async () => {
    const { compared, overlaps } = await compareOwnRows(await test.signedIn('system_admin'));
    process.stdout.write(`own rows: ${compared} lists compared\n`);
    expect(overlaps).toEqual([]);
    expect(compared).toBeGreaterThan(FULL ? 40 : 35);
  });

  it('a list that takes a search heeds it, however the words are spelled', slow, async () => {
    const { asked, empty, ignored, spelled, otherwise } = await searchEverywhere(test);
    process.stdout.write(`searches: ${asked} lists asked, ${empty.length} without a row, ${
      spelled} spelled otherwise\n`);
    expect(ignored).toEqual([]);
    expect(otherwise).toEqual([]);
    expect(spelled).toBeGreaterThan(35);
    expect(asked).toBeGreaterThan(45);
  });

  it('a record is found however its name is typed, in its list, the search and the portal', slow, async () => {
    const { asked, missed } = await spelledInSeason(test);
    expect(missed).toEqual([]);
    expect(asked).toBeGreaterThan(80);
  });

  const report = (what: string, { requests, real, missing, mismatches }: StaffOutcome): void => {
    process.stdout.write(`staff matrix, ${what}: ${requests} requests, ${real} calls at records of the season, ${
      missing.length} at none, ${mismatches.length} mismatches\n`);
    expect(mismatches).toEqual([]);
    expect(real).toBeGreaterThan(100);
  };
  let cast: Cast;
  beforeAll(async () => { cast = await makeCast(test); });

  it('who may read does read; who may not is told no and not a word more', patient, async () => {
    report('reads', await readStaff(test, cast));
  });

  it('who may not write changes no row of any table', patient, async () => {
    report('writes', await writeStaff(test, cast));
  });
});

describe('houses among each other, by seventeen kinds of people', () => {
  let stage: Stage;
  beforeAll(async () => {
    const houses = await chooseHouses(test);
    const planted = await plantCanaries(test.database, houses);
    expect(planted.columns).toBeGreaterThan(400);
    stage = await makeStage(test, houses);
  }, 300_000);

  const report = (what: string, { requests, mismatches, leaks, refusedByFields }: Outcome): void => {
    process.stdout.write(`tenancy, ${what}: ${requests} requests, ${mismatches.length} mismatches, ${
      leaks.length} canary leaks, ${refusedByFields} refused at their fields\n`);
    expect({ mismatches, leaks }).toEqual({ mismatches: [], leaks: [] });
  };

  it('each reads its own records; those of others are missing, the house\'s own are in no answer', slow, async () => {
    const outcome = await readEverything(stage);
    report('reads', outcome);
    // Not for want of canaries: what is one's own comes back with them, from thirty columns of each house.
    expect(outcome.own.size).toBeGreaterThan(55);
  });

  it('what is open to everybody, or to everybody for themselves, shows none of it', slow, async () => {
    report('open and personal reads', await readPersonal(stage));
  });

  it('whoever is not of a house changes nothing of it, whatever is sent', slow, async () => {
    const before = await stateOf(test, stage.houses.A);
    report('writes', await writeEverything(stage));
    expect(await stateOf(test, stage.houses.A)).toEqual(before);
  });
});

describe('everybody else, with the records of the season', () => {
  it('a change of a customer\'s record or of one\'s own from an old version is refused', async () => {
    const { requests, compared, missing, wrong } = await sendStaleOfOwn(test);
    expect(wrong).toEqual([]);
    expect({ missing, compared }).toEqual({ missing: [], compared: requests });
    expect(requests).toBeGreaterThanOrEqual(10);
  });
});
