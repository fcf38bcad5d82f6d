/** Transactions, journals written by hand, lines of the journal. The ledger's own functions do every write. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { invalid, invalidField, refuse, type FieldErrors } from '#kit/errors.ts';
import type { BodyOf, ListArgs } from '#kit/endpoint.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { inLedger, type Sql, sql } from '#server/sql.ts';
import type * as z from 'zod';
import { checkYearEnd, refuseWrittenYearEnd, tellOfYearEnd } from '../period/year-end.server.ts';
import { reverseTransaction } from '../ledger/post.server.ts';
import { asLedgerCall } from '../ledger/ledger-error.server.ts';
import { DOCUMENTS, nameOf, pageOf } from './transaction-document.contract.ts';
import {
  transactionEndpoints, type journalEntryRow, type transactionDetail, type transactionRow,
} from './transaction.contract.ts';

type Row = z.infer<typeof transactionRow>;
type Entry = z.infer<typeof journalEntryRow>;
type Preparer = Pick<z.infer<typeof transactionDetail>, 'prepared_by_id' | 'prepared_by_name'>;

const COLUMNS = sql`t.id, t.division, t.kind, k.name as kind_name, t.number, t.status, t.transaction_at, t.period,
  t.direction, t.currency, t.total_minor, t.description, t.memo, t.source_type, t.source_id, t.source_event,
  (select jsonb_build_object('kind', d.kind, 'id', d.id, 'number', d.number) from ledger_source(t.id) s,
    ledger_document(s.source_type, s.source_id) d) as document,
  t.status = 'posted' and (select s.source_type is null from ledger_source(t.id) s) as is_reversible,
  t.reverses_id, o.number as reverses_number, r.id as reversed_by_id, r.number as reversed_by_number, t.reversal_reason,
  t.has_posting_discrepencies, t.posted_at, u.first_name || ' ' || u.last_name as posted_by_name, t.version,
  t.created_at, t.updated_at`;
const JOINS = sql`join transaction_kinds k on k.kind = t.kind left join users u on u.id = t.posted_by
  left join transactions o on o.id = t.reverses_id left join transactions r on r.reverses_id = t.id`;

/** Number of a transaction with the alias `x`, else of the document that posted it. */
const NUMBER = sql`coalesce(x.number, (select d.number from ledger_source(x.id) s,
  ledger_document(s.source_type, s.source_id) d))`;
const ENTRY_COLUMNS = sql`t.id, t.transaction_id, t.line_no, ${NUMBER} as number, x.status,
  x.description, t.transaction_at, t.division, t.ledger_account_id,
  a.code as account_code, a.name as account_name, t.currency, greatest(t.base_amount_minor, 0) as debit_minor,
  greatest(-t.base_amount_minor, 0) as credit_minor, t.amount_minor, t.base_amount_minor, t.fx_rate::text as fx_rate,
  t.party_type, t.party_id, case t.party_type
    when 'customer' then (select c.name from customers c where c.id = t.party_id)
    when 'royaltor' then (select r.name from royaltors r where r.id = t.party_id)
    when 'tax_authority' then (select x.name from tax_authorities x where x.id = t.party_id)
    when 'staff' then (select s.first_name || ' ' || s.last_name from users s where s.id = t.party_id)
    when 'division' then (select d.name from divisions d where d.id = t.party_id) end as party_name,
  t.invoice_id, t.license_id, t.show_id, t.payment_id, t.memo`;
const ENTRY_JOINS = sql`join ledger_accounts a on a.id = t.ledger_account_id
  join transactions x on x.id = t.transaction_id`;

/** Transactions whose document has a number like this. */
const ofDocument = (search: string): Sql => sql`(t.source_type, t.source_id) in (
  select 'invoice', i.id from invoices i where ${inLedger(sql`i.invoice_number`, search)}
  union all select 'payment', p.id from payments p where ${inLedger(sql`p.number`, search)}
  union all select 'royalty_statement', m.id from royalty_statements m where ${inLedger(sql`m.number`, search)})`;

async function listTransactions(ctx: Ctx, query: ListArgs & Record<string, unknown>, inTrash: boolean) {
  const search = query.search;
  const page = await listPage<Row>(ctx.db, {
    base: sql`transactions t`, columns: COLUMNS, joins: JOINS,
    conditions: compact([
      inTrash ? sql`t.deleted_at is not null` : sql`t.deleted_at is null`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.direction !== undefined && sql`t.direction = ${query.direction}`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.transaction_at_from !== undefined && sql`t.transaction_at >= ${query.transaction_at_from}`,
      query.transaction_at_to !== undefined && sql`t.transaction_at <= ${query.transaction_at_to}`,
      query.has_posting_discrepencies !== undefined
        && sql`t.has_posting_discrepencies = ${query.has_posting_discrepencies}`,
      query.license_id !== undefined && sql`exists (select 1 from journal_entries e where e.transaction_id = t.id
        and e.license_id = ${query.license_id})`,
      search !== undefined && sql`(${inLedger(sql`t.description`, search)}
        or ${inLedger(sql`t.number`, search)} or t.id::text = ${search} or ${ofDocument(search)})`,
    ]),
    sorts: { transaction_at: sql`t.transaction_at`, id: sql`t.id`, updated_at: sql`t.updated_at`,
      total_minor: sql`t.total_minor` },
    defaultSort: 'transaction_at', defaultDirection: 'desc',
  }, query, `/api/admin/staff/accounting/transactions${inTrash ? '/trash' : ''}`);
  return query.with === undefined ? page : { ...page, data: await withEntries(ctx.db, page.data) };
}

/** Rows with their lines. */
async function withEntries(db: Queryable, rows: readonly Row[]) {
  const entries = await db.query<Entry>(sql`
    select ${ENTRY_COLUMNS} from journal_entries t ${ENTRY_JOINS}
    where t.transaction_id = any(${rows.map((row) => row.id)}::bigint[]) order by t.transaction_id, t.line_no`);
  const of = Map.groupBy(entries, (entry) => entry.transaction_id);
  return rows.map((row) => ({ ...row, journal_entries: of.get(row.id) ?? [] }));
}

/** A transaction with its lines; 404. */
export async function findTransaction(db: Queryable, id: number, inTrash = false) {
  const row = await db.maybeOne<Row & Preparer>(sql`
    select ${COLUMNS}, t.created_by as prepared_by_id,
      (select p.first_name || ' ' || p.last_name from users p where p.id = t.created_by) as prepared_by_name
    from transactions t ${JOINS} where t.id = ${id} and ${inTrash ? sql`true` : sql`t.deleted_at is null`}`);
  if (!row) throw refuse('not_found');
  const journal_entries = await db.query<Entry>(sql`
    select ${ENTRY_COLUMNS} from journal_entries t ${ENTRY_JOINS} where t.transaction_id = ${id} order by t.line_no`);
  return { ...row, journal_entries };
}

export type JournalBody = BodyOf<typeof transactionEndpoints.create>;

/** Each line has one side; its account belongs to the division; amounts are in the division's own currency. */
async function linesOf(db: Queryable, body: JournalBody) {
  const errors: FieldErrors = {};
  const ids = body.journal_entries.map((line) => line.ledger_account_id);
  const accounts = new Map((await db.query<{ id: number; code: string }>(sql`
    select id, code from ledger_accounts
    where id = any (${ids}::bigint[]) and division = ${body.division} and deleted_at is null`))
    .map((account) => [account.id, account.code]));
  body.journal_entries.forEach((line, index) => {
    const at = `journal_entries.${index}`;
    if (!accounts.has(line.ledger_account_id)) {
      errors[`${at}.ledger_account_id`] = ['The chart of this division has no such account'];
    }
    if ((line.debit_minor > 0) === (line.credit_minor > 0)) {
      errors[`${at}.debit_minor`] = ['A line has a debit or a credit'];
    }
    if ((line.party_type === undefined) !== (line.party_id === undefined)) {
      errors[`${at}.party_id`] = ['Name the party and its kind'];
    }
  });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { functional_currency } = await db.one<{ functional_currency: string }>(sql`
    select functional_currency from divisions where code = ${body.division}`);
  return { accounts, currency: functional_currency };
}

/** Writes a draft with all its lines: 422 at a wrong line, 412 where another person has saved meanwhile. */
export async function saveDraft(
  ctx: WorkContext, id: number | null, version: number, body: JournalBody,
): Promise<number> {
  if (id !== null) await refuseWrittenYearEnd(ctx.db, id);
  const { accounts, currency } = await linesOf(ctx.db, body);
  const lines = body.journal_entries;
  const amounts = lines.map((line) => line.debit_minor - line.credit_minor);
  const saved = await asLedgerCall(ctx.db.one<{ id: number }>(sql`
    select ledger_draft_save(${id}::bigint, ${version}::int, ${body.division}::text, 'journal',
      ${body.transaction_at}::date, ${body.description}::text, ${body.memo}::text, ${ctx.actor.actor_id}::bigint,
      ${lines.map((line) => accounts.get(line.ledger_account_id))}::text[], ${lines.map(() => currency)}::text[],
      ${amounts}::bigint[], ${amounts}::bigint[], ${lines.map((line) => line.party_type ?? null)}::text[],
      ${lines.map((line) => line.party_id ?? null)}::bigint[], null::numeric[], null::bigint[], null::bigint[],
      null::date[], ${lines.map((line) => line.memo ?? null)}::text[]) as id`));
  if (body.direction !== undefined) await checkDirection(ctx.db, saved.id, body.direction);
  return saved.id;
}

async function checkDirection(db: Queryable, id: number, direction: string): Promise<void> {
  const row = await db.one<{ direction: string }>(sql`select direction from transactions where id = ${id}`);
  if (row.direction !== direction) {
    throw invalidField('direction', `By its lines on cash accounts this journal is ${row.direction}`);
  }
}

/** One write on a transaction by the ledger's function, audited with what stood there before. */
export async function changeTransaction(ctx: Ctx, id: number, action: string, statement: Sql, inTrash = false) {
  const before = await findTransaction(ctx.db, id, inTrash);
  await asLedgerCall(ctx.db.query(statement));
  const after = action === 'purge' ? null : await findTransaction(ctx.db, id, true);
  await ctx.audit({ action, entity: 'transaction', entity_id: id, before, after });
  return { data: after! };
}

export function entriesWhere(ctx: Ctx, args: ListArgs, conditions: Sql[], path: string) {
  const search = args.search !== undefined && sql`(${inLedger(sql`t.memo`, args.search)} or t.transaction_id in (
    select t.id from transactions t where ${inLedger(sql`t.description`, args.search)}
      or ${inLedger(sql`t.number`, args.search)} or t.id::text = ${args.search} or ${ofDocument(args.search)}))`;
  return listPage<Entry>(ctx.db, {
    base: sql`journal_entries t`, columns: ENTRY_COLUMNS, joins: ENTRY_JOINS,
    conditions: compact([...conditions, search]),
    sorts: { transaction_at: sql`t.transaction_at`, id: sql`t.id` }, defaultSort: 'transaction_at',
    defaultDirection: 'desc',
  }, args, path);
}

interface EntryFilters {
  status?: string | undefined;
  transaction_id?: number | undefined;
  transaction_at_from?: string | undefined;
  transaction_at_to?: string | undefined;
}

/** Entries in the books, unless a state or one transaction is asked for; never those in the trash. */
function inBooks(query: EntryFilters): Sql[] {
  const state = query.status !== undefined ? sql`x.status = ${query.status}`
    : query.transaction_id === undefined ? sql`x.status in ('posted', 'reversed')` : sql`true`;
  return compact([
    sql`exists (select 1 from transactions x where x.id = t.transaction_id and x.deleted_at is null and ${state})`,
    query.transaction_at_from !== undefined && sql`t.transaction_at >= ${query.transaction_at_from}`,
    query.transaction_at_to !== undefined && sql`t.transaction_at <= ${query.transaction_at_to}`,
  ]);
}

const ENTRY_FILTERS = ['division', 'ledger_account_id', 'transaction_id', 'party_type', 'party_id', 'currency',
  'license_id'] as const;
const ENTRY_COLUMN: Record<(typeof ENTRY_FILTERS)[number], Sql> = {
  division: sql`t.division`, ledger_account_id: sql`t.ledger_account_id`, transaction_id: sql`t.transaction_id`,
  party_type: sql`t.party_type`, party_id: sql`t.party_id`, currency: sql`t.currency`, license_id: sql`t.license_id`,
};

/** Refuses to reverse a document's posting, which only that document may do: 409 with the way and its page. */
function refuseDocument(row: Row): void {
  if (row.is_reversible || row.status !== 'posted') return;
  const { document } = row;
  if (!document) throw refuse('posted_document', 'This entry belongs to a document. Reverse it there.');
  throw refuse('posted_document', `This entry belongs to ${nameOf(document)}. ${DOCUMENTS[document.kind].way}`,
    { way: DOCUMENTS[document.kind].way, href: pageOf(document) });
}

/** A closing entry is taken back on its own day: in another year it would count there. */
function reversalDay(before: Row, asked: string | undefined): string | undefined {
  if (before.kind !== 'year_end_close') return asked;
  if (asked !== undefined && asked !== before.transaction_at) {
    throw invalidField('transaction_at', `A closing entry is taken back on its own day, ${
      dateInWords(before.transaction_at)}`);
  }
  return before.transaction_at;
}

export const transactionRoutes: Route[] = serve(transactionEndpoints, {
  list: (ctx, { query }) => listTransactions(ctx, query, false),
  trash: (ctx, { query }) => listTransactions(ctx, query, true),
  show: async (ctx, { params }) => ({ data: await findTransaction(ctx.db, params.id) }),
  async create(ctx, { body }) {
    const id = await saveDraft(ctx, null, 0, body);
    const data = await findTransaction(ctx.db, id);
    await ctx.audit({ action: 'create', entity: 'transaction', entity_id: id, after: data });
    return { data };
  },
  async update(ctx, { params, body: { version, ...body } }) {
    const before = await findTransaction(ctx.db, params.id);
    await saveDraft(ctx, params.id, version, body);
    const data = await findTransaction(ctx.db, params.id);
    await ctx.audit({ action: 'update', entity: 'transaction', entity_id: params.id, before, after: data });
    return { data };
  },
  async remove(ctx, { params }) {
    await changeTransaction(ctx, params.id, 'remove', sql`select ledger_draft_trash(${params.id}::bigint, true)`);
  },
  restore: (ctx, { params }) =>
    changeTransaction(ctx, params.id, 'restore', sql`select ledger_draft_trash(${params.id}::bigint, false)`, true),
  async purge(ctx, { params }) {
    await changeTransaction(ctx, params.id, 'purge', sql`select ledger_draft_purge(${params.id}::bigint)`, true);
  },
  async post(ctx, { params, body }) {
    const closing = await checkYearEnd(ctx, params.id);
    const posted = await changeTransaction(ctx, params.id, 'post',
      sql`select ledger_draft_post(${params.id}::bigint, ${body.version}::int, ${ctx.user.user_id}::bigint)`);
    if (closing !== null) await tellOfYearEnd(ctx, params.id, closing);
    return posted;
  },
  void: (ctx, { params, body }) => changeTransaction(ctx, params.id, 'void',
    sql`select ledger_draft_void(${params.id}::bigint, ${body.version}::int, ${ctx.user.user_id}::bigint)`),
  async reverse(ctx, { params, body }) {
    const before = await findTransaction(ctx.db, params.id);
    refuseDocument(before);
    const at = reversalDay(before, body.transaction_at) ?? await ctx.today(before.division);
    const mirror = await reverseTransaction(ctx.db, {
      transaction_id: params.id, transaction_at: at, reason: body.reason, actor_id: ctx.user.user_id,
      document: null });
    await ctx.audit({ action: 'reverse', entity: 'transaction', entity_id: params.id, before,
      after: { reason: body.reason, transaction_id: mirror.transaction_id } });
    return { data: await findTransaction(ctx.db, mirror.transaction_id) };
  },
  entries: (ctx, { query }) => entriesWhere(ctx, query, [...inBooks(query),
    ...ENTRY_FILTERS.filter((key) => query[key] !== undefined).map((key) => sql`${ENTRY_COLUMN[key]} = ${query[key]}`)],
    '/api/admin/staff/accounting/journal_entries'),
  async entry(ctx, { params }) {
    const row = await ctx.db.maybeOne<Entry>(sql`
      select ${ENTRY_COLUMNS} from journal_entries t ${ENTRY_JOINS} where t.id = ${params.id}`);
    if (!row) throw refuse('not_found');
    return { data: row };
  },
  accountJournals: (ctx, { params, query }) => entriesWhere(ctx, query,
    [sql`t.ledger_account_id = ${params.id}`, ...inBooks(query)],
    `/api/admin/staff/accounting/ledger_accounts/${params.id}/journals`),
});
