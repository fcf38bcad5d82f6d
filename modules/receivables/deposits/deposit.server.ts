/** Deposit endpoints with their handlers (X109 to X111). */
import { refuse } from '#kit/errors.ts';
import type { ResponseIn } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { depositEndpoints } from '../payments/payment.contract.ts';
import { disposeDeposit, type Disposition } from './dispose-deposit.server.ts';
import { requestDeposit } from './request-deposit.server.ts';

type Row = ResponseIn<typeof depositEndpoints.create>['data'];

function deposits(ctx: Ctx, licenseId: number): Promise<Row[]> {
  return ctx.db.query<Row>(sql`
    select id, license_id, kind, status, division, currency, amount_minor, net_minor, vat_minor, due_on, held_at,
      payment_id, applied_minor, refunded_minor, forfeited_minor, remaining_minor, version, created_at
    from deposits where license_id = ${licenseId} order by id`);
}

async function depositOf(ctx: Ctx, licenseId: number, id: number): Promise<{ data: Row }> {
  const row = (await deposits(ctx, licenseId)).find((deposit) => deposit.id === id);
  if (!row) throw refuse('not_found');
  return { data: row };
}

async function divisionOf(ctx: Ctx, licenseId: number): Promise<string> {
  const row = await ctx.db.maybeOne<{ division: string }>(sql`select division from licenses where id = ${licenseId}`);
  if (!row) throw refuse('not_found');
  return row.division;
}

export const depositRoutes: Route[] = serve(depositEndpoints, {
  async list(ctx, { params }) {
    await divisionOf(ctx, params.licenseId);
    return { data: await deposits(ctx, params.licenseId) };
  },
  async create(ctx, { params, body }) {
    await divisionOf(ctx, params.licenseId);
    const { kind, ...rest } = body;
    const { deposit_id } = await requestDeposit(ctx, { license_id: params.licenseId, ...rest,
      ...(kind === undefined ? {} : { kind }) });
    return depositOf(ctx, params.licenseId, deposit_id);
  },
  async dispose(ctx, { params, body }) {
    const on = await ctx.today(await divisionOf(ctx, params.licenseId));
    const dispositions = body.dispositions.map(({ reason, invoice_id, taxed_as, ...part }): Disposition => ({
      ...part, invoice_id: invoice_id ?? null, taxed_as: taxed_as ?? null,
      ...(reason === undefined ? {} : { reason }) }));
    await disposeDeposit(ctx, { license_id: params.licenseId, deposit_id: params.id, dispositions, on,
      version: body.version });
    return depositOf(ctx, params.licenseId, params.id);
  },
});
