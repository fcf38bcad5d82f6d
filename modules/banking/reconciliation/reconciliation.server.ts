/**
 * Reconciliations: begun, worked on, finished, undone. What a finished one has is held by the database: its figures,
 * its lines, and that it leads from the former closing balance to its own. Locks: the reconciliation, then bank lines
 * by id.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { BodyOf, QueryOf } from '#kit/endpoint.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { asLedgerCall } from '#modules/accounting/accounting.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { postEntry } from '../bank-account/post-entry.server.ts';
import { runsUpTo } from '../matching/run-items.server.ts';
import { tickLines } from './tick-lines.server.ts';
import {
  reconciliationEndpoints, SHOWN_LINES, type ReconciliationDetail, type ReconciliationReport, type ReconciliationRow,
  type ReconciliationWork, type RunSide,
} from './reconciliation.contract.ts';
import { reportDocument } from './reconciliation-document.server.ts';
import { accountOf, reportOf, sidesOf, type Reconciled, type ReconciledAccount, type Sides } from './sides.server.ts';

const person = (column: ReturnType<typeof sql>) => sql`(
  select concat_ws(' ', first_name, last_name) from users where id = ${column})`;
const COLUMNS = sql`t.id, t.bank_account_id, b.name as bank_account, n.name as bank_name, b.division, b.currency,
  t.bank_statement_id, s.number as statement_number, t.to_on, t.opening_minor, t.closing_minor, t.status,
  ${person(sql`t.created_by_id`)} as created_by_name, t.finished_at, ${person(sql`t.finished_by_id`)}
    as finished_by_name, t.undone_at, ${person(sql`t.undone_by_id`)} as undone_by_name, t.undo_reason,
  t.status = 'finished' and not exists (select 1 from bank_reconciliations l
    where l.bank_account_id = t.bank_account_id and l.status = 'finished' and l.to_on > t.to_on) as is_latest,
  t.version, t.created_at, t.updated_at`;
const JOINS = sql`join bank_accounts b on b.id = t.bank_account_id join banks n on n.id = b.bank_id
  left join bank_statements s on s.id = t.bank_statement_id`;

async function findRow(ctx: Pick<WorkContext, 'db'>, id: number): Promise<ReconciliationRow> {
  const row = await ctx.db.maybeOne<ReconciliationRow>(sql`
    select ${COLUMNS} from bank_reconciliations t ${JOINS} where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Locked, open, and at the version that the person saw. */
async function lockOpen(ctx: WorkContext, id: number, version?: number): Promise<ReconciliationRow> {
  await ctx.db.query(sql`select 1 from bank_reconciliations where id = ${id} for update`);
  const row = await findRow(ctx, id);
  if (version !== undefined && row.version !== version) throw stale(row);
  if (row.status !== 'open') throw conflict('reconciliation.closed', `This reconciliation is ${row.status}.`);
  return row;
}

async function reconciledAccount(ctx: WorkContext, id: number): Promise<ReconciledAccount> {
  const account = await accountOf(ctx.db, id);
  if (!account) throw invalidField('bank_account_id', 'Choose a bank account');
  return account;
}

const reconciledOf = (account: ReconciledAccount, row: ReconciliationRow): Reconciled => ({ account, to_on: row.to_on,
  opening_minor: row.opening_minor, closing_minor: row.closing_minor });

interface Closing { to_on: string; closing_minor: number; bank_statement_id: number | null }
type ClosingInput = Pick<BodyOf<typeof reconciliationEndpoints.start>, 'bank_statement_id' | 'to_on' | 'closing_minor'>;

/** The day and balance of the statement, unless they are entered; 422 at what is missing or before the former one. */
async function closingOf(ctx: WorkContext, account: ReconciledAccount, input: ClosingInput): Promise<Closing> {
  const statement = input.bank_statement_id === null ? null : await ctx.db.maybeOne<{ to_on: string | null;
    closing_minor: number | null }>(sql`
    select coalesce(closing_on, to_on)::text as to_on, closing_minor from bank_statements
    where id = ${input.bank_statement_id} and bank_account_id = ${account.id} and kind = 'statement'
      and taken_back_at is null`);
  if (input.bank_statement_id !== null && !statement) {
    throw invalidField('bank_statement_id', 'Choose a statement of this bank account');
  }
  const to_on = input.to_on ?? statement?.to_on ?? null;
  const closing_minor = input.closing_minor ?? statement?.closing_minor ?? null;
  if (to_on === null) throw invalidField('to_on', 'Enter the date of the closing balance');
  if (closing_minor === null) throw invalidField('closing_minor', 'Enter the closing balance of the statement');
  const since = account.reconciled_to_on;
  if (since !== null && to_on <= since) {
    throw invalidField('to_on', `Reconciled through ${dateInWords(since)} already. Enter a later date`);
  }
  if (account.opening_on !== null && to_on < account.opening_on) {
    throw invalidField('to_on', `The account begins on ${dateInWords(account.opening_on)}. Enter that day or later`);
  }
  if (to_on > await ctx.today(account.division)) throw invalidField('to_on', 'Enter today’s date or an earlier one');
  return { to_on, closing_minor, bank_statement_id: input.bank_statement_id };
}

async function start(ctx: Ctx, body: BodyOf<typeof reconciliationEndpoints.start>): Promise<number> {
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${body.bank_account_id} for no key update`);
  const account = await reconciledAccount(ctx, body.bank_account_id);
  const open = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from bank_reconciliations where bank_account_id = ${account.id} and status = 'open'`);
  if (open) {
    throw conflict('reconciliation.open', `${account.name} is being reconciled already. Finish or discard that first.`,
      { reconciliation_id: open.id });
  }
  const closing = await closingOf(ctx, account, body);
  return insertOpen(ctx, account, closing);
}

async function insertOpen(ctx: Ctx, account: ReconciledAccount, closing: Closing): Promise<number> {
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_reconciliations (bank_account_id, bank_statement_id, to_on, opening_minor, closing_minor,
      created_by_id)
    values (${account.id}, ${closing.bank_statement_id}, ${closing.to_on}, ${account.reconciled_minor},
      ${closing.closing_minor}, ${ctx.actor.actor_id}) returning id`);
  return id;
}

async function update(ctx: Ctx, id: number, body: BodyOf<typeof reconciliationEndpoints.update>):
Promise<ReconciliationRow> {
  const row = await lockOpen(ctx, id, body.version);
  const account = await reconciledAccount(ctx, row.bank_account_id);
  const closing = await closingOf(ctx, account, body);
  const beyond = await ctx.db.maybeOne(sql`
    select 1 from bank_reconciliation_ticks k join journal_entries e on e.id = k.ledger_line_id
    where k.bank_reconciliation_id = ${id} and e.transaction_at > ${closing.to_on} limit 1`);
  if (beyond) throw invalidField('to_on', 'A ticked entry is later. Take its tick off first');
  await ctx.db.exec(sql`update bank_reconciliations set to_on = ${closing.to_on},
    closing_minor = ${closing.closing_minor}, bank_statement_id = ${closing.bank_statement_id}, version = version + 1
    where id = ${id}`);
  return row;
}

async function tick(ctx: Ctx, id: number, body: BodyOf<typeof reconciliationEndpoints.tick>):
Promise<ReconciliationRow> {
  const row = await lockOpen(ctx, id);
  const ids = [...new Set(body.ledger_line_ids)].sort((a, b) => a - b);
  if (body.ticked) await addTicks(ctx, row, ids);
  else {
    await ctx.db.exec(sql`delete from bank_reconciliation_ticks
      where bank_reconciliation_id = ${id} and ledger_line_id = any (${ids}::bigint[])`);
  }
  return row;
}

async function addTicks(ctx: Ctx, row: ReconciliationRow, ids: readonly number[]): Promise<void> {
  const account = await reconciledAccount(ctx, row.bank_account_id);
  const { entries } = await sidesOf(ctx.db, reconciledOf(account, row));
  const open = new Map(entries.map((entry) => [entry.ledger_line_id, entry]));
  const wrong = ids.find((one) => !open.has(one));
  if (wrong !== undefined) {
    throw conflict('reconciliation.not_open', 'An entry is cleared already, later than the day, or of another account.',
      { ledger_line_id: wrong });
  }
  await ctx.db.exec(sql`
    insert into bank_reconciliation_ticks (bank_reconciliation_id, bank_account_id, ledger_line_id, created_by_id)
    select ${row.id}, ${account.id}, n, ${ctx.actor.actor_id}
    from unnest(${ids.filter((one) => !open.get(one)!.is_ticked)}::bigint[]) n order by n`);
}

/** Posts the difference on the day of the statement, and ticks what it posted: the difference is zero then. */
async function adjust(ctx: Ctx, id: number, body: BodyOf<typeof reconciliationEndpoints.adjust>):
Promise<ReconciliationRow> {
  const row = await lockOpen(ctx, id, body.version);
  const account = await reconciledAccount(ctx, row.bank_account_id);
  const { figures } = await sidesOf(ctx.db, reconciledOf(account, row));
  if (figures.unmatched_count > 0) {
    throw conflict('reconciliation.not_ready', 'Match the lines of the bank first: what they leave is adjusted.');
  }
  if (figures.difference === 0n) throw conflict('reconciliation.no_difference', 'There is no difference to post.');
  const isIn = figures.difference > 0n;
  const transaction = await postEntry(ctx, account, { on: row.to_on, direction: isIn ? 'in' : 'out',
    description: `Reconciliation of ${account.name}: ${body.reason}`.slice(0, 500),
    lines: [{ ledger_account_id: body.ledger_account_id, party_id: body.party_id, memo: body.reason,
      amount_minor: Number(isIn ? figures.difference : -figures.difference) }] }).catch(atField);
  await ctx.db.exec(sql`
    insert into bank_reconciliation_ticks (bank_reconciliation_id, bank_account_id, ledger_line_id, is_adjustment,
      reason, created_by_id)
    select ${id}, ${account.id}, id, true, ${body.reason}, ${ctx.actor.actor_id} from journal_entries
    where transaction_id = ${transaction} and ledger_account_id = ${account.ledger_account_id} order by id`);
  await ctx.db.exec(sql`update bank_reconciliations set version = version + 1 where id = ${id}`);
  return row;
}

/** A refusal of the only line stands at the fields of the form. */
function atField(error: unknown): never {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {};
  const [path, words] = Object.entries(errors)[0] ?? [];
  if (path === undefined) throw error;
  throw invalidField(path === 'on' ? 'reason' : path.replace(/^lines\.0\./, ''), words![0]!);
}

function blockText(block: Sides['blocks'][number], currency: string): string {
  switch (block.code) {
    case 'unmatched': return block.count === 1 ? 'One line of the bank is not matched.'
      : `${block.count} lines of the bank are not matched.`;
    case 'difference': return `The difference is ${currency} ${formatMinor(block.amount)}.`;
    case 'books': return `The books differ from the bank by ${currency} ${formatMinor(block.amount)} that no open `
      + 'entry explains. Check the opening balance of the account.';
    case 'balance_mismatch': return 'The balances of a statement do not add up. Import the statement again from the '
      + 'bank.';
    case 'gap': return 'An earlier statement is missing. Import it.';
  }
}

async function finish(ctx: Ctx, id: number, version: number): Promise<ReconciliationRow> {
  const row = await lockOpen(ctx, id, version);
  const account = await reconciledAccount(ctx, row.bank_account_id);
  await ctx.db.query(sql`
    select 1 from bank_transactions where bank_account_id = ${account.id} and state = 'booked' and deleted_at is null
      and bank_reconciliation_id is null and booked_on <= ${row.to_on} order by id for update`);
  const of = reconciledOf(account, row);
  const sides = await sidesOf(ctx.db, of);
  if (sides.blocks.length > 0) {
    throw conflict('reconciliation.not_ready',
      sides.blocks.map((block) => blockText(block, account.currency)).join(' '),
      { blocks: sides.blocks.map((block) => block.code) });
  }
  await asLedgerCall(ctx.db.exec(sql`update bank_reconciliations set status = 'finished',
    finished_at = ${ctx.now().toISOString()}, finished_by_id = ${ctx.actor.actor_id},
    report = ${JSON.stringify(reportOf(of, sides))}, version = version + 1 where id = ${id}`));
  return row;
}

/** The latest finished one is undone and stands open again, its ticks with it. Answers the new one. */
async function undo(ctx: Ctx, id: number, body: BodyOf<typeof reconciliationEndpoints.undo>): Promise<number> {
  await ctx.db.query(sql`select 1 from bank_accounts b join bank_reconciliations r on r.bank_account_id = b.id
    where r.id = ${id} for no key update of b`);
  await ctx.db.query(sql`select 1 from bank_reconciliations where id = ${id} for update`);
  const row = await findRow(ctx, id);
  if (row.version !== body.version) throw stale(row);
  if (row.status !== 'finished') throw conflict('reconciliation.closed', `This reconciliation is ${row.status}.`);
  if (!row.is_latest) {
    throw conflict('reconciliation.not_latest', 'A later reconciliation of this account is finished.');
  }
  const open = await ctx.db.maybeOne(sql`
    select 1 from bank_reconciliations where bank_account_id = ${row.bank_account_id} and status = 'open'`);
  if (open) throw conflict('reconciliation.open', 'Finish or discard the open reconciliation of this account first.');
  await asLedgerCall(ctx.db.exec(sql`update bank_reconciliations set status = 'undone',
    undone_at = ${ctx.now().toISOString()}, undone_by_id = ${ctx.actor.actor_id}, undo_reason = ${body.reason},
    version = version + 1 where id = ${id}`));
  await ctx.audit({ action: 'undo', entity: 'bank_reconciliation', entity_id: id, before: row,
    after: await findRow(ctx, id) });
  const again = await insertOpen(ctx, await reconciledAccount(ctx, row.bank_account_id), row);
  await ctx.db.exec(sql`
    insert into bank_reconciliation_ticks (bank_reconciliation_id, bank_account_id, ledger_line_id, is_adjustment,
      reason, created_by_id)
    select ${again}, bank_account_id, ledger_line_id, is_adjustment, reason, created_by_id
    from bank_reconciliation_ticks where bank_reconciliation_id = ${id} order by ledger_line_id`);
  return again;
}

async function discard(ctx: Ctx, id: number, version: number): Promise<ReconciliationRow> {
  const row = await lockOpen(ctx, id, version);
  await ctx.db.exec(sql`update bank_reconciliations set status = 'discarded', version = version + 1 where id = ${id}`);
  return row;
}

async function runsOf(ctx: Ctx, { account, to_on }: Reconciled): Promise<ReconciliationWork['runs']> {
  const runs = await runsUpTo(ctx.db, { ...account, bank_account_id: account.id }, to_on);
  return runs.map((run) => ({ kind: run.kind as RunSide['kind'], id: run.id, label: run.label,
    value_on: run.document_on, amount_minor: -Number(run.open_minor) }));
}

async function workOf(ctx: Ctx, query: QueryOf<typeof reconciliationEndpoints.work>): Promise<ReconciliationWork> {
  const account = await accountOf(ctx.db, query.bank_account_id);
  if (!account) throw refuse('not_found');
  const { ledger_account_id: _, opening_on: _on, opening_transaction_id: _by, closed_on: _closed, ...shown } = account;
  const row = await ctx.db.maybeOne<ReconciliationRow>(sql`
    select ${COLUMNS} from bank_reconciliations t ${JOINS}
    where t.bank_account_id = ${account.id} and t.status = 'open'`);
  const statements = await ctx.db.query<ReconciliationWork['statements'][number]>(sql`
    select id, number, from_on::text as from_on, coalesce(closing_on, to_on)::text as to_on, closing_minor
    from bank_statements where bank_account_id = ${account.id} and kind = 'statement' and closing_minor is not null
      and taken_back_at is null
      and coalesce(closing_on, to_on) is not null
      and (${account.reconciled_to_on}::date is null or coalesce(closing_on, to_on) > ${account.reconciled_to_on}::date)
      and (${query.statement_id ?? null}::bigint is null or id = ${query.statement_id ?? null})
    order by coalesce(closing_on, to_on), id limit 200`);
  if (!row) {
    return { account: shown, reconciliation: null, statements, figures: null, report: null, blocks: [], lines: [],
      entries: [], entry_count: 0, runs: [] };
  }
  const of = reconciledOf(account, row);
  const sides = await sidesOf(ctx.db, of);
  const { figures } = sides;
  return { account: shown, reconciliation: row, statements,
    figures: { matched_minor: Number(figures.matched), matched_count: sides.lines.length - figures.unmatched_count,
      ticked_minor: Number(figures.ticked), ticked_count: sides.entries.filter((one) => one.is_ticked).length,
      cleared_minor: Number(figures.cleared), unmatched_minor: Number(figures.unmatched),
      unmatched_count: figures.unmatched_count, difference_minor: Number(figures.difference) },
    report: { ...reportOf(of, sides), outstanding: [], unmatched: [] },
    blocks: sides.blocks.map((block) => ({ code: block.code, text: blockText(block, account.currency),
      bank_statement_id: 'statement_id' in block ? block.statement_id : null })),
    lines: sides.lines.slice(0, SHOWN_LINES), entries: sides.entries.slice(0, SHOWN_LINES),
    entry_count: sides.entries.length, runs: await runsOf(ctx, of) };
}

/** The stored report of a finished one; of an open one as it stands. */
async function detailOf(ctx: Ctx, id: number): Promise<ReconciliationDetail> {
  const row = await findRow(ctx, id);
  const stored = await ctx.db.one<{ report: ReconciliationReport | null }>(sql`
    select report from bank_reconciliations where id = ${id}`);
  if (row.status !== 'open') return { ...row, report: stored.report };
  const of = reconciledOf(await reconciledAccount(ctx, row.bank_account_id), row);
  return { ...row, report: reportOf(of, await sidesOf(ctx.db, of)) };
}

async function told(ctx: Ctx, id: number, action: string, before?: ReconciliationRow, more: object = {}) {
  const data = await findRow(ctx, id);
  await ctx.audit({ action, entity: 'bank_reconciliation', entity_id: id, after: { ...data, ...more },
    ...(before ? { before } : {}) });
  return { data };
}

type Query = QueryOf<typeof reconciliationEndpoints.list>;
const listRows = (ctx: Ctx, query: Query) => listPage<ReconciliationRow>(ctx.db, {
  base: sql`bank_reconciliations t`, columns: COLUMNS, joins: JOINS, conditions: compact([
    query.bank_account_id !== undefined && sql`t.bank_account_id = ${query.bank_account_id}`,
    query.division !== undefined && sql`t.bank_account_id in (
      select id from bank_accounts where division = ${query.division})`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.search !== undefined && matches(sql`(select search_words(b.name, n.name, s.number)
      from bank_accounts b join banks n on n.id = b.bank_id left join bank_statements s on s.id = t.bank_statement_id
      where b.id = t.bank_account_id)`, query.search),
  ]),
  sorts: { to_on: sql`t.to_on`, updated_at: sql`t.updated_at` }, defaultSort: 'to_on', defaultDirection: 'desc',
}, query, reconciliationEndpoints.list.path);

export const reconciliationRoutes: Route[] = serve(reconciliationEndpoints, {
  work: async (ctx, { query }) => ({ data: await workOf(ctx, query) }),
  match: async (ctx, { body }) => ({ data: await tickLines(ctx, body) }),
  list: (ctx, { query }) => listRows(ctx, query),
  show: async (ctx, { params }) => ({ data: await detailOf(ctx, params.id) }),
  start: async (ctx, { body }) => told(ctx, await start(ctx, body), 'start'),
  update: async (ctx, { params, body }) => told(ctx, params.id, 'update', await update(ctx, params.id, body)),
  tick: async (ctx, { params, body }) => told(ctx, params.id, body.ticked ? 'tick' : 'untick',
    await tick(ctx, params.id, body), { ledger_line_ids: body.ledger_line_ids }),
  adjust: async (ctx, { params, body }) => told(ctx, params.id, 'adjust', await adjust(ctx, params.id, body), body),
  async finish(ctx, { params, body }) {
    await told(ctx, params.id, 'finish', await finish(ctx, params.id, body.version));
    return { data: await detailOf(ctx, params.id) };
  },
  discard: async (ctx, { params, body }) => told(ctx, params.id, 'discard',
    await discard(ctx, params.id, body.version)),
  undo: async (ctx, { params, body }) => told(ctx, await undo(ctx, params.id, body), 'start'),
  document: async (ctx, { params }) => reportDocument(ctx, await detailOf(ctx, params.id)),
});
