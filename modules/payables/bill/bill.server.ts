/** Bill endpoints with their handlers. */
import { refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { applyCredit, takeOffCredit } from './apply-credit.server.ts';
import { choicesOf } from './bill-lines.server.ts';
import { billOf, billPage, payableOnly } from './bill-rows.server.ts';
import { billEndpoints, type BillChange } from './bill.contract.ts';
import {
  approveBill, declineBill, holdBill, recallBill, submitBill, voidBill,
} from './decide-bill.server.ts';
import { billReturn } from './tax-return-bill.server.ts';
import { taxesDue } from './taxes-due.server.ts';
import { changeBill, enterBill, purgeBill, restoreBill, trashBill } from './save-bill.server.ts';

interface OfBill { params: { id: number } }

async function change(ctx: Ctx, { params, body }: OfBill & { body: BillChange }) {
  await changeBill(ctx, params.id, body, ctx.file);
  return { data: await billOf(ctx, params.id) };
}

/** The bill after a step of its way. */
const after = <B>(step: (ctx: Ctx, id: number, body: B) => Promise<void>) =>
  async (ctx: Ctx, { params, body }: OfBill & { body: B }) => {
    await step(ctx, params.id, body);
    return { data: await billOf(ctx, params.id) };
  };

export const billRoutes: Route[] = serve(billEndpoints, {
  list: (ctx, { query }) => billPage(ctx, query, sql`t.deleted_at is null`, billEndpoints.list.path),
  payable: (ctx, { query }) => billPage(ctx, query, payableOnly(query), billEndpoints.payable.path),
  choices: async (ctx, { query }) => ({ data: await choicesOf(ctx, query.division, query.on) }),
  taxes: async (ctx, { query }) => ({ data: await taxesDue(ctx, query.division, query.on) }),
  async payReturn(ctx, { params, body }) {
    return { data: await billOf(ctx, await billReturn(ctx, params.id, body.vendor_id)) };
  },
  trash: (ctx, { query }) => billPage(ctx, query, sql`t.deleted_at is not null`, billEndpoints.trash.path),
  show: async (ctx, { params }) => ({ data: await billOf(ctx, params.id) }),
  async create(ctx, { body }) {
    return { data: await billOf(ctx, await enterBill(ctx, body, ctx.file)) };
  },
  change,
  update: change,
  remove: (ctx, { params }) => trashBill(ctx, params.id, ctx.ifMatch),
  async restore(ctx, { params }) {
    await restoreBill(ctx, params.id);
    return { data: await billOf(ctx, params.id) };
  },
  purge: (ctx, { params }) => purgeBill(ctx, params.id),
  submit: after((ctx, id, { version }: { version: number }) => submitBill(ctx, id, version)),
  recall: after((ctx, id, { version }: { version: number }) => recallBill(ctx, id, version)),
  approve: after((ctx, id, { version }: { version: number }) => approveBill(ctx, id, version)),
  decline: after(declineBill),
  hold: after(holdBill),
  release: after((ctx, id, { version }: { version: number }) => holdBill(ctx, id, { version, reason: null })),
  void: after(voidBill),
  applyCredit: after(applyCredit),
  takeOffCredit: (ctx, { params }) => takeOffCredit(ctx, params.id, params.applicationId),
  async file(ctx, { params }) {
    const row = await ctx.db.maybeOne<{ storage_key: string; original_name: string; mime_type: string }>(sql`
      select f.storage_key, f.original_name, f.mime_type from bills b join files f on f.id = b.document_id
      where b.id = ${params.id}`);
    if (!row) throw refuse('not_found');
    return { filename: row.original_name, content_type: row.mime_type, inline: true,
      content: await ctx.ports.files.get(row.storage_key) };
  },
});
