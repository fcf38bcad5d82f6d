/** One record of every kind that waits for a second person, made through the product's own calls. */
import { randomUUID } from 'node:crypto';
import { addMonths, endOfMonth } from '#kernel/calendar/calendar.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { askForChange } from '#modules/customers/customers.public.server.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { E2_TICKETS, evenings, licensingFixture } from '#modules/licensing/testing/licensing-fixtures.ts';
import { makeDeal, makeShow, type TestShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { Answer, SignedIn, TestApp } from './app.ts';
import { command, makeCustomer, makeLicense, testPorts } from './receivables.ts';
import type { ApprovalKind } from '#modules/approvals/approval.contract.ts';

const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;

/** `other` is a second person where a record needs one before it can wait. */
export interface Askers { app: TestApp; ann: SignedIn; other: SignedIn }

function dataOf(answer: Answer): { id: number; version: number; period: number } & Record<string, unknown> {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

const agreementOf = (show: TestShow): number => show.parties[0]!.show_royaltor_id;
const anAuthor = ({ app }: Askers): Promise<TestShow> =>
  makeShow(app.database.db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice' }]);

async function discount({ app, ann }: Askers): Promise<number> {
  const fixture = await licensingFixture(app.database.db);
  const license = dataOf(await ann.post(`${API}/licenses`, { customer_id: fixture.customer_id,
    show_id: fixture.show_id, category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id,
      ticketing: E2_TICKETS, performances: evenings('2027-04-01', 6) }] }));
  dataOf(await ann.put(`${API}/licenses/${license.id}/discount`, { version: license.version,
    discount: { type: 'percent', ppm: 200_000, reason: 'Festival', internal_reason: 'Rival offer' } }));
  return license.id;
}

async function rateCard({ app, ann }: Askers): Promise<number> {
  const { show_id } = await makeShow(app.database.db, []);
  return dataOf(await ann.post(`${API}/rate_cards`, { show_id, category: 'Amateur', division: 'US', currency: 'USD',
    effective_from: '2026-01-01', fee_method: 'percent_potential', rate_ppm: 125_000,
    execution_policy: 'paid_in_full' })).id;
}

async function bomTemplate({ app, ann }: Askers): Promise<number> {
  const { show_code } = await makeShow(app.database.db, []);
  const material = dataOf(await ann.post(`${API}/materials`, { item_number: `L-${show_code}`, name: 'Libretto',
    show_code, category: 'scripts', type: 'rental' }));
  return dataOf(await ann.post(`${API}/bom_templates`, { name: `Set ${show_code}`, show_code, category: 'Amateur',
    lines: [{ material_id: material.id, quantity: 2 }] })).id;
}

async function report({ app, ann }: Askers): Promise<number> {
  const { db } = app.database;
  const deal = await makeDeal(db, await anAuthor({ app, ann, other: ann }),
    { customer_id: await makeCustomer(db, 'US'), performances: ['2026-11-02'] });
  return dataOf(await ann.post(`${API}/licenses/${deal.license_id}/box_office_reports`, { scope: 'week',
    license_venue_id: deal.license_venue_id, period_from: '2026-11-02', period_to: '2026-11-08', gross_minor: 100_000,
    currency: 'USD', performances_held: 1 })).id;
}

async function statementRun(askers: Askers): Promise<number> {
  const { db } = askers.app.database;
  const show = await anAuthor(askers);
  const customer_id = await makeCustomer(db, 'US');
  const deal = await makeDeal(db, show, { customer_id, performances: ['2027-06-01'] });
  await command(testPorts(db), (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id, division: 'US',
    currency: 'USD', issued_on: '2026-02-02', lines: [{ kind: 'royalty', item_class: 'performing_licence',
      description: 'License fee', net_minor: 50_000, royalty_bearing: true }] }));
  // One run of a period waits at a time.
  const { days } = await db.one<{ days: number }>(sql`select count(*)::int as days from royalty_statement_runs`);
  return dataOf(await askers.ann.post(`${API}/royalty_statement_runs`, { division: 'US', currency: 'USD',
    period_from: '2026-01-01', period_to: `2026-03-${String(31 - days).padStart(2, '0')}`,
    royaltor_ids: [show.parties[0]!.royaltor_id] })).id;
}

async function statement(askers: Askers): Promise<number> {
  const { db } = askers.app.database;
  const run = await statementRun(askers);
  const row = await db.one<{ id: number }>(sql`
    update royalty_statements set royalty_statement_run_id = null where royalty_statement_run_id = ${run}
    returning id`);
  return row.id;
}

async function correction(askers: Askers): Promise<number> {
  return dataOf(await askers.ann.post(`${API}/royalty_adjustments`, {
    show_royaltor_id: agreementOf(await anAuthor(askers)), amount_minor: -4_550, currency: 'USD',
    on_date: '2026-05-01', reason: 'Overpaid in March' })).id;
}

async function batch(askers: Askers): Promise<number> {
  const advance = dataOf(await askers.ann.post(`${API}/royalty_advances`, {
    show_royaltor_id: agreementOf(await anAuthor(askers)), amount_minor: 500_000, currency: 'USD',
    due_on: '2026-04-15' }));
  return dataOf(await askers.ann.post(`${BOOKS}/royalty_payment_batches`, { division: 'US', method: 'wire',
    pay_on: '2026-12-15', statement_ids: [], advance_ids: [advance.id] })).id;
}

async function refund({ app, ann }: Askers): Promise<number> {
  const { customer_id } = await makeLicense(app.database.db, 'US');
  const receipt = dataOf(await ann.post(`${API}/accounting/payments`, { customer_id, division: 'US', currency: 'USD',
    amount_minor: 9_000, method: 'wire', received_on: '2026-11-20' }));
  return dataOf(await ann.post(`${API}/accounting/payments/${receipt.id}/refund`,
    { amount_minor: 9_000, reason: 'Twice' })).id;
}

async function paymentRun(askers: Askers): Promise<number> {
  const id = await refund(askers);
  dataOf(await askers.other.put(`${BOOKS}/payments/${id}/status`, { status: 'approved', version: 1 }));
  const account = await askers.app.database.db.one<{ id: number }>(sql`
    select id from bank_accounts where division = 'US' and currency = 'USD' and is_default`);
  return dataOf(await askers.ann.post(`${BOOKS}/payment_runs`, { bank_account_id: account.id, method: 'check',
    due_by: '2026-12-15', value_on: '2026-12-15', refund_ids: [id] })).id;
}

/** A card is charged by the vendor: no bank details are asked for. */
async function payment(askers: Askers): Promise<number> {
  const { app, ann, other } = askers;
  const bill_id = await bill(askers);
  dataOf(await other.put(`${BOOKS}/bills/${bill_id}/approve`, { version: 2 }));
  const row = await app.database.db.one<{ account: number; vendor: number; item: number }>(sql`
    select a.id as account, b.vendor_id as vendor, b.open_item_id as item from bills b
      join bank_accounts a on a.division = b.division and a.currency = b.currency and a.is_default
    where b.id = ${bill_id}`);
  return dataOf(await ann.post(`${BOOKS}/accounts_payable/payments`, { bank_account_id: row.account, method: 'card',
    party_type: 'vendor', party_id: row.vendor, on: '2026-11-20',
    parts: [{ open_item_id: row.item, amount_minor: 12_000 }] })).id;
}

/** Each division has one posted set of a kind: the divisions take turns. */
async function openingReversal({ app, ann }: Askers): Promise<number> {
  const { n } = await app.database.db.one<{ n: number }>(sql`
    select count(*)::int as n from opening_sets where status = 'posted'`);
  const division = ['US', 'EU', 'UK', 'PROD'][n]!;
  const set = dataOf(await ann.call('POST', `${BOOKS}/opening_balances`, { multipart: { fields: { division,
    kind: 'next_numbers', as_of: '2026-10-31' }, file: { field: 'file', name: 'numbers.csv', type: 'text/csv',
    content: Buffer.from('Series,Year,Next number\nCredit note,2031,501\n') } } }));
  const posted = dataOf(await ann.put(`${BOOKS}/opening_balances/${set.id}/post`, { version: set.version }));
  dataOf(await ann.put(`${BOOKS}/opening_balances/${set.id}/reverse`, { version: posted.version, reason: 'Wrong' }));
  return set.id;
}

async function bill({ app, ann }: Askers): Promise<number> {
  const vendor = dataOf(await ann.post(`${API}/vendors`, { name: `Printer ${randomUUID().slice(0, 8)}`,
    divisions: ['US'], default_currency: 'USD' }));
  const { id: ledger_account_id } = await app.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`);
  const draft = dataOf(await ann.post(`${BOOKS}/bills`, { vendor_id: vendor.id, division: 'US', currency: 'USD',
    billed_on: '2026-11-02', vendor_number: '4711',
    lines: [{ ledger_account_id, description: 'Paper', net_minor: 12_000 }] }));
  dataOf(await ann.put(`${BOOKS}/bills/${draft.id}/submit`, { version: draft.version }));
  return draft.id;
}

async function bank(path: 'royaltors' | 'vendors', { app, ann }: Askers): Promise<number> {
  const name = `Payee ${randomUUID().slice(0, 8)}`;
  const { id } = path === 'royaltors'
    ? await app.database.db.one<{ id: number }>(sql`
      insert into royaltors (name, kind, residence_country) values (${name}, 'person', 'US') returning id`)
    : dataOf(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD' }));
  await ann.confirm();
  dataOf(await ann.put(`${API}/${path}/${id}/bank_details`, { account: '12345678', routing: '021000021', version: 1 }));
  return id;
}

async function customerBank(askers: Askers): Promise<number> {
  const { app, ann } = askers;
  const { id, version } = await app.database.db.one<{ id: number; version: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency)
    values (${`Players ${randomUUID().slice(0, 8)}`}, 'active', '{US}', 'US', 'USD') returning id, version`);
  await ann.confirm();
  dataOf(await ann.put(`${API}/customers/${id}/bank_details`, { account: '12345678', routing: '021000021', version }));
  return id;
}

/** The oldest month of the division that nobody has asked for yet. */
async function month({ app }: Askers, state: 'open' | 'closed'): Promise<{ id: number; period: number;
  version: number }> {
  const { db } = app.database;
  return db.one<{ id: number; period: number; version: number }>(sql`
    select p.id, p.period, p.version from periods p where p.division = 'UK' and p.state = ${state}
      and not exists (select 1 from period_requests r where r.division = p.division and r.period = p.period)
    order by p.period limit 1`);
}

async function periodClose(askers: Askers): Promise<number> {
  const { id, period, version } = await month(askers, 'open');
  dataOf(await askers.ann.put(`${BOOKS}/periods/${period}/close`, { division: 'UK', version,
    note: 'Late statements' }));
  return id;
}

async function periodReopen(askers: Askers): Promise<number> {
  const { id, period } = await month(askers, 'open');
  const versionNow = async () => (await askers.app.database.db.one<{ version: number }>(sql`
    select version from periods where id = ${id}`)).version;
  for (const who of [askers.ann, askers.other]) {
    dataOf(await who.put(`${BOOKS}/periods/${period}/close`, { division: 'UK', version: await versionNow(),
      note: 'Late statements' }));
  }
  dataOf(await askers.ann.put(`${BOOKS}/periods/${period}/reopen`, { division: 'UK', version: await versionNow(),
    reason: 'A late invoice' }));
  return id;
}

async function lockDate({ app, ann }: Askers): Promise<number> {
  const { days } = await app.database.db.one<{ days: number }>(sql`
    select count(*)::int as days from audit_events where entity = 'period_lock'`);
  dataOf(await ann.put(`${BOOKS}/period_locks`, { division: 'EU', reason: 'Month end',
    sales_through: `2025-01-${String(days + 1).padStart(2, '0')}` }));
  return (await app.database.db.one<{ id: number }>(sql`select id from lock_requests where division = 'EU'`)).id;
}

/** One return of a division waits at a time. */
async function taxReturn({ app, ann }: Askers): Promise<number> {
  for (const { id, version } of await app.database.db.query<{ id: number; version: number }>(sql`
    select id, version from tax_returns where status = 'prepared'`)) {
    await ann.put(`${BOOKS}/tax_returns/${id}/withdraw`, { version, reason: 'Anew' });
  }
  const { on } = await app.database.db.one<{ on: string }>(sql`
    select coalesce(max(period_to) + 1, date '2025-01-01') as on from tax_returns where division = 'UK'`);
  return dataOf(await ann.post(`${BOOKS}/tax_returns`, { division: 'UK', from: on, to: on })).id;
}

/** A contractor paid in a year that has no forms yet. */
async function yearEndFiling({ app, ann }: Askers): Promise<number> {
  const { db } = app.database;
  const { id } = dataOf(await ann.post(`${API}/vendors`, { name: `Contractor ${randomUUID()}`, divisions: ['US'],
    default_currency: 'USD', tax_1099_category: 'nec' }));
  const { year } = await db.one<{ year: number }>(sql`
    select coalesce(max(tax_year) + 1, 1990)::int as year from year_end_filings`);
  await db.exec(sql`
    insert into payments (number, direction, kind, status, party_type, party_id, division, ledger_account_id, currency,
      amount_minor, method, paid_on, posted_at)
    select ${`D-US-${id}`}, 'out', 'vendor', 'posted', 'vendor', ${id}, 'US', min(a.id), 'USD', 100000, 'wire',
      make_date(${year}::int, 6, 1), now() from ledger_accounts a where a.division = 'US' and a.code = '1000'`);
  return dataOf(await ann.post(`${BOOKS}/year_end_filings`, { division: 'US', year, form: '1099_nec' })).id;
}

/** Euros at the rate of the oldest month's end that nobody has revalued. */
async function revaluation({ app, ann }: Askers): Promise<number> {
  const { db } = app.database;
  const { months } = await db.one<{ months: number }>(sql`select count(*)::int as months from revaluations`);
  if (months === 0) {
    await postJournal(db, { division: 'PROD', kind: 'bank_entry', transaction_at: '2024-01-05', description: 'Euros',
      source: null, lines: [{ account: '1001', currency: 'EUR', amount: 50_000n, base: 55_000n },
        { account: '4400', currency: 'EUR', amount: -50_000n, base: -55_000n }] });
  }
  const on = endOfMonth(addMonths('2024-01-01', months));
  await db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', ${on}, 1.08, 'ecb')`);
  return dataOf(await ann.post(`${BOOKS}/revaluations`, { division: 'PROD', on })).id;
}

/** Years of divisions, one for each call. */
const YEARS = [['EU', 'EUR', 2025], ['UK', 'GBP', 2025], ['PROD', 'USD', 2025], ['EU', 'EUR', 2024]] as const;

/** Income of a year that has no closing entry yet. */
async function closingEntry({ app, ann }: Askers): Promise<number> {
  const { db } = app.database;
  const { made } = await db.one<{ made: number }>(sql`
    select count(*)::int as made from transactions where kind = 'year_end_close'`);
  const [division, currency, year] = YEARS[made]!;
  await postJournal(db, { division, kind: 'bank_entry', transaction_at: `${year}-05-10`, description: 'Income',
    source: null, lines: [{ account: '6100', currency, amount: 900n, base: 900n },
      { account: '4400', currency, amount: -700n, base: -700n }, { account: '3100', currency, amount: -200n,
        base: -200n }] });
  const ends = `${year}-12-31`;
  return Number(dataOf(await ann.post(`${BOOKS}/fiscal_years/close`, { division, ends })).transaction_id);
}

/** A shared cost that US has paid for PROD. */
async function intercompany({ app, ann }: Askers): Promise<number> {
  const account = async (division: string) => (await app.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = ${division} and code = '6200'`)).id;
  return dataOf(await ann.post(`${BOOKS}/intercompany_entries`, { creditor: 'US', debtor: 'PROD', currency: 'USD',
    dated_on: '2026-01-15', amount_minor: 25_000, creditor_account_id: await account('US'),
    debtor_account_id: await account('PROD'), description: 'Share of insurance' })).id;
}

/** Asked for by a colleague in the name of a customer, so that the inbox has somebody to leave out. */
async function customerDetails({ app, ann }: Askers): Promise<number> {
  const customer = await makeCustomer(app.database.db, 'US');
  await app.database.db.tx((tx) => askForChange(workContext(testPorts(app.database.db), tx,
    { ...SYSTEM_ACTOR, actor_id: ann.user_id }), customer, { phone: '+1 614 555 0101' }));
  return (await app.database.db.one<{ id: number }>(sql`
    select id from customer_change_requests where customer_id = ${customer}`)).id;
}

/** Uploaded by a colleague in the name of a customer. */
async function certificate({ app, ann }: Askers): Promise<number> {
  const customer = await makeCustomer(app.database.db, 'US');
  return (await app.database.db.one<{ id: number }>(sql`
    insert into tax_exemption_certificates (customer_id, country, state, kind, number, valid_from, uploaded_by_id)
    values (${customer}, 'US', 'OH', 'school', 'OH-44', '2026-01-01', ${ann.user_id}) returning id`)).id;
}

/** Answers the id that the inbox calls `entity_id`. */
export const ARRANGE: Readonly<Record<ApprovalKind, (askers: Askers) => Promise<number>>> = {
  discount, rate_card: rateCard, box_office_report: report, statement_run: statementRun, statement, correction,
  payment_batch: batch, payment_run: paymentRun, payment, refund, bill, opening_reversal: openingReversal,
  royaltor_bank: (askers) => bank('royaltors', askers),
  vendor_bank: (askers) => bank('vendors', askers), customer_bank: customerBank, customer_details: customerDetails,
  exemption_certificate: certificate, bom_template: bomTemplate,
  period_close: periodClose, period_reopen: periodReopen, lock_date: lockDate, tax_return: taxReturn,
  year_end_filing: yearEndFiling,
  revaluation, intercompany, closing_entry: closingEntry,
};
