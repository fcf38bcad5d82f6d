/**
 * Match candidates of one bank line among 100,000 open items: 34,000 open invoices of 5,000 customers, 34,000 bills of
 * 5,000 vendors, and 34,000 receipts on the bank account that no line is matched with. Lines of several kinds in turn:
 * with the number of an invoice or a bill, with a customer's or a vendor's name, with an amount that many have, with
 * nothing that is known; every second one is money out.
 * Target: 50 ms at the 95th percentile. Settings: LINES (200), ITEMS (34000 of each kind).
 */
import { openItems } from '#apps/server/src/open-items.ts';
import { suggestionsFor } from '#modules/banking/matching/candidates.server.ts';
import type { StoredLine } from '#modules/banking/matching/match-lines.server.ts';
import type { WorkContext } from '#server/context.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { fill } from './support/fill.ts';
import { load, say, table } from './support/measure.ts';

const LINES = Number(process.env.LINES ?? 200);
const ITEMS = Number(process.env.ITEMS ?? 34_000);
const WARM = 20;
const WORDS = `(array['Ravenswood', 'Castle', 'Elmira', 'Lakeview', 'Fairmount', 'Keene', 'Marlow', 'Whitby',
  'Ashford', 'Selkirk'])[1 + n % 10] || ' ' || (array['Playhouse', 'Players', 'Light Opera', 'High School',
  'College', 'State Theatre', 'Youth Stage'])[1 + n % 7] || ' ' || n`;
/** Two years, and amounts of which some hundred documents have each. */
const DAY = `'2024-11-20'::date + ((n::bigint * 7919) % 730)::integer`;
const MINOR = '10000 + (n::bigint * 104729) % 500 * 2500';

async function fillItems({ root }: BenchDatabase): Promise<number> {
  await fill(root, 'customers', `insert into customers (name, status, divisions, default_division, default_currency)
    select ${WORDS}, 'active', '{US}', 'US', 'USD' from generate_series(1, 5000) n`);
  await fill(root, 'invoices', `insert into invoices (kind, status, customer_id, division, currency, billing_name,
      invoice_number, issued_on, tax_point_on, due_on, net_minor, total_minor)
    select 'invoice', 'issued', 1 + n % 5000, 'US', 'USD', 'Bench', 'INV-US-2026-' || lpad(n::text, 6, '0'), ${DAY},
      ${DAY}, ${DAY} + 30, ${MINOR}, ${MINOR} from generate_series(1, ${ITEMS}) n`);
  const account = await root.one<{ id: number; ledger: number }>(sql`
    select id, ledger_account_id as ledger from bank_accounts where division = 'US' and currency = 'USD'
    order by id limit 1`);
  await fill(root, 'transactions', `insert into transactions (division, kind, status, transaction_at, period, direction,
      currency, total_minor, source_type, source_id, source_event, description, posted_at)
    select 'US', 'receipt', 'posted', ${DAY}, to_char(${DAY}, 'YYYYMM')::integer, 'in', 'USD', ${MINOR}, 'payment', n,
      'received', 'Receipt', now() from generate_series(1, ${ITEMS}) n`);
  await fill(root, 'payments', `insert into payments (number, direction, kind, status, party_type, party_id, division,
      ledger_account_id, currency, amount_minor, method, paid_on, reference, functional_rate, transaction_id, posted_at)
    overriding system value
    select 'R-US-2026-' || lpad(t.source_id::text, 6, '0'), 'in', 'receipt', 'posted', 'customer',
      1 + t.source_id % 5000, 'US', ${account.ledger}, 'USD', t.total_minor, 'wire', t.transaction_at, '', 1, t.id,
      now() from transactions t where t.source_type = 'payment' order by t.source_id`);
  await fill(root, 'journal_entries', `insert into journal_entries (transaction_id, line_no, division, transaction_at,
      period, ledger_account_id, currency, amount_minor, base_amount_minor)
    select t.id, 1, 'US', t.transaction_at, t.period, ${account.ledger}, 'USD', t.total_minor, t.total_minor
    from transactions t where t.source_type = 'payment'`);
  await fillBills(root);
  await root.query(new Sql(['analyze'], []));
  return account.id;
}

async function fillBills(root: BenchDatabase['root']): Promise<void> {
  const ap = await root.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and system_key = 'ap'`);
  await fill(root, 'vendors', `insert into vendors (name, divisions, default_currency)
    select ${WORDS}, '{US}', 'USD' from generate_series(1, 5000) n`);
  await fill(root, 'bills', `insert into bills (number, kind, status, vendor_id, vendor_number, division, currency,
      billed_on, received_on, due_on, net_minor, total_minor, transaction_id, submitted_at,
      approved_at, open_item_id)
    overriding system value
    select 'BL-US-2026-' || lpad(n::text, 6, '0'), 'bill', 'approved', 1 + n % 5000, 'V-' || n, 'US', 'USD', ${DAY},
      ${DAY}, ${DAY} + 30, ${MINOR}, ${MINOR}, n, now(), now(), n
    from generate_series(1, ${ITEMS}) n`);
  await fill(root, 'open_items', `insert into open_items (id, journal_entry_id, transaction_id, division,
      ledger_account_id, party_type, party_id, currency, document_type, document_id, opened_on, due_date,
      original_minor, original_base_minor, open_minor, open_base_minor)
    overriding system value
    select b.open_item_id, b.id, b.id, 'US', ${ap.id}, 'vendor', b.vendor_id, 'USD', 'bill', b.id, b.billed_on,
      b.due_on, -b.total_minor, -b.total_minor, -b.total_minor, -b.total_minor from bills b`);
}

function lineOf(account: number, n: number): StoredLine {
  const kind = n % 4;
  const isOut = n % 8 >= 4;
  const item = 1 + ((n * 7919) % ITEMS);
  const day = new Date(Date.UTC(2025, 0, 1 + ((n * 31) % 600))).toISOString().slice(0, 10);
  return { id: n, bank_account_id: account, bank_account_name: 'Bench', bank_statement_id: null,
    division: 'US', currency: 'USD', booked_on: day,
    amount_minor: (isOut ? -1 : 1) * (10_000 + ((n * 104_729) % 500) * 2_500), reference: '',
    bank_match_id: null, is_reconciled: false, state: 'booked',
    name: kind === 1 ? 'LAKEVIEW HIGH SCHOOL INC' : kind === 2 ? 'Castle Players 1232' : 'ACH CREDIT',
    memo: kind === 0 ? `PAYMENT ${isOut ? 'BL' : 'INV'}-US-2026-${String(item).padStart(6, '0')}` : 'THANK YOU',
    end_to_end_id: null, check_number: null, counterparty_account: null };
}

const at = (sorted: readonly number[], share: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);

async function main(): Promise<void> {
  const database = await benchDatabase({ max: 2 });
  try {
    const account = await fillItems(database);
    const ctx = { db: database.app, ports: { openItems }, actor: { actor_id: null } } as unknown as WorkContext;
    const took: number[] = [];
    const [client, server] = [process.cpuUsage(), database.serverCpu()];
    let found = 0;
    for (let n = 1; n <= LINES + WARM; n += 1) {
      const started = performance.now();
      const { suggestions } = await suggestionsFor(ctx, lineOf(account, n));
      if (n > WARM) took.push(performance.now() - started);
      found += suggestions.length;
    }
    const own = process.cpuUsage(client);
    const sorted = took.toSorted((a, b) => a - b);
    say(`Candidates of one bank line among ${3 * ITEMS} open items, PostgreSQL ${database.version}, load ${load()}`);
    say(table(['lines', 'median ms', '95 % ms', '99 % ms', 'CPU server ms', 'CPU client ms', 'suggestions'],
      [[String(LINES), at(sorted, 0.5), at(sorted, 0.95), at(sorted, 0.99),
        (((database.serverCpu() - server) * 1000) / (LINES + WARM)).toFixed(1),
        ((own.user + own.system) / 1000 / (LINES + WARM)).toFixed(1), String(found)]]));
  } finally {
    await database.stop();
  }
}

await main();
