/**
 * Keys of the card processor: sealed in the database for their division, unsealed into the settings of each process.
 * What is entered goes before what the environment sets; every process looks for changes by the clock.
 */
import { conflict, invalid, invalidField, refuse, type FieldErrors } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import type { Ctx, Ports, WorkContext } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { serve, type Route } from '#server/routes.ts';
import { lastFour, seal, unseal } from '#server/secret.ts';
import { linkTo, type Settings, type StripeSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { refusesKey } from './processor.server.ts';
import { processorKeyEndpoints, type ProcessorKeyRow } from './processor-key.contract.ts';

interface Stored {
  division: string;
  key_encrypted: Buffer;
  webhook_secret_encrypted: Buffer;
  former_secret_encrypted: Buffer | null;
  key_id: string;
  version: number;
}

/** Keys of the environment, by the settings of a process, and the versions that they hold now. */
const given = new WeakMap<Settings, StripeSettings | null>();
const held = new WeakMap<Settings, string>();

const ownerOf = (division: string, field: 'key' | 'webhook_secret'): string => `processor_key:${division}:${field}`;

/** Brings what is entered into the settings of this process. A key that does not open is left out, and said. */
export async function refreshProcessorKeys(ports: Pick<Ports, 'db' | 'settings' | 'log'>): Promise<void> {
  const { settings } = ports;
  if (!given.has(settings)) given.set(settings, settings.stripe);
  const rows = await ports.db.query<Stored>(sql`
    select division, key_encrypted, webhook_secret_encrypted, former_secret_encrypted, key_id, version
    from processor_keys order by division`);
  const state = rows.map((row) => `${row.division} ${row.version}`).join(',');
  if ((held.get(settings) ?? '') === state) return;
  held.set(settings, state);
  const base = given.get(settings) ?? null;
  const keys = new Map(base?.keys);
  const webhook_secrets = new Map(base?.webhook_secrets);
  for (const row of rows) {
    try {
      const open = (field: 'key' | 'webhook_secret', bytes: Buffer): string =>
        unseal(settings, ownerOf(row.division, field), { bytes, key_id: row.key_id });
      keys.set(row.division, open('key', row.key_encrypted));
      webhook_secrets.set(row.division, [row.webhook_secret_encrypted, row.former_secret_encrypted]
        .flatMap((bytes) => (bytes === null ? [] : [open('webhook_secret', bytes)])));
    } catch (error) {
      ports.log('error', 'key of the card processor does not open', { division: row.division,
        error: (error as Error).message });
    }
  }
  settings.stripe = keys.size === 0 ? null : { api_url: base?.api_url ?? null, keys, webhook_secrets };
}

async function rowsOf(ctx: WorkContext): Promise<ProcessorKeyRow[]> {
  const { settings } = ctx.ports;
  const rows = await ctx.db.query<Omit<ProcessorKeyRow, 'source' | 'webhook_url'> & { entered: boolean }>(sql`
    select d.code as division, d.name, d.functional_currency as currency, k.key_last4 as last4,
      coalesce(k.is_test, false) as is_test, concat_ws(' ', u.first_name, u.last_name) as changed_by_name,
      k.updated_at as changed_at, coalesce(k.version, 0) as version, k.division is not null as entered
    from divisions d left join processor_keys k on k.division = d.code left join users u on u.id = k.changed_by_id
    order by d.code`);
  const base = given.has(settings) ? given.get(settings) : settings.stripe;
  return rows.map(({ entered, ...row }) => {
    const key = base?.keys.get(row.division);
    const source = entered ? 'settings' : key === undefined ? 'none' : settings.demo ? 'test' : 'environment';
    return { ...row, source, is_test: entered ? row.is_test : key?.startsWith('sk_test_') ?? false,
      last4: row.last4 ?? (key === undefined || settings.demo ? null : lastFour(key)),
      changed_by_name: row.changed_by_name || null,
      webhook_url: linkTo(settings, `/webhooks/stripe/${row.division}`) };
  });
}

type Body = BodyOf<typeof processorKeyEndpoints.save>;

async function save(ctx: Ctx, division: string, body: Body): Promise<ProcessorKeyRow> {
  const { settings } = ctx.ports;
  await ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`processor key ${division}`}, 0))`);
  const before = await ctx.db.maybeOne<Stored>(sql`
    select division, key_encrypted, webhook_secret_encrypted, former_secret_encrypted, key_id, version
    from processor_keys where division = ${division}`);
  if ((before?.version ?? 0) !== body.version) throw refuse('stale');
  if (settings.demo) {
    throw conflict('processor_key.demo', 'The demo season pays through the test processor. Start without it to enter '
      + 'a key.');
  }
  if (body.remove) await ctx.db.exec(sql`delete from processor_keys where division = ${division}`);
  else await write(ctx, division, before, body);
  const { id } = await ctx.db.one<{ id: number }>(sql`select id from divisions where code = ${division}`);
  await ctx.audit({ action: body.remove ? 'clear_processor_key' : 'set_processor_key', entity: 'division',
    entity_id: id });
  ctx.afterCommit(() => refreshProcessorKeys(ctx.ports));
  return (await rowsOf(ctx)).find((row) => row.division === division)!;
}

async function write(ctx: Ctx, division: string, before: Stored | null, body: Body): Promise<void> {
  const { settings } = ctx.ports;
  await refuseWrong(ctx, before, body);
  const sealed = (field: 'key' | 'webhook_secret', text: string | null, kept: Buffer | undefined) => (text === null
    ? { bytes: kept!, key_id: before!.key_id } : seal(settings, ownerOf(division, field), text));
  const key = sealed('key', body.key, before?.key_encrypted);
  const secret = sealed('webhook_secret', body.webhook_secret, before?.webhook_secret_encrypted);
  const former = body.webhook_secret !== null && before ? before.webhook_secret_encrypted
    : before?.former_secret_encrypted ?? null;
  if (key.key_id !== secret.key_id) {
    throw invalidField('webhook_secret', 'Enter both: the encryption key of this installation has changed');
  }
  await ctx.db.exec(sql`
    insert into processor_keys (division, key_encrypted, webhook_secret_encrypted, former_secret_encrypted, key_id,
      key_last4, is_test, changed_by_id)
    values (${division}, ${key.bytes}, ${secret.bytes}, ${former}, ${key.key_id}, ${lastFour(body.key ?? '')},
      ${/^[rs]k_test_/.test(body.key ?? '')}, ${ctx.user.user_id})
    on conflict (division) do update set key_encrypted = excluded.key_encrypted,
      webhook_secret_encrypted = excluded.webhook_secret_encrypted,
      former_secret_encrypted = excluded.former_secret_encrypted, key_id = excluded.key_id,
      key_last4 = case when ${body.key !== null} then excluded.key_last4 else processor_keys.key_last4 end,
      is_test = case when ${body.key !== null} then excluded.is_test else processor_keys.is_test end,
      changed_by_id = excluded.changed_by_id, version = processor_keys.version + 1`);
}

/** 422 at the fields; a key is tried at the processor before it is kept. */
async function refuseWrong(ctx: Ctx, before: Stored | null, body: Body): Promise<void> {
  const errors: FieldErrors = {};
  if (body.key === null && !before) errors.key = ['Secret key is required'];
  if (body.webhook_secret === null && !before) errors.webhook_secret = ['Webhook secret is required'];
  if (body.key !== null && !/^[rs]k_(test|live)_\S+$/.test(body.key)) {
    errors.key = ['Enter the secret key. It begins with sk_live_ or sk_test_'];
  }
  if (body.webhook_secret !== null && !/^whsec_\S+$/.test(body.webhook_secret)) {
    errors.webhook_secret = ['Enter the signing secret of the webhook. It begins with whsec_'];
  }
  if (body.key === null && body.webhook_secret === null && before) errors.key = ['Nothing was entered'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (body.key === null) return;
  const { key } = body;
  const api_url = ctx.ports.settings.stripe?.api_url ?? null;
  const problem = await outside(keyOf('processor key', key), () => refusesKey(api_url, key));
  if (problem !== null) throw invalidField('key', problem);
}

export const processorKeyRoutes: Route[] = serve(processorKeyEndpoints, {
  list: async (ctx) => ({ data: await rowsOf(ctx) }),
  save: async (ctx, { params, body }) => ({ data: await save(ctx, params.division, body) }),
});
