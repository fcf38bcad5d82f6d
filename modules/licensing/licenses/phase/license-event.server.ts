/** Writes what happened to a licence: the Activity tab, in the transaction of the change (I9). */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface LicenseEventInput {
  license_id: number;
  event: string;
  from_phase?: string | null;
  to_phase?: string | null;
  reason?: string | undefined;
  version?: number;
  details?: Record<string, unknown>;
}

export async function writeLicenseEvent(ctx: WorkContext, input: LicenseEventInput): Promise<void> {
  await ctx.db.exec(sql`
    insert into license_events (license_id, event, from_phase, to_phase, actor_id, on_behalf_of_id, reason,
      license_version, details, created_at)
    values (${input.license_id}, ${input.event}, ${input.from_phase ?? null}, ${input.to_phase ?? null},
      ${ctx.actor.actor_id}, ${ctx.actor.on_behalf_of_customer_id}, ${input.reason ?? ''}, ${input.version ?? null},
      ${input.details ? JSON.stringify(input.details) : null}, ${ctx.now().toISOString()})`);
}
