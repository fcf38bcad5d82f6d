/**
 * Bank details and tax id at rest: sealed for their row, shown by their last characters, verified by another person
 * than who wrote them. The table has the columns of `royaltors` (bank_*, tin_*); what is written is never in the audit.
 */
import type * as z from 'zod';
import { conflict, refuse } from '#kit/errors.ts';
import type { bankDetails, taxId } from '#kit/sealed-details.ts';
import type { WorkContext } from './context.ts';
import { stale, type crud } from './crud.ts';
import { lastFour, seal } from './secret.ts';
import { name, sql, type Sql } from './sql.ts';

interface Options {
  table: string;
  /** Singular: entity of the audit and owner of the seal. */
  entity: 'royaltor' | 'vendor';
  find: ReturnType<typeof crud>['find'];
}
type Params = { params: { id: number } };

/** `bank_written_by_id` of the row `t`, for the `extra` of its resource: as the audit says, which nobody rewrites. */
export const bankWrittenBy = (entity: string): Sql => sql`
  (select a.actor_id from audit_events a where t.bank_account_last4 is not null and a.entity = ${entity}
    and a.entity_id = t.id and a.action = 'set_bank_details' order by a.id desc limit 1)`;

export function sealedDetails({ table, entity, find }: Options) {
  /** Locks the row, checks the version, runs the statement's columns and writes what people may see to the audit. */
  async function change(ctx: WorkContext, id: number, version: number, action: string, columns: Sql) {
    const before = await find(ctx.db, id, true);
    if (before.version !== version) throw stale(before);
    await ctx.db.exec(sql`update ${name(table)} set ${columns}, version = version + 1 where id = ${id}`);
    // Who writes them is read from the audit, which says it from here on.
    const after = { ...await find(ctx.db, id),
      ...(action === 'set_bank_details' && { bank_written_by_id: ctx.actor.actor_id }) };
    await ctx.audit({ action, entity, entity_id: id, before, after });
    return { data: after as never };
  }

  return {
    bankDetails(ctx: WorkContext, { params: { id }, body }: Params & { body: z.output<typeof bankDetails> }) {
      if (body.account === null) {
        return change(ctx, id, body.version, 'clear_bank_details', sql`bank_account_encrypted = null,
          bank_routing_encrypted = null, bank_key_id = null, bank_account_last4 = null, bank_verified_at = null`);
      }
      const sealed = seal(ctx.ports.settings, `${entity}:${id}:bank_account`, body.account);
      const routed = body.routing === null ? null
        : seal(ctx.ports.settings, `${entity}:${id}:bank_routing`, body.routing);
      return change(ctx, id, body.version, 'set_bank_details', sql`bank_account_encrypted = ${sealed.bytes},
        bank_routing_encrypted = ${routed?.bytes ?? null}, bank_key_id = ${sealed.key_id},
        bank_account_last4 = ${lastFour(body.account)}, bank_verified_at = null`);
    },

    async verifyBankDetails(ctx: WorkContext, { params: { id }, body }: Params & { body: { version: number } }) {
      const row = await find(ctx.db, id, true);
      if (row['bank_account_last4'] === null) {
        throw conflict(`${entity}.no_bank_details`, 'There are no bank details to verify.');
      }
      if (row['bank_written_by_id'] === ctx.actor.actor_id) {
        throw refuse('four_eyes', 'Another person than who wrote them verifies bank details.');
      }
      return change(ctx, id, body.version, 'verify_bank_details', sql`bank_verified_at = ${ctx.now().toISOString()}`);
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
