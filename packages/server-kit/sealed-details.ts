/**
 * Bank details and tax id at rest: sealed for their row, shown by their last characters, verified by another person
 * than who wrote them. The table has the columns of `royaltors` (bank_*, tin_*); what is written is never in the audit.
 */
import type * as z from 'zod';
import { numberKind, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { bankDetails, taxId } from '#kit/sealed-details.ts';
import { checkedPayee } from './account-number.ts';
import type { WorkContext } from './context.ts';
import { waitingRows } from './approval-source.ts';
import { stale } from './crud.ts';
import type { Queryable } from './db.ts';
import { lastFour, seal, unseal } from './secret.ts';
import { name, sql, type Sql } from './sql.ts';

export interface BankEvent {
  kind: 'written' | 'verified' | 'declined';
  id: number;
  name: string;
  /** Author of the details the decision was about. */
  written_by_id: number | null;
  reason: string;
}

type Entity = 'royaltor' | 'vendor' | 'customer';
type Row = Record<string, unknown> & { version: number };

interface Options<Found extends Row> {
  table: string;
  /** Entity of the audit and owner of the seal. */
  entity: Entity;
  find: (db: Queryable, id: number, lock?: boolean) => Promise<Found>;
  /** Tells people that bank details wait for a second person, or what was decided. */
  tell: (ctx: WorkContext, event: BankEvent) => Promise<unknown>;
}
type Params = { params: { id: number } };

const personName = (column: Sql): Sql => sql`
  (select concat_ws(' ', u.first_name, u.last_name) from users u where u.id = ${column})`;

/** The persons of the row `t`, for the `extra` of its resource. */
export const bankPersons = {
  bank_written_by_id: sql`t.bank_details_changed_by_id`,
  bank_written_by_name: personName(sql`t.bank_details_changed_by_id`),
  bank_verified_by_name: personName(sql`t.bank_verified_by_id`),
};

/** The verification goes by a trigger, with every change. */
const CLEARED = sql`bank_account_encrypted = null, bank_routing_encrypted = null, bank_key_id = null,
  bank_account_last4 = null, bank_kind = null, bank_country = null, bank_holder = null, bank_is_savings = false,
  bank_details_changed_by_id = null, bank_details_changed_at = null`;
const COUNTRIES = { us: 'US', uk: 'GB' } as const;

/** Bank details of a table that wait for a second person. */
export function waitingBankDetails(
  kind: string, table: string, place: { href: string; page?: string; division: Sql | null },
): Sql {
  return waitingRows(kind, {
    from: sql`from ${name(table)} t where t.bank_account_last4 is not null and t.bank_verified_at is null
      and t.deleted_at is null`,
    entity_id: sql`t.id`, ...(place.division ? { division: place.division } : {}),
    title: sql`'Bank details: ' || t.name`, detail: sql`'Account ending in ' || t.bank_account_last4`,
    asked_by_id: sql`t.bank_details_changed_by_id`, asked_at: sql`coalesce(t.bank_details_changed_at, t.updated_at)`,
    href: sql`${place.href} || t.id || ${place.page ?? ''}`, params: sql`jsonb_build_object('id', t.id)`,
    approve_body: sql`jsonb_build_object('version', t.version)`,
    decline_body: sql`jsonb_build_object('version', t.version)`,
  });
}

/** A payment came back: nobody is paid to these details before a person has confirmed them again. */
export async function doubtBank(ctx: WorkContext, of: { table: string; entity: Entity }, id: number): Promise<void> {
  const taken = await ctx.db.exec(sql`
    update ${name(of.table)} set bank_verified_at = null, version = version + 1
    where id = ${id} and bank_verified_at is not null`);
  if (taken > 0) await ctx.audit({ action: 'doubt_bank_details', entity: of.entity, entity_id: id });
}

/** Locks the row; refused where nothing is stored or its writer would decide. */
async function lockWritten({ entity, find }: Options<Row>, ctx: WorkContext, id: number):
Promise<BankEvent & { verified: boolean }> {
  const row = await find(ctx.db, id, true);
  if (row['bank_account_last4'] === null) {
    throw conflict(`${entity}.no_bank_details`, 'There are no bank details to verify.');
  }
  if (row['bank_written_by_id'] === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Someone other than the person who entered the bank details has to verify them.');
  }
  return { kind: 'verified', id, name: String(row['name']), reason: '', verified: row['bank_verified_at'] !== null,
    written_by_id: (row['bank_written_by_id'] ?? null) as number | null };
}

type Written = Omit<z.output<typeof bankDetails>, 'account'> & { account: string };

/** Numbers checked and sealed, with what is said beside them; 422 where the digits do not hold. */
function columnsOf(ctx: WorkContext, owner: string, body: Written): Sql {
  const kind = body.kind ?? numberKind(body.account, body.routing);
  const { account, routing } = checkedPayee({ kind, account: body.account, routing: body.routing });
  const country = kind === 'iban' ? plainNumber(account).slice(0, 2)
    : kind === 'other' ? body.country : COUNTRIES[kind];
  const sealed = seal(ctx.ports.settings, `${owner}:bank_account`, account);
  const routed = routing === null ? null : seal(ctx.ports.settings, `${owner}:bank_routing`, routing);
  return sql`
    bank_account_encrypted = ${sealed.bytes}, bank_routing_encrypted = ${routed?.bytes ?? null},
    bank_key_id = ${sealed.key_id}, bank_account_last4 = ${lastFour(account)}, bank_kind = ${kind},
    bank_country = ${country}, bank_holder = ${body.holder}, bank_is_savings = ${kind === 'us' && body.is_savings},
    bank_details_changed_by_id = ${ctx.actor.actor_id}, bank_details_changed_at = ${ctx.now().toISOString()}`;
}

/** As the bank of the payee has it; null: not corrected. */
export interface CorrectedBank { account: string | null; routing: string | null; savings: boolean | null;
  holder: string | null }

interface StoredBank { name: string; bank_account_encrypted: Buffer | null; bank_routing_encrypted: Buffer | null;
  bank_key_id: string | null; bank_account_last4: string | null; bank_kind: Written['kind'];
  bank_country: string | null; bank_holder: string | null; bank_is_savings: boolean }

/** Written over what is stored, which nobody reads; another person verifies it. 422 where the digits do not hold. */
export async function correctBank(
  ctx: WorkContext, of: Pick<Options<Row>, 'table' | 'entity' | 'tell'>, id: number, corrected: CorrectedBank,
): Promise<void> {
  const { table, entity } = of;
  const read = () => ctx.db.maybeOne<StoredBank>(sql`
    select name, bank_account_encrypted, bank_routing_encrypted, bank_key_id, bank_account_last4, bank_kind,
      bank_country, bank_holder, bank_is_savings from ${name(table)} where id = ${id} for update`);
  const row = await read();
  if (!row || row.bank_account_encrypted === null || row.bank_key_id === null) {
    throw conflict(`${entity}.no_bank_details`, 'There are no bank details to correct.');
  }
  const key_id = row.bank_key_id;
  const open = (field: string, bytes: Buffer): string =>
    unseal(ctx.ports.settings, `${entity}:${id}:${field}`, { bytes, key_id });
  const columns = columnsOf(ctx, `${entity}:${id}`, { version: 0, kind: row.bank_kind, country: row.bank_country,
    account: corrected.account ?? open('bank_account', row.bank_account_encrypted),
    routing: corrected.routing
      ?? (row.bank_routing_encrypted && open('bank_routing', row.bank_routing_encrypted)),
    holder: corrected.holder ?? row.bank_holder, is_savings: corrected.savings ?? row.bank_is_savings });
  await ctx.db.exec(sql`update ${name(table)} set ${columns}, version = version + 1 where id = ${id}`);
  const shown = (one: StoredBank | null) => one && { bank_account_last4: one.bank_account_last4,
    bank_holder: one.bank_holder, bank_is_savings: one.bank_is_savings };
  await ctx.audit({ action: 'set_bank_details', entity, entity_id: id, before: shown(row) ?? {},
    after: shown(await read()) ?? {} });
  await of.tell(ctx, { kind: 'written', id, name: row.name, written_by_id: ctx.actor.actor_id, reason: '' });
}

export function sealedDetails<Found extends Row>(options: Options<Found>) {
  const { table, entity, find, tell } = options;
  /** Locks the row, checks the version, runs the statement's columns and writes what people may see to the audit. */
  async function change(ctx: WorkContext, id: number, version: number, action: string, columns: Sql) {
    const before = await find(ctx.db, id, true);
    if (before.version !== version) throw stale(before);
    await ctx.db.exec(sql`update ${name(table)} set ${columns}, version = version + 1 where id = ${id}`);
    const after = await find(ctx.db, id);
    await ctx.audit({ action, entity, entity_id: id, before, after });
    return { data: after };
  }

  return {
    async bankDetails(ctx: WorkContext, { params: { id }, body }: Params & { body: z.output<typeof bankDetails> }) {
      if (body.account === null) return change(ctx, id, body.version, 'clear_bank_details', CLEARED);
      const answer = await change(ctx, id, body.version, 'set_bank_details',
        columnsOf(ctx, `${entity}:${id}`, { ...body, account: body.account }));
      await tell(ctx, { kind: 'written', id, name: String((await find(ctx.db, id))['name']),
        written_by_id: ctx.actor.actor_id, reason: '' });
      return answer;
    },

    async verifyBankDetails(ctx: WorkContext, { params: { id }, body }: Params & { body: { version: number;
      note: string } }) {
      const event = await lockWritten(options, ctx, id);
      const answer = await change(ctx, id, body.version, 'verify_bank_details',
        sql`bank_verified_at = ${ctx.now().toISOString()}, bank_verified_by_id = ${ctx.actor.actor_id},
          bank_verified_note = ${body.note}`);
      await tell(ctx, { ...event, kind: 'verified' });
      return answer;
    },

    /** Declines unverified details, which are never paid to: they are deleted, and their author reads why. */
    async declineBankDetails(
      ctx: WorkContext, { params: { id }, body }: Params & { body: { version: number; reason: string } },
    ) {
      const event = await lockWritten(options, ctx, id);
      if (event.verified) {
        throw conflict('bank_details.verified', 'These bank details are already verified.');
      }
      const answer = await change(ctx, id, body.version, 'decline_bank_details', CLEARED);
      await tell(ctx, { ...event, kind: 'declined', reason: body.reason });
      return answer;
    },

    taxId(ctx: WorkContext, { params: { id }, body }: Params & { body: z.output<typeof taxId> }) {
      if (body.tin === null) {
        return change(ctx, id, body.version, 'clear_tax_id',
          sql`tin_encrypted = null, tin_key_id = null, tin_last4 = null`);
      }
      const sealed = seal(ctx.ports.settings, `${entity}:${id}:tin`, body.tin);
      return change(ctx, id, body.version, 'set_tax_id',
        sql`tin_encrypted = ${sealed.bytes}, tin_key_id = ${sealed.key_id}, tin_last4 = ${lastFour(body.tin)}`);
    },
  };
}
