/** Lines of drafts one by one, and the parties that a line can name. The draft is saved whole each time. */
import { invalidField, refuse } from '#kit/errors.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';
import type { PARTY_TYPES } from '../ledger-account/ledger-account.contract.ts';
import { journalEntryEndpoints, type partyRow } from './journal-entry.contract.ts';
import {
  changeTransaction, entriesWhere, findTransaction, saveDraft, type JournalBody,
} from './transaction.server.ts';
import type * as z from 'zod';

type Entry = ResponseIn<typeof journalEntryEndpoints.create>['data'];
type Line = JournalBody['journal_entries'][number];
type PartyType = (typeof PARTY_TYPES)[number];

/** The draft of a line with its lines in order; saving on a version that has changed meanwhile is refused. */
async function draftOf(ctx: Ctx, by: { entry: number } | { transaction: number }, inTrash = false) {
  const condition = 'entry' in by ? sql`id = (select transaction_id from journal_entries where id = ${by.entry})`
    : sql`id = ${by.transaction}`;
  const row = await ctx.db.maybeOne<{ id: number; status: string; in_trash: boolean }>(sql`
    select id, status, deleted_at is not null as in_trash from transactions where ${condition}`);
  if (!row || row.in_trash !== inTrash) throw refuse('not_found');
  if (row.status !== 'draft' && !inTrash) {
    throw refuse('posted_document', 'Lines of what is posted are never changed. Reverse the transaction.');
  }
  return findTransaction(ctx.db, row.id, inTrash);
}

function lineOf(entry: Entry): Line {
  return {
    ledger_account_id: entry.ledger_account_id, debit_minor: entry.debit_minor, credit_minor: entry.credit_minor,
    ...(entry.party_type === null ? {} : { party_type: entry.party_type as PartyType }),
    ...(entry.party_id === null ? {} : { party_id: entry.party_id }),
    ...(entry.memo === null ? {} : { memo: entry.memo }),
  };
}

/** Saves the draft with other lines; answers the line that stands at `at` now. */
async function saveLines(ctx: Ctx, draft: Awaited<ReturnType<typeof draftOf>>, lines: Line[], at: number) {
  const { id, division, transaction_at, description, memo, version } = draft;
  await saveDraft(ctx, id, version, { division, transaction_at, description, memo, journal_entries: lines });
  const after = await findTransaction(ctx.db, id);
  await ctx.audit({ action: 'update', entity: 'transaction', entity_id: id, before: draft, after });
  return after.journal_entries[at];
}

/** Tables of parties by kind; kinds without a table have no parties yet. */
const PARTIES: Partial<Record<PartyType, { table: Sql; name: Sql; note: Sql; condition: Sql }>> = {
  customer: { table: sql`customers`, name: sql`t.name`, note: sql`t.number`, condition: sql`t.deleted_at is null` },
  royaltor: { table: sql`royaltors`, name: sql`t.name`, note: sql`coalesce(t.email, '')`,
    condition: sql`t.deleted_at is null` },
  staff: { table: sql`users`, name: sql`t.first_name || ' ' || t.last_name`, note: sql`t.email::text`,
    condition: sql`t.role in ('staff_admin', 'staff_user', 'system_admin') and t.disabled_at is null` },
  tax_authority: { table: sql`tax_authorities`, name: sql`t.name`, note: sql`t.jurisdiction`, condition: sql`true` },
  division: { table: sql`divisions`, name: sql`t.name`, note: sql`t.code`, condition: sql`true` },
};

async function parties(ctx: Ctx, type: PartyType, query: { page: number; per_page: number; search?: string | undefined;
  ensure_ids?: string | undefined; sort_direction?: 'asc' | 'desc' | undefined }) {
  const path = journalEntryEndpoints.parties.path.replace('{type}', type);
  const from = PARTIES[type];
  if (!from) return pageOf<z.input<typeof partyRow>>([], 0, query, path);
  const found = query.search === undefined ? sql`true`
    : mentions(sql`${from.name} || ' ' || ${from.note}`, query.search);
  const order = query.sort_direction === 'desc' ? sql`desc` : sql`asc`;
  const rows = await ctx.db.query<z.input<typeof partyRow>>(sql`
    select t.id, ${from.name} as name, ${from.note} as note from ${from.table} t where ${from.condition} and ${found}
    order by ${from.name} collate "und-x-icu" ${order}, t.id limit ${query.per_page}
    offset ${(query.page - 1) * query.per_page}`);
  const { n } = await ctx.db.one<{ n: number }>(sql`
    select count(*) as n from ${from.table} t where ${from.condition} and ${found}`);
  const wanted = (query.ensure_ids?.split(',') ?? []).map(Number).filter((id) => !rows.some((row) => row.id === id));
  const ensured = wanted.length === 0 ? [] : await ctx.db.query<z.input<typeof partyRow>>(sql`
    select t.id, ${from.name} as name, ${from.note} as note from ${from.table} t where t.id = any(${wanted}::bigint[])
    order by ${from.name} collate "und-x-icu"`);
  const page = pageOf(rows, n, query, path);
  return { ...page, data: [...ensured, ...rows] };
}

export const journalEntryRoutes: Route[] = serve(journalEntryEndpoints, {
  async create(ctx, { body: { transaction_id, ...line } }) {
    const draft = await draftOf(ctx, { transaction: transaction_id });
    const lines = [...draft.journal_entries.map(lineOf), line];
    return { data: (await saveLines(ctx, draft, lines, lines.length - 1))! };
  },
  async update(ctx, { params, body: { transaction_id, ...line } }) {
    const draft = await draftOf(ctx, { entry: params.id });
    if (transaction_id !== undefined && transaction_id !== draft.id) {
      throw invalidField('transaction_id', 'A line stays in its transaction. Remove it here and add it there.');
    }
    const at = draft.journal_entries.findIndex((entry) => entry.id === params.id);
    const lines = draft.journal_entries.map((entry, k) => (k === at ? line : lineOf(entry)));
    return { data: (await saveLines(ctx, draft, lines, at))! };
  },
  async remove(ctx, { params }) {
    const draft = await draftOf(ctx, { entry: params.id });
    await saveLines(ctx, draft, draft.journal_entries.filter((entry) => entry.id !== params.id).map(lineOf), 0);
  },
  trash: (ctx, { query }) => entriesWhere(ctx, query, [
    sql`exists (select 1 from transactions x where x.id = t.transaction_id and x.deleted_at is not null)`,
    ...(query.division === undefined ? [] : [sql`t.division = ${query.division}`])], journalEntryEndpoints.trash.path),
  async restore(ctx, { params }) {
    const draft = await draftOf(ctx, { entry: params.id }, true);
    const { data } = await changeTransaction(ctx, draft.id, 'restore',
      sql`select ledger_draft_trash(${draft.id}::bigint, false)`, true);
    return { data: data.journal_entries.find((entry) => entry.id === params.id)! };
  },
  async purge(ctx, { params }) {
    const draft = await draftOf(ctx, { entry: params.id }, true);
    await changeTransaction(ctx, draft.id, 'purge', sql`select ledger_draft_purge(${draft.id}::bigint)`, true);
  },
  parties: (ctx, { params, query }) => parties(ctx, params.type, query),
});
