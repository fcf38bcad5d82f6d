/**
 * Bank statements of the season: two years of them, written from the ledger's own lines in the format of each bank,
 * imported, matched and reconciled as a person would. The last two weeks are not reconciled: they hold lines that the
 * ledger does not know yet; rules recognize some.
 */
import { addDays, addMonths, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { CSV_MAPPING, statementFile, type FileLine, type FileStatement } from './bank-files.ts';
import type { Body } from './client.ts';
import { inLanes } from './lanes.ts';
import { accountNumber } from './load-banking.ts';
import type { SeasonContext } from './load-licenses.ts';

const BOOKS = '/api/admin/staff/accounting';
/** Every quarter of a year, posted when it is taken. */
const FEE_MINOR = 3_600;
const FEE_MONTHS = new Set(['03', '06', '09', '12']);
const FEE_TEXT = 'Quarterly account fee';

/** The fee that each main account is charged at the end of a quarter. */
export function planBankFees(season: SeasonContext, start: string): void {
  const { calendar, today, staff } = season;
  for (let day = endOfMonth(start); day < today; day = endOfMonth(addDays(day, 1))) {
    if (!FEE_MONTHS.has(day.slice(5, 7))) continue;
    const on = day;
    calendar.add(on, async () => {
      const { data } = await staff.get(`${BOOKS}/bank_accounts?open=true&per_page=100`);
      for (const account of (data as Body[]).filter((one) => one.currency === one.functional_currency)) {
        const { data: [fees] } = await staff.get(
          `${BOOKS}/ledger_accounts?division=${account.division}&search=6100&per_page=1`);
        await staff.post(`${BOOKS}/bank_accounts/${account.id}/entries`, { on, direction: 'out',
          description: FEE_TEXT, lines: [{ ledger_account_id: fees.id, amount_minor: FEE_MINOR }] });
      }
    });
  }
}

interface LedgerLine {
  id: number;
  bank_account_id: number;
  on_day: string;
  minor: number;
  kind: string;
  number: string | null;
  description: string;
  party: string | null;
  /** Why money left, as the payment says it to its payee. */
  reason: string | null;
}

/** A voided check never came to the bank. */
const ledgerLines = (season: SeasonContext): Promise<LedgerLine[]> => season.ports.db.query<LedgerLine>(sql`
  select e.id, b.id as bank_account_id, e.transaction_at::text as on_day, e.amount_minor as minor, t.kind,
    coalesce(p.number, x.number, d.number) as number, t.description, coalesce(c.name, r.name, v.name) as party,
    case when k.check_number is not null then 'Check ' || k.check_number when p.royaltor_id is not null
      then 'Royalties ' || p.number else 'Payment ' || p.number end as reason
  from bank_accounts b join journal_entries e on e.ledger_account_id = b.ledger_account_id
    join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    left join payments p on t.source_type = 'payment' and p.id = t.source_id
    left join bank_transfers x on t.source_type = 'bank_transfer' and x.id = t.source_id
    left join deposit_slips d on t.source_type = 'deposit_slip' and d.id = t.source_id
    left join customers c on c.id = p.customer_id left join royaltors r on r.id = p.royaltor_id
    left join vendors v on v.id = p.vendor_id
    left join lateral (select k.check_number from checks k where k.payment_id = p.id order by k.id desc limit 1) k
      on true
  where not exists (select 1 from payments z where z.status = 'reversed'
      and t.id in (z.transaction_id, z.reversal_transaction_id))
    and b.deleted_at is null and e.amount_minor <> 0 and e.transaction_at < ${season.today}
  order by b.id, e.transaction_at, e.id`);

function fileLine(line: LedgerLine, bankName: string): FileLine {
  const of = { id: `GR${line.id}`, on: line.on_day, minor: line.minor };
  if (line.party !== null) {
    return { ...of, name: line.party,
      memo: line.minor < 0 && line.reason !== null ? line.reason : `Payment ${line.number}` };
  }
  if (line.number !== null) {
    return { ...of, name: line.kind === 'transfer' ? 'Transfer' : 'Deposit', memo: line.number };
  }
  return { ...of, name: bankName, memo: line.description };
}

/** Days before the last one: the ledger does not know these lines yet. */
const NEWS: readonly (Omit<FileLine, 'id' | 'on'> & { days: number })[] = [
  { days: 11, minor: -1_500, name: 'Wire desk', memo: 'Wire transfer fee' },
  { days: 9, minor: -6_420, name: 'Parcel Express', memo: 'Parcels of the month' },
  { days: 6, minor: 25_000, name: 'M. Holloway', memo: 'Thank you for the spring season' },
  { days: 3, minor: -1_500, name: 'Wire desk', memo: 'Wire transfer fee' },
];

/** An invoice that is open, paid in full, and one that is paid short by a bank on the way. */
async function paidInvoices({ staff, today }: SeasonContext, account: Body): Promise<FileLine[]> {
  const { data } = await staff.get(`/api/admin/staff/invoices?kind=invoice&open=true&division=${account.division}`
    + '&per_page=50');
  const open = (data as Body[]).filter((one) => one.currency === account.currency && one.balance_minor > 5_000);
  return open.slice(0, 2).map((one, at): FileLine => ({ id: `IN${one.id}`, on: addDays(today, -2 - at * 3),
    minor: one.balance_minor - (at === 0 ? 0 : 1_200), name: one.customer_name,
    memo: `Invoice ${one.number}` }));
}

/** A bill that its vendor collected by direct debit: it is open in the ledger. */
async function collectedBill({ staff, today }: SeasonContext, account: Body): Promise<FileLine[]> {
  const on = addDays(today, -4);
  const { data } = await staff.get(`${BOOKS}/bills?state=approved&kind=bill&division=${account.division}&per_page=50`);
  const open = (data as Body[]).find((one) => one.currency === account.currency && one.hold_reason === null
    && one.open_minor === one.total_minor && one.billed_on <= on && one.total_minor < 100_000);
  return open ? [{ id: `DD${open.id}`, on, minor: -open.total_minor, name: open.vendor_name, memo: 'Direct debit' }]
    : [];
}

async function newsOf(season: SeasonContext, account: Body): Promise<FileLine[]> {
  if (account.currency !== account.functional_currency) return [];
  const told = NEWS.map(({ days, ...line }, at) => (
    { ...line, id: `NEW${account.id}${at}`, on: addDays(season.today, -days) }));
  return [...told, ...await paidInvoices(season, account), ...await collectedBill(season, account)];
}

/** Days before today from which nothing is reconciled. */
const OPEN_DAYS = 14;
/** Months back in which a bank sends a statement every month; before, the house keeps one for each quarter. */
const MONTHLY = 4;

/** Last days of the statements from one day to yesterday; one ends where the last two weeks begin. */
function statementEnds(first: string, today: string): string[] {
  const ends: string[] = [];
  const monthly = startOfMonth(addMonths(today, -MONTHLY));
  for (let from = startOfMonth(first); from < today; from = addDays(ends.at(-1)!, 1)) {
    const toQuarter = (3 - (Number(from.slice(5, 7)) % 3)) % 3;
    ends.push(endOfMonth(from < monthly ? addMonths(from, toQuarter) : from));
  }
  const settled = addDays(today, -OPEN_DAYS);
  return [...new Set([...ends.filter((end) => end < today), settled, addDays(today, -1)])].toSorted();
}

/** Of one account up to yesterday; a time without a line has no statement. */
function statementsOf(account: Body, lines: readonly FileLine[], today: string): FileStatement[] {
  const number = accountNumber(account);
  const found: FileStatement[] = [];
  const first = lines[0]?.on;
  if (first === undefined) return [];
  let balance = 0;
  let from = startOfMonth(first);
  for (const to of statementEnds(first, today)) {
    const own = lines.filter(({ on }) => on >= from && on <= to);
    const closing = own.reduce((sum, { minor }) => sum + minor, balance);
    if (own.length > 0) {
      found.push({ ...number, currency: account.currency, number: `${account.id}-${to.slice(0, 7)}`, from, to,
        opening: balance, closing, lines: own });
    }
    balance = closing;
    from = addDays(to, 1);
  }
  return found;
}

/** Imports a statement; answers its id. */
async function importOne({ staff }: SeasonContext, account: Body, one: FileStatement): Promise<number> {
  const { ending, content } = statementFile(account.statement_format, one);
  const { data } = await staff.post(`${BOOKS}/bank_statements`, undefined, { file: { field: 'file', content,
    name: `${account.name} ${one.to}.${ending}`, type: 'application/octet-stream',
    fields: { bank_account_id: String(account.id), sha256: sha256(content),
      ...(account.statement_format === 'csv' && { mapping: JSON.stringify(CSV_MAPPING) }) } } });
  return data.statement_ids[0];
}

/**
 * Accepts lines that no rule was sure of, as a person would: the entry that the line names. A payment that came back is
 * accepted together with its return: neither is valid without the other.
 */
async function acceptLines({ staff, ports, today }: SeasonContext, account: Body): Promise<void> {
  const lines = await ports.db.query<{ lines: number[]; entries: number[] }>(sql`
    select array_agg(t.id order by t.id) as lines, array_agg(e.id order by t.id) as entries
    from bank_transactions t join journal_entries e
      on e.id = substring(concat_ws(' ', t.bank_reference, t.reference) from 'GR([0-9]+)')::bigint
      join transactions x on x.id = e.transaction_id
    where t.bank_account_id = ${account.id} and t.booked_on <= ${addDays(today, -OPEN_DAYS)}
      and not exists (select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)
      and not exists (select 1 from bank_match_entries m where m.ledger_line_id = e.id and m.active)
    group by coalesce(x.reverses_id, x.id), case when x.reverses_id is null and x.status = 'posted' then e.id end
    order by min(t.id)`);
  for (const { lines: line_ids, entries } of lines) {
    await staff.post(`${BOOKS}/bank_matches`, { line_ids, parts: entries.map((id) => ({ kind: 'ledger_line', id })) });
  }
}

async function reconcile({ staff }: SeasonContext, account: Body, statement: number): Promise<void> {
  const { data } = await staff.post(`${BOOKS}/reconciliations`, { bank_account_id: account.id,
    bank_statement_id: statement, to_on: null, closing_minor: null });
  await staff.put(`${BOOKS}/reconciliations/${data.id}/finish`, { version: data.version });
}

export async function loadBankStatements(season: SeasonContext): Promise<void> {
  await addRules(season);
  const { data: accounts } = await season.staff.get(`${BOOKS}/bank_accounts?per_page=100`);
  const ledger = await ledgerLines(season);
  await inLanes(accounts as Body[], async (account) => {
    const own = ledger.filter((line) => line.bank_account_id === account.id)
      .map((line) => fileLine(line, account.bank_name));
    const all = [...own, ...await newsOf(season, account)].toSorted((a, b) => a.on.localeCompare(b.on));
    const settled: number[] = [];
    for (const one of statementsOf(account, all, season.today)) {
      const id = await importOne(season, account, one);
      if (one.to <= addDays(season.today, -OPEN_DAYS)) settled.push(id);
    }
    await acceptLines(season, account);
    for (const id of settled) await reconcile(season, account, id);
  });
}

const RULES = [
  { name: 'Account fees of the bank', value: 'account fee', code: '6100', memo: 'Account fee' },
  { name: 'Fees of wires', value: 'wire transfer fee', code: '6100', memo: 'Wire fee' },
  { name: 'Parcels', value: 'parcel express', code: '6200', memo: 'Parcel service' },
] as const;

async function addRules({ staff }: SeasonContext): Promise<void> {
  for (const division of ['US', 'EU', 'UK', 'PROD'] as const) {
    for (const { name, value, code, memo } of RULES) {
      const { data: [account] } = await staff.get(
        `${BOOKS}/ledger_accounts?division=${division}&search=${code}&per_page=1`);
      await staff.post(`${BOOKS}/bank_rules`, { name, division, kind: 'entry', ledger_account_id: account.id, memo,
        direction: 'out', to_minor: 50_000, conditions: [{ field: 'text', operator: 'contains', value }] });
    }
  }
}
