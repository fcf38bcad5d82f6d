/** Transfers: posted when they leave and when they arrive, each once; in between they stand on 1050. */
import { missingRate } from '#kernel/money/exchange.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { transferReceivedLines, transferSentLines, type TransferSide } from '#kernel/ledger/bank-transfer.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { postJournal, rateOn, reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql, type Sql } from '#server/sql.ts';
import { bankAccountFor } from '../bank-account/find-account.server.ts';
import { type transferBody, transferEndpoints, type TransferRow, type TransitRow } from './transfer.contract.ts';

const accountOf = (column: Sql) => (of: Sql): Sql => sql`(select ${of} from bank_accounts b where b.id = ${column})`;
const from = accountOf(sql`t.from_bank_account_id`);
const to = accountOf(sql`t.to_bank_account_id`);
const COLUMNS = sql`t.id, t.number, t.division, t.status, t.from_bank_account_id, ${from(sql`b.name`)} as from_account,
  ${from(sql`b.currency`)} as from_currency, t.to_bank_account_id, ${to(sql`b.name`)} as to_account,
  ${to(sql`b.currency`)} as to_currency, t.amount_minor, t.received_minor, t.fee_minor, t.sent_on, t.received_on,
  t.sent_transaction_id, t.received_transaction_id, t.reversal_reason, t.memo,
  (select concat_ws(' ', first_name, last_name) from users where id = t.created_by_id) as created_by_name, t.version,
  t.created_at, t.updated_at`;

type Query = QueryOf<typeof transferEndpoints.list>;
type Input = z.output<typeof transferBody>;

export async function findTransfer(ctx: WorkContext, id: number): Promise<TransferRow> {
  const row = await ctx.db.maybeOne<TransferRow>(sql`select ${COLUMNS} from bank_transfers t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Locked, and at the version that the person saw, where a person saw one. */
export async function lockTransfer(ctx: WorkContext, id: number, version?: number): Promise<TransferRow> {
  await ctx.db.query(sql`select 1 from bank_transfers where id = ${id} for update`);
  const row = await findTransfer(ctx, id);
  if (version !== undefined && row.version !== version) throw stale(row);
  return row;
}

interface Place { id: number; division: Division; currency: Currency }
async function placeOf(ctx: WorkContext, id: number, field: string): Promise<Place> {
  const row = await ctx.db.maybeOne<Place>(sql`
    select id, division, currency from bank_accounts where id = ${id} and closed_on is null and deleted_at is null`);
  if (!row) throw invalidField(field, 'Choose an open bank account');
  return row;
}

/** Functional units per unit of a currency; null in the division's own; 409 where none is known. */
async function rateOf(ctx: WorkContext, of: { division: Division; currency: Currency }, on: string):
Promise<string | null> {
  const own = FUNCTIONAL_CURRENCY[of.division];
  if (of.currency === own) return null;
  const found = await rateOn(ctx.db, of.currency, own, on);
  if (!found) {
    throw conflict('fx.no_rate', missingRate(of.currency, own, on));
  }
  return found.rate;
}

async function codeOf(ctx: WorkContext, of: Place, field: string): Promise<string> {
  return (await bankAccountFor(ctx, { division: of.division, currency: of.currency, bank_account_id: of.id },
    field)).code;
}

/** The amount that arrives: in one currency what was sent, across two what the bank says. */
function receivedAmount(of: { from: Currency; to: Currency; sent: number }, received: number | null): number {
  if (of.from === of.to) {
    if (received !== null && received !== of.sent) {
      throw invalidField('received_minor', 'In one currency the amount that was sent arrives. A fee '
        + 'that a bank kept is entered with its line, under Matching');
    }
    return of.sent;
  }
  if (received === null) throw invalidField('received_minor', `Enter what arrives in ${of.to}`);
  return received;
}

/** Posts what leaves. Answers the transfer. */
export async function sendTransfer(ctx: WorkContext, body: Input): Promise<number> {
  const payer = await placeOf(ctx, body.from_bank_account_id, 'from_bank_account_id');
  const receiver = await placeOf(ctx, body.to_bank_account_id, 'to_bank_account_id');
  if (payer.id === receiver.id) throw invalidField('to_bank_account_id', 'Choose another account');
  if (payer.division !== receiver.division) {
    throw invalidField('to_bank_account_id', `Choose an account of division ${payer.division}. `
      + 'Money between divisions is posted between their books');
  }
  const { division } = payer;
  await refuseFutureMoney(ctx, { division, on: body.sent_on, field: 'sent_on' });
  const received = receivedAmount({ from: payer.currency, to: receiver.currency, sent: body.amount_minor },
    body.received_minor);
  const side: TransferSide = { account: await codeOf(ctx, payer, 'from_bank_account_id'), currency: payer.currency,
    amount: BigInt(body.amount_minor), rate: await rateOf(ctx, payer, body.sent_on) };
  const { id, number } = await ctx.db.one<{ id: number; number: string }>(sql`
    insert into bank_transfers (number, division, from_bank_account_id, to_bank_account_id, amount_minor,
      received_minor, fee_minor, sent_rate, sent_on, memo, created_by_id)
    values (next_number('transfer', ${division}, ${body.sent_on}::date), ${division}, ${payer.id}, ${receiver.id},
      ${body.amount_minor}, ${received}, ${body.fee_minor}, ${side.rate}, ${body.sent_on}, ${body.memo},
      ${ctx.actor.actor_id}) returning id, number`);
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'transfer', transaction_at: body.sent_on,
    description: `Transfer ${number} sent`, source: { type: 'bank_transfer', id, event: 'sent', attempt: 1 },
    lines: transferSentLines({ ...side, fee: BigInt(body.fee_minor) }) }, ctx.actor.actor_id);
  await ctx.db.exec(sql`update bank_transfers set sent_transaction_id = ${transaction_id} where id = ${id}`);
  return id;
}

/** Posts the arrival of a transfer in transit, once. */
export async function receiveTransfer(
  ctx: WorkContext, row: TransferRow, of: { received_on: string; received_minor: number },
): Promise<void> {
  const division = row.division as Division;
  if (row.status !== 'in_transit') {
    throw conflict('bank_transfer.not_in_transit', `Transfer ${row.number} is ${row.status}.`);
  }
  await refuseFutureMoney(ctx, { division, on: of.received_on, field: 'received_on' });
  if (of.received_on < row.sent_on) {
    throw invalidField('received_on', `It left on ${dateInWords(row.sent_on)}. Enter that day or a later one`);
  }
  const payer = { id: row.from_bank_account_id, division, currency: row.from_currency };
  const receiver = { id: row.to_bank_account_id, division, currency: row.to_currency };
  const { sent_rate, attempt } = await ctx.db.one<{ sent_rate: string | null; attempt: number }>(sql`
    select sent_rate, (select count(*) from transactions where source_type = 'bank_transfer' and source_id = ${row.id}
      and source_event = 'received')::integer as attempt from bank_transfers where id = ${row.id}`);
  const lines = transferReceivedLines(division, {
    sent: { account: '', currency: payer.currency, amount: BigInt(row.amount_minor), rate: sent_rate },
    to: { account: await codeOf(ctx, receiver, 'to_bank_account_id'), currency: receiver.currency,
      amount: BigInt(of.received_minor), rate: await rateOf(ctx, receiver, of.received_on) } });
  const { transaction_id } = await postJournal(ctx.db, { division, kind: 'transfer', transaction_at: of.received_on,
    description: `Transfer ${row.number} received`,
    source: { type: 'bank_transfer', id: row.id, event: 'received', attempt: attempt + 1 }, lines },
  ctx.actor.actor_id);
  await ctx.db.exec(sql`update bank_transfers set status = 'received', received_on = ${of.received_on},
    received_minor = ${of.received_minor}, received_transaction_id = ${transaction_id}, version = version + 1
    where id = ${row.id}`);
}

/** Takes back that a transfer has arrived; it is in transit again. */
export async function takeBackArrival(ctx: WorkContext, row: TransferRow, reason: string, on: string): Promise<void> {
  if (row.status !== 'received') {
    throw conflict('bank_transfer.not_received', `Transfer ${row.number} is ${row.status.replace('_', ' ')}.`);
  }
  await reverseTransaction(ctx.db, { transaction_id: row.received_transaction_id!, reason,
    transaction_at: on > row.received_on! ? on : row.received_on!, actor_id: ctx.actor.actor_id,
    document: { type: 'bank_transfer', id: row.id } });
  await ctx.db.exec(sql`update bank_transfers set status = 'in_transit', received_on = null,
    received_transaction_id = null, version = version + 1 where id = ${row.id}`);
}

/** Takes back what the transfer posted, the arrival first, on today's date. */
export async function reverseTransfer(
  ctx: WorkContext, row: TransferRow, reason: string, on?: string,
): Promise<void> {
  if (row.status === 'reversed') {
    throw conflict('bank_transfer.reversed', `Transfer ${row.number} was reversed before.`);
  }
  const today = on ?? await ctx.today(row.division);
  for (const [transaction_id, day] of [[row.received_transaction_id, row.received_on],
    [row.sent_transaction_id, row.sent_on]] as const) {
    if (transaction_id === null || day === null) continue;
    await reverseTransaction(ctx.db, { transaction_id, transaction_at: today > day ? today : day, reason,
      actor_id: ctx.actor.actor_id, document: { type: 'bank_transfer', id: row.id } });
  }
  await ctx.db.exec(sql`update bank_transfers set status = 'reversed', reversal_reason = ${reason},
    version = version + 1 where id = ${row.id}`);
}

const listTransfers = (ctx: Ctx, query: Query) => listPage<TransferRow>(ctx.db, {
  base: sql`bank_transfers t`, columns: COLUMNS, conditions: compact([
    query.id !== undefined && sql`t.id = ${query.id}`,
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.bank_account_id !== undefined
      && sql`${query.bank_account_id} in (t.from_bank_account_id, t.to_bank_account_id)`,
    query.sent_from !== undefined && sql`t.sent_on >= ${query.sent_from}`,
    query.sent_to !== undefined && sql`t.sent_on <= ${query.sent_to}`,
    query.search !== undefined && matches(sql`search_words(t.number, t.memo, ${from(sql`b.name`)},
      ${to(sql`b.name`)})`, query.search),
  ]),
  sorts: { sent_on: sql`t.sent_on`, number: sql`t.number`, amount_minor: sql`t.amount_minor`,
    updated_at: sql`t.updated_at` }, defaultSort: 'sent_on', defaultDirection: 'desc',
}, query, transferEndpoints.list.path);

/** Divisions and currencies with something on 1050, or with a transfer under way. */
const transit = (ctx: Ctx): Promise<TransitRow[]> => ctx.db.query<TransitRow>(sql`
  select x.division, x.currency, sum(x.ledger)::bigint as ledger_minor, sum(x.waiting)::bigint as transfers_minor,
    min(x.oldest) as oldest_on
  from (
    select a.division, b.currency, sum(b.debit_minor - b.credit_minor) as ledger, 0 as waiting, null::date as oldest
    from ledger_accounts a join ledger_balances b on b.ledger_account_id = a.id where a.system_key = 'transit'
    group by a.division, b.currency
    union all
    select t.division, b.currency, 0, sum(t.amount_minor), min(t.sent_on)
    from bank_transfers t join bank_accounts b on b.id = t.from_bank_account_id where t.status = 'in_transit'
    group by t.division, b.currency) x
  group by x.division, x.currency having sum(x.ledger) <> 0 or sum(x.waiting) <> 0
  order by x.division, x.currency`);

async function told(ctx: Ctx, id: number, action: string, before: TransferRow | null) {
  const data = await findTransfer(ctx, id);
  await ctx.audit({ action, entity: 'bank_transfer', entity_id: id, after: data, ...(before ? { before } : {}) });
  return { data };
}

export const transferRoutes: Route[] = serve(transferEndpoints, {
  list: (ctx, { query }) => listTransfers(ctx, query),
  transit: async (ctx) => ({ data: await transit(ctx) }),
  show: async (ctx, { params }) => ({ data: await findTransfer(ctx, params.id) }),
  async create(ctx, { body }) {
    const id = await sendTransfer(ctx, body);
    const row = await findTransfer(ctx, id);
    if (body.received_on !== null) {
      await receiveTransfer(ctx, row, { received_on: body.received_on, received_minor: row.received_minor });
    }
    return told(ctx, id, 'create', null);
  },
  async receive(ctx, { params, body }) {
    const row = await lockTransfer(ctx, params.id, body.version);
    await receiveTransfer(ctx, row, { received_on: body.received_on, received_minor: receivedAmount({
      from: row.from_currency, to: row.to_currency, sent: row.amount_minor },
    body.received_minor ?? row.received_minor) });
    return told(ctx, params.id, 'receive', row);
  },
  async reverse(ctx, { params, body }) {
    const row = await lockTransfer(ctx, params.id, body.version);
    await reverseTransfer(ctx, row, body.reason);
    return told(ctx, params.id, 'reverse', row);
  },
});
