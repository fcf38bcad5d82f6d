/** Perusals of a customer: asking, and reading page by page while one is open. */
import { conflict, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import { pagePicture } from '#modules/catalogue/catalogue.public.server.ts';
import { withCounterRole, type Ctx, type WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { keyOf, outside } from '#server/outside.ts';
import { limit } from '#server/rate-limit.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { askPerusal, optionsOf } from './ask-perusal.server.ts';
import { partsOf, SHARED_COLUMNS, SHARED_JOINS, type Part } from './perusal-rows.server.ts';
import { portalPerusalEndpoints, type PortalPerusal } from './perusal.contract.ts';
import type { ResponseIn } from '#kit/endpoint.ts';

type Detail = ResponseIn<typeof portalPerusalEndpoints.show>['data'];
const COLUMNS = sql`${SHARED_COLUMNS}, t.reason, t.message`;

/** The pages are the house's until they are shown, so how many there are is asked at the counter. */
async function detail(ctx: WorkContext, customerId: number, id: number): Promise<Detail> {
  return withCounterRole(ctx, async ({ db }) => {
    const row = await db.maybeOne<PortalPerusal>(sql`
      select ${COLUMNS} from perusals t ${SHARED_JOINS} where t.id = ${id} and t.customer_id = ${customerId}`);
    if (!row) throw refuse('not_found');
    const materials = await db.query<Detail['materials'][number]>(sql`
      select m.id, m.name from perusal_materials p join materials m on m.id = p.material_id
      where p.perusal_id = ${id} order by p.sort, p.id`);
    const parts = isOpen(row, ctx.now()) ? await partsOf(db, id) : [];
    return { ...row, materials, parts, pages: parts.reduce((sum, part) => sum + part.pages, 0),
      // The job that ends it comes by the hour; the reader is told at once.
      status: row.status === 'active' && parts.length === 0 && !isOpen(row, ctx.now()) ? 'expired' : row.status };
  });
}

const isOpen = (row: Pick<PortalPerusal, 'status' | 'expires_at'>, now: Date): boolean =>
  row.status === 'active' && row.expires_at !== null && new Date(row.expires_at) > now;

type Way = 'picture' | 'text';
interface Page { part: Part; number: string; customer_name: string }

/** Finds a page and records that it was shown: written before it is sent, whatever the browser does with it. */
async function turnTo(ctx: Ctx, at: { id: number; perusalId: number; page: number }, way: Way): Promise<Page> {
  await limit(ctx, `perusal_page:${ctx.user.user_id}`, 1500, 3600);
  // A reading customer's request writes nothing but this: once, however often the reading is repeated for a picture.
  const once = keyOf('perusal page', at, way, ctx.user.user_id);
  return outside(once, () => (ctx.counter ?? ctx.ports.db).tx(async (tx) => {
    const row = await tx.maybeOne<PortalPerusal & { customer_name: string }>(sql`
      select ${COLUMNS}, c.name as customer_name
      from perusals t ${SHARED_JOINS} join customers c on c.id = t.customer_id
      where t.id = ${at.perusalId} and t.customer_id = ${at.id}`);
    if (!row) throw refuse('not_found');
    if (!isOpen(row, ctx.now())) {
      throw conflict('perusal.over', 'This perusal is not open. What was lent has come to its end.');
    }
    const part = (await partsOf(tx, row.id)).find((one) =>
      at.page >= one.first_page && at.page < one.first_page + one.pages);
    if (!part) throw refuse('not_found');
    await tx.exec(sql`insert into perusal_views (perusal_id, user_id, page, way, created_at)
      values (${row.id}, ${ctx.user.user_id}, ${at.page}, ${way}, ${ctx.now().toISOString()})`);
    return { part, number: row.number, customer_name: row.customer_name };
  }));
}

const textOf = (db: Queryable, part: Part, page: number) => db.maybeOne<{ text: string }>(sql`
  select text from material_file_pages where material_file_id = ${part.file_id}
    and page = ${page - part.first_page + 1}`);

export const portalPerusalRoutes: Route[] = serve(portalPerusalEndpoints, {
  list: (ctx, { params, query }) => listPage<PortalPerusal>(ctx.db, {
    base: sql`perusals t`, columns: COLUMNS, joins: SHARED_JOINS,
    conditions: compact([sql`t.customer_id = ${params.id}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.show_id !== undefined && sql`t.show_id = ${query.show_id}`]),
    sorts: { updated_at: sql`t.updated_at`, expires_at: sql`t.expires_at` },
    defaultSort: 'updated_at', defaultDirection: 'desc',
  }, query, `/api/customers/${params.id}/perusals`),
  show: async (ctx, { params }) => ({ data: await detail(ctx, params.id, params.perusalId) }),
  async create(ctx, { params, body }) {
    // Books by post cost a fee: asking for them is not for readers alone (domain.md 5, gaps G84).
    if (body.format === 'physical' && ctx.user.customers.get(params.id) === 'member') {
      throw refuse('forbidden', spell`An admin or signer of your organization asks for books by post.`);
    }
    const id = await askPerusal(ctx, { ...body, customer_id: params.id }, { user_id: ctx.user.user_id, staff: false });
    return { data: await detail(ctx, params.id, id) };
  },
  async page(ctx, { params }) {
    const { part, number, customer_name } = await turnTo(ctx, params, 'picture');
    const reader = `${ctx.user.first_name} ${ctx.user.last_name}, ${ctx.user.email}`;
    const at = ctx.now().toISOString().slice(0, 16).replace('T', ' ');
    const picture = await pagePicture(ctx, part.storage_key, params.page - part.first_page + 1, { across: reader,
      foot: `${number}, lent to ${customer_name}. Read by ${reader}, ${at} UTC. Not to be copied or performed.` });
    return { ...picture, filename: `${number}, page ${params.page}.jpg` };
  },
  async pageText(ctx, { params }) {
    const { part } = await turnTo(ctx, params, 'text');
    const found = await withCounterRole(ctx, ({ db }) => textOf(db, part, params.page));
    return { data: { page: params.page, text: found?.text ?? '' } };
  },
  options: async (ctx, { params }) => ({ data: await withCounterRole(ctx, ({ db }) =>
    optionsOf(db, params.id, params.showId)) }),
});
