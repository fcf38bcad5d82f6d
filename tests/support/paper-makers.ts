/** Papers of which the season has none in a division, made as the office makes them. */
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { approveDisbursement } from '#modules/payables/disbursement/disbursement.server.ts';
import { sql } from '#server/sql.ts';
import type { SignedIn, TestApp } from './app.ts';
import { command } from './receivables.ts';

const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const CURRENCY: Record<Division, Currency> = { US: 'USD', PROD: 'USD', EU: 'EUR', UK: 'GBP' };

// oxlint-disable-next-line no-explicit-any -- answers of many calls
async function ok(answer: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body).slice(0, 600)}`);
  return body.data;
}

interface Of { test: TestApp; staff: SignedIn; division: Division }

/** Credits an open invoice in full. */
export async function makeCreditNote({ test, staff, division }: Of): Promise<void> {
  const { id } = await test.ports.db.one<{ id: number }>(sql`
    select id from invoices where division = ${division} and kind = 'invoice' and status = 'issued'
      and paid_minor = 0 and credited_minor = 0 and prepaid_net_minor = 0 order by tax_minor > 0 desc, id limit 1`);
  await ok(staff.post(`${API}/invoices/${id}/credit_notes`, { reason: 'Ordered twice' }));
}

async function sign(test: TestApp, license: { id: number; customer_id: number }): Promise<void> {
  const signer = await test.signedIn('customer', { customers: [{ id: license.customer_id, role: 'signer' }] });
  const home = `/api/customers/${license.customer_id}/licenses/${license.id}`;
  const offer = await ok(signer.get(`${home}/quote`));
  await ok(signer.post(`${home}/sign`, { offer_version: offer.offer_version, hash: offer.hash, accept: true,
    signer_name: 'Sam Signer', signer_title: 'Producer', confirm_name: true }));
}

/** One performance more at the end of a run that is ahead; what is asked for before the licence is issued is paid. */
export async function makeAmendment({ test, staff, division }: Of): Promise<void> {
  const row = await test.ports.db.one<{ id: number; phase: string; customer_id: number; venue: number;
    last: string }>(sql`
    select l.id, l.phase, l.customer_id, v.id as venue, l.last_performance_on as last from licenses l
      join license_venues v on v.license_id = l.id
    where l.division = ${division} and l.phase in ('sent', 'accepted', 'licensed')
      and l.first_performance_on > current_date
    order by l.phase = 'licensed' desc, l.phase = 'accepted' desc, l.first_performance_on desc, v.id desc limit 1`);
  const path = `${API}/licenses/${row.id}`;
  if (row.phase === 'sent') await sign(test, row);
  const asked = await test.ports.db.query<{ id: number; currency: string; balance_minor: number }>(sql`
    select id, currency, balance_minor from invoices where license_id = ${row.id} and status in ('proforma', 'issued')
      and balance_minor > 0`);
  for (const { id, currency, balance_minor: amount_minor } of asked) {
    await ok(staff.post(`${BOOKS}/payments`, { customer_id: row.customer_id, division, currency, amount_minor,
      method: 'wire', received_on: localDay(test), apply_to: [{ invoice_id: id, amount_minor }] }));
  }
  const { version } = await ok(staff.get(path));
  await ok(staff.post(`${path}/amendments`, { version, reason: 'One night more.',
    clearance_reason: 'Agreed by telephone', changes: { performances: [
      { license_venue_id: row.venue, local_date: addDays(row.last, 1), local_time: '19:30' }] },
  }));
}

/** A check that came by mail goes to the bank. */
export async function makeDepositSlip({ test, staff, division }: Of): Promise<void> {
  const today = localDay(test);
  const currency = CURRENCY[division];
  const { id } = await test.ports.db.one<{ id: number }>(sql`
    select id from customers where default_division = ${division} and status = 'active' order by id limit 1`);
  const paid = await ok(staff.post(`${BOOKS}/payments`, { customer_id: id, division, currency, amount_minor: 12_345,
    method: 'check', received_on: today, reference: '000123' }));
  const [account] = await ok(staff.get(`${BOOKS}/bank_accounts/options?division=${division}&currency=${currency}`));
  await ok(staff.post(`${BOOKS}/deposit_slips`, { bank_account_id: account.id, deposited_on: today,
    payment_ids: [paid.id] }));
}

const localDay = (test: TestApp): string => addDays(test.clock.now().toISOString().slice(0, 10), -1);

/** A vendor of the division to whom two amounts are owed; answers the open items. */
async function owed({ test, staff, division }: Of): Promise<{ vendor: number; items: number[] }> {
  const vendor = (await ok(staff.post(`${API}/vendors`, { name: `Alder Print ${division}`, divisions: [division],
    default_currency: CURRENCY[division], address: { country_code: division === 'UK' ? 'GB' : 'US',
      thoroughfare: '1 Mill Road', locality: 'Keene', administrative_area: division === 'UK' ? 'Kent' : 'NH',
      postal_code: division === 'UK' ? 'SE1 9PX' : '03431' } }))).id as number;
  const items: number[] = [];
  for (const minor of [123_456, 78_900]) {
    const currency = CURRENCY[division];
    const line = (account: string, amount: number) => ({ account, currency, amount: BigInt(amount),
      base: BigInt(amount),
      ...account === '2000' ? { party: { type: 'vendor' as const, id: vendor }, due_date: localDay(test) } : {} });
    const { transaction_id } = await command(test.ports, (ctx) => postJournal(ctx.db, { division, kind: 'bill',
      transaction_at: localDay(test), description: `Bill ${minor}`, source: { type: 'bill', id: 9_000_000 + vendor * 10
        + items.length, event: 'approved', attempt: 1 }, lines: [line('6200', minor), line('2000', -minor)] }));
    items.push((await test.ports.db.one<{ id: number }>(sql`
      select id from open_items where transaction_id = ${transaction_id}`)).id);
  }
  return { vendor, items };
}

export async function makeVendorAccount(of: Of): Promise<void> {
  await owed(of);
}

/** One of the amounts owed is paid by a check that is printed. */
export async function makeCheck(of: Of): Promise<void> {
  const { test, staff, division } = of;
  const { vendor, items } = await owed(of);
  const on = localDay(test);
  const { data: [account] } = (await staff.get(
    `${BOOKS}/bank_accounts?division=${division}&currency=${CURRENCY[division]}`)).body;
  await ok(staff.put(`${BOOKS}/bank_accounts/${account.id}`, { next_check_number: 2001, version: account.version }));
  const check = await ok(staff.post(`${BOOKS}/checks`, { bank_account_id: account.id, party_type: 'vendor',
    party_id: vendor, on, parts: [{ open_item_id: items[0], amount_minor: 123_456 }] }));
  await command(test.ports, (ctx) => approveDisbursement(ctx, check.payment_id));
  await ok(staff.post(`${BOOKS}/checks/print`, { bank_account_id: account.id, on, check_ids: [check.id],
    first_number: '2001' }));
}

/** Forms of this year, in which somebody was paid, as they are prepared in January. */
export async function makeYearEnd({ test, division }: Of): Promise<void> {
  const now = test.clock.now().toISOString();
  const year = Number(localDay(test).slice(0, 4));
  test.clock.set(`${year + 1}-01-25T15:00:00Z`);
  const staff = await test.signedIn('system_admin');
  const report = await ok(staff.get(`${BOOKS}/reports/year_end_forms?division=${division}&year=${year}`));
  for (const { form, blocked } of report.forms as { form: string; blocked: string | null }[]) {
    if (blocked === null) await ok(staff.post(`${BOOKS}/year_end_filings`, { division, year, form }));
  }
  test.clock.set(now);
}
