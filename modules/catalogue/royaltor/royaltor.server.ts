/** Royaltors with their tax profile and their sealed bank details. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { lastFour, seal } from '#server/secret.ts';
import { sql, type Sql } from '#server/sql.ts';
import { royaltor, royaltorEndpoints, type RoyaltorInput, type RoyaltorRow } from './royaltor.contract.ts';

const royaltors = crud(royaltor, {
  table: 'royaltors', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: {
    agent_name: sql`(select a.name from royaltors a where a.id = t.agent_royaltor_id)`,
    agreement_count: sql`(select count(*) from show_royaltors s where s.royaltor_id = t.id and s.deleted_at is null)`,
  },
  filter: (query) => [
    query.kind !== undefined && sql`t.kind = ${query.kind}`,
    query.active !== undefined && sql`t.active = ${query.active}`,
    query.division !== undefined && sql`${query.division} = any (t.divisions)`,
    query.currency !== undefined && sql`t.currency = ${query.currency}`,
    query.show_id !== undefined && sql`exists (select 1 from show_royaltors s
      where s.royaltor_id = t.id and s.show_id = ${query.show_id} and s.deleted_at is null)`,
  ],
});

type Values = { [K in keyof RoyaltorInput]?: RoyaltorInput[K] | undefined };

/** Rules between fields, over the row as it would stand. */
async function check(db: Queryable, row: Values, id: number | null): Promise<void> {
  const wrong = (field: string, text: string): never => { throw invalidField(field, text); };
  if (row.divisions?.length === 0) wrong('divisions', 'Choose at least one division');
  if (row.vat_status === 'registered' && !row.vat_no) wrong('vat_no', 'A registered payee has a VAT number');
  if ((row.self_billing_from == null) !== (row.self_billing_expires_on == null)) {
    wrong(row.self_billing_from == null ? 'self_billing_from' : 'self_billing_expires_on',
      'A self-billing agreement has a first and a last day');
  }
  if (row.self_billing_from && row.self_billing_expires_on && row.self_billing_expires_on < row.self_billing_from) {
    wrong('self_billing_expires_on', 'The last day is not before the first');
  }
  if (row.wht_override_ppm != null && row.wht_override_ppm > 1_000_000) wrong('wht_override_ppm', 'At most 100 %');
  if (row.agent_royaltor_id != null) {
    if (row.agent_royaltor_id === id) wrong('agent_royaltor_id', 'Nobody is his own agent');
    const agent = await db.maybeOne(sql`
      select 1 from royaltors where id = ${row.agent_royaltor_id} and deleted_at is null`);
    if (!agent) wrong('agent_royaltor_id', 'This royaltor does not exist');
  }
}

function toColumns<T extends Values>(values: T): T {
  return values.treaty_article === null ? { ...values, treaty_article: '' } : values;
}

/** A new royaltor without bank details; imports and the demo season come through here too. */
export async function createRoyaltor(ctx: WorkContext, input: RoyaltorInput): Promise<RoyaltorRow> {
  await check(ctx.db, input, null);
  const { data } = await royaltors.create(ctx as Ctx, { body: toColumns(input) });
  return data as RoyaltorRow;
}

/** Locks the row, checks the version, runs the statement's columns and writes what people may see to the audit. */
async function change(ctx: WorkContext, id: number, version: number, action: string, columns: Sql) {
  const before = await royaltors.find(ctx.db, id, true);
  if (before.version !== version) throw stale(before);
  await ctx.db.exec(sql`update royaltors set ${columns}, version = version + 1 where id = ${id}`);
  const after = await royaltors.find(ctx.db, id);
  await ctx.audit({ action, entity: 'royaltor', entity_id: id, before, after });
  return { data: after as never };
}

/** Account and routing are sealed for this royaltor; whoever writes them cannot be the one who verifies them. */
export async function setBankDetails(
  ctx: WorkContext,
  input: { royaltor_id: number; version: number; account: string | null; routing: string | null },
) {
  const { royaltor_id: id, account, routing } = input;
  if (account === null) {
    return change(ctx, id, input.version, 'clear_bank_details', sql`bank_account_encrypted = null,
      bank_routing_encrypted = null, bank_key_id = null, bank_account_last4 = null, bank_verified_at = null`);
  }
  const sealed = seal(ctx.ports.settings, `royaltor:${id}:bank_account`, account);
  const routed = routing === null ? null : seal(ctx.ports.settings, `royaltor:${id}:bank_routing`, routing);
  return change(ctx, id, input.version, 'set_bank_details', sql`bank_account_encrypted = ${sealed.bytes},
    bank_routing_encrypted = ${routed?.bytes ?? null}, bank_key_id = ${sealed.key_id},
    bank_account_last4 = ${lastFour(account)}, bank_verified_at = null`);
}

async function verifyBankDetails(ctx: WorkContext, id: number, version: number) {
  const row = await royaltors.find(ctx.db, id, true) as unknown as RoyaltorRow;
  if (row.bank_account_last4 === null) {
    throw conflict('royaltor.no_bank_details', 'There are no bank details to verify.');
  }
  const writer = await ctx.db.maybeOne<{ actor_id: number | null }>(sql`
    select actor_id from audit_events where entity = 'royaltor' and entity_id = ${id} and action = 'set_bank_details'
    order by id desc limit 1`);
  if (writer?.actor_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Another person than who wrote them verifies bank details.');
  }
  return change(ctx, id, version, 'verify_bank_details', sql`bank_verified_at = ${ctx.now().toISOString()}`);
}

export const royaltorRoutes: Route[] = serve(royaltorEndpoints, {
  ...royaltors,
  create: async (ctx, { body }) => ({ data: await createRoyaltor(ctx, body) }),
  async update(ctx, { params, body }) {
    const before = await royaltors.find(ctx.db, params.id, true) as unknown as RoyaltorRow;
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    await check(ctx.db, { ...before, ...given } as Values, params.id);
    return royaltors.update(ctx, { params, body: toColumns(body) });
  },
  async remove(ctx, { params }) {
    const used = await ctx.db.maybeOne(sql`select 1 from show_royaltors
      where royaltor_id = ${params.id} and deleted_at is null limit 1`);
    if (used) throw refuse('in_use', 'Agreements name this royaltor. Make it inactive instead.');
    await royaltors.remove(ctx, { params });
  },
  bankDetails: (ctx, { params, body }) => setBankDetails(ctx, { royaltor_id: params.id, ...body }),
  verifyBankDetails: (ctx, { params, body }) => verifyBankDetails(ctx, params.id, body.version),
  taxId(ctx, { params, body }) {
    if (body.tin === null) {
      return change(ctx, params.id, body.version, 'clear_tax_id',
        sql`tin_encrypted = null, tin_key_id = null, tin_last4 = null`);
    }
    const sealed = seal(ctx.ports.settings, `royaltor:${params.id}:tin`, body.tin);
    return change(ctx, params.id, body.version, 'set_tax_id',
      sql`tin_encrypted = ${sealed.bytes}, tin_key_id = ${sealed.key_id}, tin_last4 = ${lastFour(body.tin)}`);
  },
});
