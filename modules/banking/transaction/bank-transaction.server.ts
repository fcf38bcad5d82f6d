/**
 * Bank transactions: lists, a line with its match and files, entries by hand. What a statement brought is never changed
 * or trashed; the database holds to it (tg_bank_transactions_guard).
 */
import { randomUUID } from 'node:crypto';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sha256 } from '#server/files.ts';
import { compact, listPage } from '#server/list.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { serve, type Route } from '#server/routes.ts';
import { join, name, sql, type Sql } from '#server/sql.ts';
import { bankTransactionEndpoints, type BankTransactionDetail, type BankTransactionRow,
} from './bank-transaction.contract.ts';
import { fileRoutes, filesOf } from './line-files.server.ts';

/** The active match of the line `t`; null where it has none. */
const MATCH = sql`(select m.bank_match_id from bank_match_lines m where m.bank_transaction_id = t.id and m.active)`;
const COLUMNS = sql`t.id, t.bank_account_id, b.name as bank_account_name, b.division, b.currency, t.source, t.state,
  t.booked_on::text as booked_on, t.value_on::text as value_on, t.amount_minor, t.name, t.memo, t.reference,
  t.check_number, t.note, ${MATCH} is not null as is_matched, ${MATCH} as bank_match_id,
  t.bank_reconciliation_id is not null as is_reconciled, t.bank_reconciliation_id, t.bank_statement_id,
  s.number as statement_number, s.to_on::text as statement_to_on,
  (select count(*)::int from bank_transaction_files f where f.bank_transaction_id = t.id) as file_count, t.deleted_at,
  t.version, t.created_at, t.updated_at`;
const DETAIL = sql`${COLUMNS}, t.bank_reference, t.end_to_end_id, t.type, t.counterparty_account, t.balance_minor,
  t.original, t.details,
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = t.created_by_id) as created_by_name`;
const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id
  left join bank_statements s on s.id = t.bank_statement_id`;

type Query = QueryOf<typeof bankTransactionEndpoints.list>;
type Found = Omit<BankTransactionDetail, 'match' | 'files'>;

const ofAccount = (of: Sql): Sql => sql`t.bank_account_id in (select a.id from bank_accounts a where ${of})`;

function conditionsOf(query: Query, alive: Sql): Sql[] {
  return compact([alive, sql`t.state = ${query.state ?? 'booked'}`,
    query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
    query.division !== undefined && ofAccount(sql`a.division = ${query.division}`),
    query.currency !== undefined && ofAccount(sql`a.currency = ${query.currency}`),
    query.bank_statement_id !== undefined && sql`t.bank_statement_id = ${query.bank_statement_id}`,
    query.source !== undefined && sql`t.source = ${query.source}`,
    query.direction !== undefined && (query.direction === 'in' ? sql`t.amount_minor > 0` : sql`t.amount_minor < 0`),
    query.matched !== undefined && sql`(${MATCH} is not null) = ${query.matched}`,
    query.is_reconciled !== undefined && sql`(t.bank_reconciliation_id is not null) = ${query.is_reconciled}`,
    query.booked_on_from !== undefined && sql`t.booked_on >= ${query.booked_on_from}`,
    query.booked_on_to !== undefined && sql`t.booked_on <= ${query.booked_on_to}`,
    query.from_minor !== undefined && sql`abs(t.amount_minor) >= ${query.from_minor}`,
    query.to_minor !== undefined && sql`abs(t.amount_minor) <= ${query.to_minor}`,
    Boolean(query.search) && sql`t.search_text like '%' || ledger_fold(${query.search}) || '%'`,
  ]);
}

const page = (ctx: Ctx, query: Query, alive: Sql, path: string) => listPage<BankTransactionRow>(ctx.db, {
  base: sql`bank_transactions t`, columns: COLUMNS, joins: JOINS, conditions: conditionsOf(query, alive),
  sorts: { booked_on: sql`t.booked_on`, amount_minor: sql`t.amount_minor`, name: sql`t.name collate "und-x-icu"`,
    updated_at: sql`t.updated_at` }, defaultSort: 'booked_on', defaultDirection: 'desc',
}, query, path);

async function findLine(ctx: WorkContext, id: number, trashed = false): Promise<Found> {
  const row = await ctx.db.maybeOne<Found>(sql`
    select ${DETAIL} from bank_transactions t ${JOINS}
    where t.id = ${id} and (t.deleted_at is not null) = ${trashed}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Held until the transaction ends: a match takes its lines the same way. */
async function lockLine(ctx: WorkContext, id: number, trashed = false): Promise<Found> {
  await ctx.db.query(sql`select 1 from bank_transactions where id = ${id} for update`);
  return findLine(ctx, id, trashed);
}

async function matchOf(ctx: WorkContext, row: Found): Promise<BankTransactionDetail['match']> {
  if (row.bank_match_id === null) return null;
  const found = await ctx.db.one<Omit<NonNullable<BankTransactionDetail['match']>, 'entries'>>(sql`
    select m.id, m.made_by, m.created_at,
      (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = m.created_by_id) as made_by_name
    from bank_matches m where m.id = ${row.bank_match_id}`);
  const entries = await ctx.db.query<NonNullable<BankTransactionDetail['match']>['entries'][number]>(sql`
    select e.id, e.transaction_id, t.number as transaction_number, t.description,
      t.transaction_at::text as transaction_at, e.amount_minor
    from bank_match_entries m join journal_entries e on e.id = m.ledger_line_id
      join transactions t on t.id = e.transaction_id
    where m.bank_match_id = ${row.bank_match_id} order by e.id`);
  return { ...found, entries };
}

async function detailOf(ctx: WorkContext, row: Found): Promise<{ data: BankTransactionDetail }> {
  return { data: { ...row, match: await matchOf(ctx, row), files: await filesOf(ctx, row.id) } };
}

async function openAccount(ctx: WorkContext, id: number): Promise<{ division: string; currency: string }> {
  const row = await ctx.db.maybeOne<{ division: string; currency: string }>(sql`
    select division, currency from bank_accounts where id = ${id} and closed_on is null and deleted_at is null
    for key share`);
  if (!row) throw invalidField('bank_account_id', 'Choose an open bank account');
  return row;
}

/** Ticking takes a reconciliation that is open; only its own page opens one. */
function refuseTick(row: { is_reconciled: boolean }, wanted: boolean | undefined): void {
  if (wanted === undefined || wanted === row.is_reconciled) return;
  throw conflict('bank_transaction.not_reconciling', wanted
    ? 'A line is reconciled by finishing a reconciliation. Match it there, under Banking, Reconciliation.'
    : 'This line is part of a finished reconciliation. Undo the reconciliation first.');
}

async function askAboutTwin(
  ctx: WorkContext, of: { bank_account_id: number; booked_on: string; amount_minor: number; currency: string },
): Promise<void> {
  const here = await ctx.db.maybeOne<{ id: number; name: string; memo: string }>(sql`
    select id, name, memo from bank_transactions where bank_account_id = ${of.bank_account_id} and state = 'booked'
      and deleted_at is null and booked_on = ${of.booked_on} and amount_minor = ${of.amount_minor}
    order by id limit 1`);
  if (!here) return;
  const text = [here.name, here.memo].filter((part) => part !== '').join(' · ') || 'no text';
  throw conflict('bank_transaction.probably_here', `${dateInWords(of.booked_on)} has a line of ${of.currency} ${
    formatMinor(BigInt(of.amount_minor))} already: ${text}. Confirm that this is another one.`,
  { bank_transaction_id: here.id });
}

async function enter(ctx: Ctx, body: BodyOf<typeof bankTransactionEndpoints.create>): Promise<number> {
  refuseTick({ is_reconciled: false }, body.is_reconciled);
  // Imports of an account stand one after the other, and so do its entries by hand: neither misses the other's line.
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${body.bank_account_id} for no key update`);
  const account = await openAccount(ctx, body.bank_account_id);
  await refuseFutureMoney(ctx, { division: account.division, on: body.booked_on, field: 'booked_on' });
  if (!body.duplicate_confirmed) await askAboutTwin(ctx, { ...body, currency: account.currency });
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_transactions (bank_account_id, source, position, booked_on, amount_minor, name, memo, reference,
      check_number, note, line_key, created_by_id)
    values (${body.bank_account_id}, 'manual', 1, ${body.booked_on}, ${body.amount_minor}, ${body.name}, ${body.memo},
      ${body.reference}, ${body.check_number || null}, ${body.note}, ${sha256(Buffer.from(`manual|${randomUUID()}`))},
      ${ctx.actor.actor_id}) returning id`);
  return id;
}

const BANK_FIELDS = ['booked_on', 'amount_minor', 'name', 'memo', 'reference', 'check_number'] as const;

function refuseChange(row: Found, changed: readonly string[]): void {
  const [field] = changed;
  if (field === undefined) return;
  if (row.source === 'statement') {
    throw invalidField(field, 'The bank wrote this. Add a note beside it instead');
  }
  if (row.is_matched && changed.some((one) => one === 'booked_on' || one === 'amount_minor')) throw matched(row);
}

function matched(row: Found): Error {
  return conflict('bank_transaction.matched', `This line is matched${row.is_reconciled ? ' and reconciled' : ''}. `
    + 'Undo the match first.', { bank_match_id: row.bank_match_id });
}

async function change(ctx: Ctx, id: number, body: BodyOf<typeof bankTransactionEndpoints.update>): Promise<Found> {
  const before = await lockLine(ctx, id);
  if (before.version !== body.version) throw stale(before);
  refuseTick(before, body.is_reconciled);
  const values = { ...body, ...(body.check_number === undefined ? {} : { check_number: body.check_number || null }) };
  const changed = BANK_FIELDS.filter((field) => values[field] !== undefined && values[field] !== before[field]);
  refuseChange(before, changed);
  if (changed.includes('booked_on') && values.booked_on !== undefined) {
    await refuseFutureMoney(ctx, { division: before.division, on: values.booked_on, field: 'booked_on' });
  }
  const sets = changed.map((field) => sql`${name(field)} = ${values[field]}`);
  if (body.note !== undefined) sets.push(sql`note = ${body.note ?? ''}`);
  await ctx.db.exec(sql`update bank_transactions set ${join([...sets, sql`version = version + 1`])} where id = ${id}`);
  const after = await findLine(ctx, id);
  await ctx.audit({ action: 'update', entity: 'bank_transaction', entity_id: id, before, after });
  return after;
}

/** Into the trash, out of it, or gone for good: entries by hand alone. */
async function remove(ctx: Ctx, id: number): Promise<void> {
  const before = await lockLine(ctx, id);
  if (ctx.ifMatch !== null && before.version !== ctx.ifMatch) throw stale(before);
  if (before.source === 'statement') {
    throw conflict('bank_transaction.of_statement', 'A statement brought this line, so it stays. '
      + 'Match it, or post it to an account.');
  }
  if (before.is_matched) throw matched(before);
  await ctx.db.exec(sql`update bank_transactions set deleted_at = now(), version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'remove', entity: 'bank_transaction', entity_id: id, before });
}

async function restore(ctx: Ctx, id: number): Promise<Found> {
  const before = await lockLine(ctx, id, true);
  await openAccount(ctx, before.bank_account_id);
  await ctx.db.exec(sql`update bank_transactions set deleted_at = null, version = version + 1 where id = ${id}`);
  const after = await findLine(ctx, id);
  await ctx.audit({ action: 'restore', entity: 'bank_transaction', entity_id: id, after });
  return after;
}

async function purge(ctx: Ctx, id: number): Promise<void> {
  const before = await lockLine(ctx, id, true);
  const used = await ctx.db.maybeOne(sql`select 1 from bank_match_lines where bank_transaction_id = ${id} limit 1`);
  if (used) throw refuse('in_use', 'This line was matched before, and the match is kept. It stays in the trash.');
  await ctx.db.exec(sql`delete from bank_transactions where id = ${id}`);
  await ctx.audit({ action: 'purge', entity: 'bank_transaction', entity_id: id, before });
}

export const bankTransactionRoutes: Route[] = serve(bankTransactionEndpoints, {
  list: (ctx, { query }) => page(ctx, query, sql`t.deleted_at is null`, bankTransactionEndpoints.list.path),
  trash: (ctx, { query }) => page(ctx, query, sql`t.deleted_at is not null`, bankTransactionEndpoints.trash.path),
  show: async (ctx, { params }) => detailOf(ctx, await findLine(ctx, params.id)),
  async create(ctx, { body }) {
    const row = await findLine(ctx, await enter(ctx, body));
    await ctx.audit({ action: 'create', entity: 'bank_transaction', entity_id: row.id, after: row });
    return detailOf(ctx, row);
  },
  update: async (ctx, { params, body }) => detailOf(ctx, await change(ctx, params.id, body)),
  remove: (ctx, { params }) => remove(ctx, params.id),
  restore: async (ctx, { params }) => detailOf(ctx, await restore(ctx, params.id)),
  purge: (ctx, { params }) => purge(ctx, params.id),
  ...fileRoutes((ctx, id) => findLine(ctx, id)),
});
