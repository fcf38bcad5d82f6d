/** Opening balances: routes with their handlers (X92 to X96). */
import { OPENING_FIELDS } from './opening-fields.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import type { OpeningKind } from '#kernel/ledger/opening-sets.ts';
import { KIND_LABELS, openingSetEndpoints, type OpeningLine, type OpeningSetDetail, type OpeningSetRow,
} from './opening-set.contract.ts';
import { postSet } from './post-set.server.ts';
import { declineReversal, reverseSet } from './reverse-set.server.ts';
import { controlsOf, findSet, lockSet, SET_LIST } from './set-store.server.ts';
import { uploadSet } from './upload-set.server.ts';

/** The set after the work. */
async function after(ctx: Ctx, id: number, work: Promise<unknown>): Promise<{ data: OpeningSetDetail }> {
  await work;
  return { data: await findSet(ctx.db, id) };
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The heads of a kind with one example row. */
function templateOf(kind: OpeningKind) {
  const fields = Object.values(OPENING_FIELDS[kind]);
  const rows = [fields.map((field) => field.label), fields.map((field) => field.example ?? '')];
  return { filename: `opening-balances-${kind.replaceAll('_', '-')}.csv`, content_type: 'text/csv; charset=utf-8',
    content: Buffer.from(`\ufeff${rows.map((row) => row.map(quoted).join(',')).join('\r\n')}\r\n`) };
}

async function removeSet(ctx: Ctx, id: number): Promise<void> {
  const set = await lockSet(ctx, id, 'draft', null);
  await ctx.db.exec(sql`delete from opening_lines where opening_set_id = ${id}`);
  await ctx.db.exec(sql`delete from opening_sets where id = ${id}`);
  await ctx.audit({ action: 'delete', entity: 'opening_set', entity_id: id,
    before: { division: set.division, kind: set.kind, as_of: set.as_of, row_count: set.row_count } });
}

export const openingSetRoutes: Route[] = serve(openingSetEndpoints, {
  list: (ctx, { query }) => listPage<OpeningSetRow>(ctx.db, { ...SET_LIST, conditions: compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    Boolean(query.search) && sql`(${mentions(sql`(${JSON.stringify(KIND_LABELS)}::jsonb ->> t.kind)`,
      query.search ?? '')} or exists (select 1 from files o where o.id = t.file_id
        and ${mentions(sql`o.original_name`, query.search ?? '')}))`,
  ]) }, query, openingSetEndpoints.list.path),
  controls: async (ctx, { query }) => ({ data: await controlsOf(ctx.db, query.division) }),
  create: async (ctx, { body }) => ({ data: await findSet(ctx.db, await uploadSet(ctx, body, ctx.file!)) }),
  show: async (ctx, { params }) => ({ data: await findSet(ctx.db, params.id) }),
  async lines(ctx, { params, query }) {
    await findSet(ctx.db, params.id);
    return listPage<OpeningLine>(ctx.db, { base: sql`opening_lines t`,
      columns: sql`t.id, t.row_no, t.label, t.account_code as account, t.currency, t.amount_minor, t.base_minor,
        t.problems, t.cells, case when d.id is not null then jsonb_build_object('kind', d.kind, 'id', d.id,
          'number', d.number) end as document, t.transaction_id`,
      joins: sql`left join lateral ledger_document(t.document_type, t.document_id) d on true`,
      conditions: compact([sql`t.opening_set_id = ${params.id}`,
        query.has_problems !== undefined && sql`(t.problems <> '[]') = ${query.has_problems === 'true'}`,
        Boolean(query.search) && mentions(sql`t.label || ' ' || array_to_string(t.cells, ' ')`, query.search ?? '')]),
      sorts: { row_no: sql`t.row_no` }, defaultSort: 'row_no' }, query,
    openingSetEndpoints.lines.path.replace('{id}', String(params.id)));
  },
  post: (ctx, { params, body }) => after(ctx, params.id, postSet(ctx, params.id, body.version)),
  reverse: (ctx, { params, body }) => after(ctx, params.id, reverseSet(ctx, params.id, body)),
  declineReversal: (ctx, { params, body }) => after(ctx, params.id, declineReversal(ctx, params.id, body)),
  remove: (ctx, { params }) => removeSet(ctx, params.id),
  template: async (_ctx, { params }) => templateOf(params.kind),
});
