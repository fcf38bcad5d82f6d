/** Royaltors with their tax profile and their sealed bank details. */
import { invalidField } from '#kit/errors.ts';
import { tellOfBankDetails } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { crud, type Plan, type RulesOf } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { refuseInUse } from '#server/record-uses.ts';
import { serve, type Route } from '#server/routes.ts';
import { bankPersons, sealedDetails } from '#server/sealed-details.ts';
import { sql } from '#server/sql.ts';
import { royaltor, royaltorEndpoints, type RoyaltorInput, type RoyaltorRow } from './royaltor.contract.ts';

const royaltors = crud(royaltor, {
  table: 'royaltors', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: {
    ...bankPersons,
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

/** Rules between fields, over the rows as they would stand. */
const rulesOf: RulesOf<RoyaltorRow> = async (db, plans) => {
  const agents = await thereOf(db, plans.flatMap(({ row }) => row.agent_royaltor_id ?? []));
  const wrong = (field: string, text: string): never => { throw invalidField(field, text); };
  return ({ row, before }) => {
    if (row.divisions?.length === 0) wrong('divisions', 'Choose at least one division');
    if (row.vat_status === 'registered' && !row.vat_no) wrong('vat_no', 'A registered payee has a VAT number');
    if ((row.self_billing_from == null) !== (row.self_billing_expires_on == null)) {
      wrong(row.self_billing_from == null ? 'self_billing_from' : 'self_billing_expires_on',
        'A self-billing agreement has a first and a last day');
    }
    if (row.self_billing_from && row.self_billing_expires_on && row.self_billing_expires_on < row.self_billing_from) {
      wrong('self_billing_expires_on', 'The last day is not before the first');
    }
    if (row.wht_override_ppm != null && row.wht_override_ppm > 1_000_000) wrong('wht_override_ppm', 'At most 100%');
    if (row.agent_royaltor_id == null) return;
    if (row.agent_royaltor_id === before?.id) wrong('agent_royaltor_id', 'Nobody is his own agent');
    if (!agents.has(row.agent_royaltor_id)) wrong('agent_royaltor_id', 'This royaltor does not exist');
  };
};

async function thereOf(db: Queryable, ids: readonly number[]): Promise<Set<number>> {
  const rows = ids.length === 0 ? [] : await db.query<{ id: number }>(sql`
    select id from royaltors where id = any (${[...new Set(ids)]}::bigint[]) and deleted_at is null`);
  return new Set(rows.map((row) => row.id));
}

async function check(db: Queryable, values: Values, before: RoyaltorRow | null): Promise<void> {
  const plan = { values, row: { ...before, ...values } as RoyaltorRow, before };
  (await rulesOf(db, [plan]))(plan);
}

/** Dry run of {@link createRoyaltor} and {@link updateRoyaltor}: the refusal of each; used by an import beforehand. */
export const rehearseRoyaltors = (db: Queryable, plans: readonly Plan[]) =>
  royaltors.rehearse(db, plans, (row) => row, rulesOf);

function toColumns<T extends Values>(values: T): T {
  return values.treaty_article === null ? { ...values, treaty_article: '' } : values;
}

/** A new royaltor without bank details; imports and the demo season come through here too. */
export async function createRoyaltor(ctx: WorkContext, input: RoyaltorInput): Promise<RoyaltorRow> {
  await check(ctx.db, input, null);
  const { data } = await royaltors.create(ctx as Ctx, { body: toColumns(input) });
  return data as RoyaltorRow;
}

/** As the call of changing does it; imports come through here too. 412 where the version is not the stored one. */
export async function updateRoyaltor(
  ctx: WorkContext, id: number, body: Values & { version: number },
): Promise<RoyaltorRow> {
  const before = await royaltors.find(ctx.db, id, true);
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  await check(ctx.db, given, before);
  const { data } = await royaltors.update(ctx as Ctx, { params: { id }, body: toColumns(body) });
  return data as RoyaltorRow;
}

export const royaltorRoutes: Route[] = serve(royaltorEndpoints, {
  ...royaltors,
  ...sealedDetails({ table: 'royaltors', entity: 'royaltor', find: royaltors.find,
    tell: tellOfBankDetails(royaltorEndpoints.verifyBankDetails, '/admin/royaltors') }),
  create: async (ctx, { body }) => ({ data: await createRoyaltor(ctx, body) }),
  update: async (ctx, { params, body }) => ({ data: await updateRoyaltor(ctx, params.id, body) }),
  async remove(ctx, { params }) {
    await royaltors.find(ctx.db, params.id, true);
    await refuseInUse(ctx.db, 'royaltors', params.id, 'Make it inactive instead.');
    await royaltors.remove(ctx, { params });
  },
});
