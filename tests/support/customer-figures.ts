/** Every place where a figure of a customer's money stands, compared: over HTTP as staff and as the customer. */
import { figuresOf, type AccountSummary, type AgingReport, type CustomerFinance } from
  '#modules/receivables/aging/aging.contract.ts';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';
import { allRows } from './all-rows.ts';

const STAFF = '/api/admin/staff';
interface Account { division: string; currency: string }
const keyOf = (row: Account): string => `${row.division} ${row.currency}`;
const byKey = <T extends Account>(rows: readonly T[]): Map<string, T> => new Map(rows.map((row) => [keyOf(row), row]));

/** The customers with most to compare: open, on account, deposits, credits and pro formas. */
export async function chooseCustomers(test: TestApp, count: number): Promise<number[]> {
  const rows = await test.ports.db.query<{ id: number }>(sql`
    select i.customer_id as id from invoices i group by i.customer_id
    order by count(distinct i.kind) desc, count(distinct i.status) desc, count(*) desc, i.customer_id limit ${count}`);
  return rows.map((row) => row.id);
}

/** Answers how many figures were compared, and those that differ with both values and both places. */
export async function compareCustomers(test: TestApp, customers: readonly number[]):
Promise<{ compared: number; wrong: string[] }> {
  const staff = await test.signedIn('staff_admin');
  const told = { compared: 0, wrong: [] as string[] };
  const aging = new Map<string, AgingReport>();
  for (const division of ['US', 'UK', 'EU', 'PROD']) {
    aging.set(division, (await staff.get(`${STAFF}/accounting/accounts_receivable/aging?division=${division}`))
      .body.data);
  }
  for (const id of customers) await compareOne(test, staff, id, aging, told);
  return told;
}

async function compareOne(
  test: TestApp, staff: Browser, id: number, aging: ReadonlyMap<string, AgingReport>,
  told: { compared: number; wrong: string[] },
): Promise<void> {
  const same = (what: string, one: number, other: number): void => {
    told.compared += 1;
    if (one !== other) told.wrong.push(`customer ${id}, ${what}: ${one} and ${other}`);
  };
  const finance: CustomerFinance = (await staff.get(`${STAFF}/customers/${id}/finance`)).body.data;
  const sums = byKey<AccountSummary>((await staff.get(`${STAFF}/customers/${id}/transactions`)).body.accounts);
  const customer = await test.signedIn('customer', { customers: [{ id, role: 'admin' }] });
  const own = byKey<AccountSummary>((await customer.get(`/api/customers/${id}/transactions`)).body.accounts);
  const statement = byKey<Account & { closing_minor: number }>(
    (await staff.get(`${STAFF}/customers/${id}/statement`)).body.data.accounts);
  const mine = byKey<Account & { closing_minor: number }>(
    (await customer.get(`/api/customers/${id}/statement`)).body.data.accounts);
  const ledger = byKey(await test.ports.db.query<Account & { balance: number }>(sql`
    select e.division, e.currency, sum(e.amount_minor)::bigint as balance from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'ar'
    where e.party_type = 'customer' and e.party_id = ${id} and not e.is_revaluation group by 1, 2`));
  for (const account of finance.accounts) {
    const key = keyOf(account);
    const balance = account.open_minor - account.on_account_minor;
    same(`${key}, finance and ledger`, balance, ledger.get(key)?.balance ?? 0);
    for (const [place, rows] of [['transactions', sums], ['portal', own]] as const) {
      const at = rows.get(key);
      same(`${key}, balance, finance and ${place}`, balance, at?.closing_minor ?? 0);
      if (!at) continue;
      for (const [name, figure] of Object.entries(figuresOf(at))) {
        same(`${key}, ${name}, finance and ${place}`, account[name as keyof typeof account] as number, figure);
      }
    }
    same(`${key}, finance and statement`, balance, statement.get(key)?.closing_minor ?? 0);
    same(`${key}, statement and portal statement`, statement.get(key)?.closing_minor ?? 0,
      mine.get(key)?.closing_minor ?? 0);
    const row = aging.get(account.division)?.rows.find((one) => one.customer_id === id
      && one.currency === account.currency);
    same(`${key}, finance and aging`, balance, row?.total_minor ?? 0);
    same(`${key}, on account, finance and aging`, account.on_account_minor, 0 - (row?.unapplied_minor ?? 0));
    for (const age of account.ages) same(`${key}, ${age.bucket}`, age.minor, row?.[`${age.bucket}_minor`] ?? 0);
    await compareLists(staff, customer, id, account, same);
  }
}

/** The header of the list, its rows, and what the customer sees of the same documents. */
async function compareLists(
  staff: Browser, customer: Browser, id: number, account: CustomerFinance['accounts'][number],
  same: (what: string, one: number, other: number) => void,
): Promise<void> {
  const key = keyOf(account);
  const of = `customer_id=${id}&division=${account.division}&currency=${account.currency}`;
  const [header] = (await staff.get(`${STAFF}/invoices/totals?${of}`)).body.data;
  interface Row { id: number; kind: string; division: string; currency: string; balance_minor: number }
  const rows: Row[] = await allRows(staff, `${STAFF}/invoices?${of}`);
  const open = (kind: string, from: readonly Row[]) => from.filter((row) => row.kind === kind)
    .reduce((all, row) => all + row.balance_minor, 0);
  same(`${key}, finance and list header`, account.open_minor, header?.balance_minor ?? 0);
  same(`${key}, overdue, finance and list header`, account.overdue_minor, header?.overdue_minor ?? 0);
  same(`${key}, list header and rows`, header?.balance_minor ?? 0, open('invoice', rows));
  same(`${key}, pro formas, list header and rows`, header?.requested_minor ?? 0, open('proforma', rows));
  same(`${key}, credit notes keep nothing open`, open('credit_note', rows), 0);
  const portal = (await allRows<Row>(customer, `/api/customers/${id}/invoices?`)).filter((row) =>
    row.division === account.division && row.currency === account.currency);
  same(`${key}, list and portal`, open('invoice', rows), open('invoice', portal));
  same(`${key}, pro formas, list and portal`, open('proforma', rows), open('proforma', portal));
  interface FigureSource { kind: string; invoice_id: number | null; amount_minor: number | null }
  const asked = (await customer.get(`/api/customers/${id}/next_actions`)).body.data as FigureSource[];
  const ids = new Set(portal.map((row) => row.id));
  same(`${key}, portal home and payments`, asked.filter((one) => one.kind === 'pay' && one.invoice_id !== null
    && ids.has(one.invoice_id)).reduce((all, one) => all + (one.amount_minor ?? 0), 0),
  open('invoice', portal) + open('proforma', portal));
}
