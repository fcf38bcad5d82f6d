/** Attempts per window in PostgreSQL, so that replicas share one count (reliability.md 1.5). */
import { AppError } from '#kit/errors.ts';
import { firstTime } from './outside.ts';
import { sql } from './sql.ts';
import type { Ctx } from './context.ts';

/** Parts of the request context needed for counting. */
export type LimitContext = Pick<Ctx, 'ports' | 'now' | 'header'>;

/**
 * Counts one attempt in `bucket` and refuses with 429 beyond `most` in `seconds`. Counted outside the request's
 * transaction, so that a refused or failed attempt counts too; once where the transaction is repeated.
 */
export async function limit(
  ctx: LimitContext, bucket: string, most: number, seconds: number, message?: (wait: number) => AppError,
): Promise<void> {
  if (!ctx.ports.settings.rate_limits || !firstTime(`limit ${bucket}`)) return;
  const now = ctx.now().getTime();
  const start = Math.floor(now / 1000 / seconds) * seconds;
  const row = await ctx.ports.limits.one<{ hits: number }>(sql`
    insert into rate_limits (bucket, window_start) values (${bucket}, to_timestamp(${start}))
    on conflict (bucket, window_start) do update set hits = rate_limits.hits + 1
    returning hits`);
  const wait = Math.max(1, Math.ceil(start + seconds - now / 1000));
  ctx.header('X-RateLimit-Limit', String(most));
  ctx.header('X-RateLimit-Remaining', String(Math.max(0, most - row.hits)));
  if (row.hits <= most) return;
  ctx.header('Retry-After', String(wait));
  throw message?.(wait) ?? new AppError('too_many_attempts', { status: 429, message: 'Too Many Attempts.' });
}
