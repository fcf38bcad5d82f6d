/**
 * Deposit slips. A receipt by check or cash waits in Undeposited funds, is put on one slip, and moves to the bank
 * account with it. Locks: receipts by id, then the slip.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { bankDepositLines, type DepositedReceipt } from '#kernel/ledger/bank-deposit.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { asLedgerCall, postJournal, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { bankAccountFor } from '../bank-account/find-account.server.ts';
import { slipDocument } from './deposit-slip-document.server.ts';
import { depositSlipEndpoints, type DepositItem, type DepositSlipDetail, type DepositSlipRow, type UndepositedRow }
  from './deposit-slip.contract.ts';

const ITEMS = sql`from deposit_slip_items i join payments p on p.id = i.payment_id where i.deposit_slip_id = t.id`;
const COLUMNS = sql`t.id, t.number, t.division, t.currency, t.status, t.bank_account_id, b.name as bank_account,
  t.deposited_on, (select count(*) ${ITEMS})::int as item_count,
  (select coalesce(sum(p.amount_minor), 0)::bigint ${ITEMS}) as amount_minor, t.memo, t.transaction_id,
  t.reversal_reason, (select concat_ws(' ', first_name, last_name) from users where id = t.created_by_id)
    as created_by_name, t.version, t.created_at, t.updated_at`;
const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id`;
const ITEM_COLUMNS = sql`p.id as payment_id, p.number, c.name as party_name, p.method, p.reference,
  p.paid_on as received_on, p.amount_minor, p.division, p.currency, p.status`;

type Slip = BodyOf<typeof depositSlipEndpoints.create>;

export async function findSlip(ctx: Pick<WorkContext, 'db'>, id: number): Promise<DepositSlipDetail> {
  const row = await ctx.db.maybeOne<DepositSlipRow>(sql`
    select ${COLUMNS} from deposit_slips t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  const items = await ctx.db.query<DepositItem>(sql`
    select ${ITEM_COLUMNS} from deposit_slip_items i join payments p on p.id = i.payment_id
      join customers c on c.id = p.customer_id where i.deposit_slip_id = ${id} order by p.paid_on, p.id`);
  return { ...row, items };
}

/** Receipts by id, then the slip, at the version that the person saw. */
async function lockSlip(ctx: WorkContext, id: number, version: number, more: readonly number[] = []):
Promise<DepositSlipDetail> {
  await ctx.db.query(sql`
    select 1 from payments where id = any (array(select payment_id from deposit_slip_items
      where deposit_slip_id = ${id}) || ${more}::bigint[]) order by id for no key update`);
  await ctx.db.query(sql`select 1 from deposit_slips where id = ${id} for update`);
  const row = await findSlip(ctx, id);
  if (row.version !== version) throw stale(row);
  return row;
}

const WORDS = { draft: 'not deposited yet', deposited: 'deposited', taken_back: 'taken back', discarded: 'discarded' };
function refuseUnless(row: DepositSlipRow, status: DepositSlipRow['status']): void {
  if (row.status !== status) {
    throw conflict('deposit_slip.state', `Deposit slip ${row.number} is ${WORDS[row.status]}.`, { status: row.status });
  }
}

interface Place { id: number; division: Division; currency: Currency; code: string }
async function placeOf(ctx: WorkContext, id: number): Promise<Place> {
  const row = await ctx.db.maybeOne<Omit<Place, 'code'>>(sql`
    select id, division, currency from bank_accounts where id = ${id} and closed_on is null and deleted_at is null`);
  if (!row) throw invalidField('bank_account_id', 'Choose an open bank account');
  const { code } = await bankAccountFor(ctx, { ...row, bank_account_id: id });
  return { ...row, code };
}

/** 422 at the receipts that cannot be on this slip: paid otherwise, of another division or currency, on another one. */
async function refuseWrongItems(ctx: WorkContext, of: Place & { slip_id: number | null }, ids: readonly number[]):
Promise<void> {
  const rows = await ctx.db.query<{ id: number; number: string; waits: boolean; fits: boolean;
    slip: string | null }>(sql`
    select p.id, p.number, p.kind = 'receipt' and p.status in ('posted', 'cleared')
        and a.system_key is not distinct from 'undeposited' as waits,
      p.division = ${of.division} and p.currency = ${of.currency} as fits,
      (select s.number from deposit_slip_items i join deposit_slips s on s.id = i.deposit_slip_id
        where i.payment_id = p.id and i.holds and i.deposit_slip_id is distinct from ${of.slip_id}::bigint) as slip
    from payments p join ledger_accounts a on a.id = p.ledger_account_id
    where p.id = any (${ids}::bigint[]) and p.deleted_at is null order by p.id`);
  const wrong = rows.find((row) => !row.waits || !row.fits);
  if (new Set(ids).size !== ids.length || rows.length < ids.length) {
    throw invalidField('payment_ids', 'Name each receipt once');
  }
  if (wrong) {
    throw invalidField('payment_ids', wrong.waits
      ? `${wrong.number} is not of division ${of.division} in ${of.currency}` : `${wrong.number} is not undeposited`);
  }
  const taken = rows.find((row) => row.slip !== null);
  if (taken) {
    throw conflict('deposit_slip.taken', `Receipt ${taken.number} is on deposit slip ${taken.slip}.`,
      { payment_id: taken.id });
  }
}

const lockReceipts = (ctx: WorkContext, ids: readonly number[]) => ctx.db.query(sql`
  select 1 from payments where id = any (${ids}::bigint[]) order by id for no key update`);

async function addItems(ctx: WorkContext, slip: number, ids: readonly number[]): Promise<void> {
  await ctx.db.exec(sql`insert into deposit_slip_items (deposit_slip_id, payment_id)
    select ${slip}, n from unnest(${[...ids].sort((a, b) => a - b)}::bigint[]) n`);
}

async function createSlip(ctx: Ctx, body: Slip): Promise<number> {
  const place = await placeOf(ctx, body.bank_account_id);
  await lockReceipts(ctx, body.payment_ids);
  await refuseWrongItems(ctx, { ...place, slip_id: null }, body.payment_ids);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into deposit_slips (number, division, bank_account_id, currency, deposited_on, memo, created_by_id)
    values (next_number('deposit_slip', ${place.division}, ${body.deposited_on}::date), ${place.division}, ${place.id},
      ${place.currency}, ${body.deposited_on}, ${body.memo}, ${ctx.actor.actor_id}) returning id`);
  await addItems(ctx, id, body.payment_ids);
  return id;
}

async function changeSlip(ctx: Ctx, id: number, body: Slip & { version: number }): Promise<DepositSlipDetail> {
  const row = await lockSlip(ctx, id, body.version, body.payment_ids);
  refuseUnless(row, 'draft');
  const place = await placeOf(ctx, body.bank_account_id);
  if (place.division !== row.division || place.currency !== row.currency) {
    throw invalidField('bank_account_id', `Choose an account of division ${row.division} in ${row.currency}`);
  }
  await refuseWrongItems(ctx, { ...place, slip_id: id }, body.payment_ids);
  const now = new Set(row.items.map((one) => one.payment_id));
  const wanted = new Set(body.payment_ids);
  await ctx.db.exec(sql`delete from deposit_slip_items where deposit_slip_id = ${id}
    and payment_id <> all (${[...wanted]}::bigint[])`);
  await addItems(ctx, id, [...wanted].filter((one) => !now.has(one)));
  await ctx.db.exec(sql`update deposit_slips set bank_account_id = ${place.id}, deposited_on = ${body.deposited_on},
    memo = ${body.memo}, version = version + 1 where id = ${id}`);
  return row;
}

/** Posts the slip: the bank account takes one line, as the bank books it. */
async function deposit(ctx: Ctx, row: DepositSlipDetail, on: string): Promise<void> {
  refuseUnless(row, 'draft');
  const place = await placeOf(ctx, row.bank_account_id);
  await refuseFutureMoney(ctx, { division: row.division, on, field: 'deposited_on' });
  const latest = row.items.map((one) => one.received_on).sort().at(-1) ?? on;
  if (on < latest) {
    throw invalidField('deposited_on', `A receipt on it is of ${dateInWords(latest)}. Enter that day or a later one`);
  }
  const receipts = await ctx.db.query<{ payment_id: number; number: string; amount: number; base: number;
    code: string }>(sql`
    select p.id as payment_id, p.number, a.code, sum(e.amount_minor)::bigint as amount,
      sum(e.base_amount_minor)::bigint as base
    from deposit_slip_items i join payments p on p.id = i.payment_id
      join ledger_accounts a on a.id = p.ledger_account_id
      join journal_entries e on e.transaction_id = p.transaction_id and e.ledger_account_id = p.ledger_account_id
    where i.deposit_slip_id = ${row.id} group by p.id, a.code order by p.id`);
  const { transaction_id } = await postJournal(ctx.db, { division: row.division, kind: 'bank_deposit',
    transaction_at: on, description: `Deposit ${row.number}`,
    source: { type: 'deposit_slip', id: row.id, event: 'deposited', attempt: 1 },
    lines: bankDepositLines({ bank: place.code, from: receipts[0]!.code, currency: place.currency },
      receipts.map((one): DepositedReceipt => ({ ...one, amount: BigInt(one.amount), base: BigInt(one.base) }))) },
  ctx.actor.actor_id);
  await ctx.db.exec(sql`update deposit_slips set status = 'deposited', deposited_on = ${on},
    transaction_id = ${transaction_id}, version = version + 1 where id = ${row.id}`);
}

/** The receipts wait again, on today's date. A line that is matched is refused by the ledger. */
async function takeBack(ctx: Ctx, row: DepositSlipDetail, reason: string): Promise<void> {
  refuseUnless(row, 'deposited');
  const returned = row.items.find((one) => one.status !== 'posted' && one.status !== 'cleared');
  if (returned) {
    throw conflict('deposit_slip.returned', `Receipt ${returned.number} was returned by the bank after this deposit.`,
      { payment_id: returned.payment_id });
  }
  const matched = await ctx.db.maybeOne(sql`
    select 1 from journal_entries e join bank_match_entries m on m.ledger_line_id = e.id and m.active
    where e.transaction_id = ${row.transaction_id} limit 1`);
  if (matched) {
    throw conflict('deposit_slip.matched', `${row.number} is matched with a line of the bank. Undo the match first.`);
  }
  const today = await ctx.today(row.division);
  await reverseTransaction(ctx.db, { transaction_id: row.transaction_id!, reason, actor_id: ctx.actor.actor_id,
    transaction_at: today > row.deposited_on ? today : row.deposited_on,
    document: { type: 'deposit_slip', id: row.id } });
  await asLedgerCall(ctx.db.exec(sql`update deposit_slips set status = 'taken_back', reversal_reason = ${reason},
    version = version + 1 where id = ${row.id}`));
}

/** Balance of Undeposited funds by division and currency, and the part that receipts explain. */
const undeposited = (ctx: Ctx): Promise<UndepositedRow[]> => ctx.db.query<UndepositedRow>(sql`
  select x.division, x.currency, sum(x.ledger)::bigint as ledger_minor, sum(x.receipts)::bigint as receipts_minor,
    sum(x.n)::int as receipt_count, min(x.oldest) as oldest_on
  from (
    select a.division, b.currency, sum(b.debit_minor - b.credit_minor) as ledger, 0 as receipts, 0 as n,
      null::date as oldest
    from ledger_accounts a join ledger_balances b on b.ledger_account_id = a.id where a.system_key = 'undeposited'
    group by a.division, b.currency
    union all
    select u.division, u.currency, 0, sum(u.amount_minor), count(*), min(u.paid_on) from undeposited_receipts u
    group by u.division, u.currency) x
  group by x.division, x.currency having sum(x.ledger) <> 0 or sum(x.receipts) <> 0
  order by x.division, x.currency`);

type Query = QueryOf<typeof depositSlipEndpoints.list>;
const listSlips = (ctx: Ctx, query: Query) => listPage<DepositSlipRow>(ctx.db, {
  base: sql`deposit_slips t`, columns: COLUMNS, joins: JOINS, conditions: compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
    query.search !== undefined && matches(sql`t.search_text`, query.search),
  ]),
  sorts: { deposited_on: sql`t.deposited_on`, number: sql`t.number`, updated_at: sql`t.updated_at` },
  defaultSort: 'deposited_on', defaultDirection: 'desc',
}, query, depositSlipEndpoints.list.path);

async function answer(ctx: Ctx, id: number, action: string, before?: DepositSlipDetail) {
  const data = await findSlip(ctx, id);
  await ctx.audit({ action, entity: 'deposit_slip', entity_id: id, after: data, ...(before ? { before } : {}) });
  return { data };
}

export const depositSlipRoutes: Route[] = serve(depositSlipEndpoints, {
  list: (ctx, { query }) => listSlips(ctx, query),
  undeposited: async (ctx) => ({ data: await undeposited(ctx) }),
  waiting: async (ctx, { query }) => ({ data: await ctx.db.query<DepositItem>(sql`
    select ${ITEM_COLUMNS} from undeposited_receipts p join customers c on c.id = p.customer_id
      join bank_accounts b on b.division = p.division and b.currency = p.currency
    where b.id = ${query.bank_account_id} and not p.is_on_slip order by p.paid_on, p.id limit ${1_000}`) }),
  show: async (ctx, { params }) => ({ data: await findSlip(ctx, params.id) }),
  create: async (ctx, { body }) => answer(ctx, await createSlip(ctx, body), 'create'),
  update: async (ctx, { params, body }) => answer(ctx, params.id, 'update', await changeSlip(ctx, params.id, body)),
  async deposit(ctx, { params, body }) {
    const row = await lockSlip(ctx, params.id, body.version);
    await deposit(ctx, row, body.deposited_on);
    return answer(ctx, params.id, 'deposit', row);
  },
  async discard(ctx, { params, body }) {
    const row = await lockSlip(ctx, params.id, body.version);
    refuseUnless(row, 'draft');
    await ctx.db.exec(sql`update deposit_slips set status = 'discarded', version = version + 1
      where id = ${params.id}`);
    return answer(ctx, params.id, 'discard', row);
  },
  async takeBack(ctx, { params, body }) {
    const row = await lockSlip(ctx, params.id, body.version);
    await takeBack(ctx, row, body.reason);
    return answer(ctx, params.id, 'take_back', row);
  },
  document: async (ctx, { params }) => slipDocument(ctx, await findSlip(ctx, params.id)),
});
