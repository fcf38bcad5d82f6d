/**
 * X215: faults that browsers report. Kept without anything about the person: no address, no query, no ids, no text that
 * looks like an address or a number; the same fault of a day is one row with a count. Few per address and minute.
 */
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { listPage, type Page } from '#server/list.ts';
import { limit } from '#server/rate-limit.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { clientErrorEndpoints } from './system.contract.ts';

const PER_MINUTE = 10;
const ROWS_PER_DAY = 1_000;
const MAX_MESSAGE = 500, MAX_PAGE = 200, MAX_STACK = 4_000;

/** Email addresses, long numbers and quoted values are what people typed, not what broke. */
export function withoutParticulars(text: string): string {
  return text
    .replace(/[^\s@"'<>]+@[^\s@"'<>]+\.[a-z]{2,}/gi, '…')
    .replace(/https?:\/\/[^\s)]+/g, (url) => url.replace(/[?#][^\s)]*/, '').replace(/^https?:\/\/[^/]+/, ''))
    .replace(/"[^"\n]{0,400}"|“[^”\n]{0,400}”/g, '"…"')
    .replace(/\d{4,}/g, '…');
}

/** '/customer/7/productions/12?x=1' as '/customer/:/productions/:': the screen, not whose. */
export function screenOf(page: string): string {
  return withoutParticulars(page.replace(/[?#].*$/, '')).replace(/\/(\d+|…|[\w-]{20,})(?=\/|$)/g, '/:')
    .slice(0, MAX_PAGE);
}

export const clientErrorRoutes = serve(clientErrorEndpoints, {
  async report(ctx, { body }) {
    await limit(ctx, `client-error:${ctx.ip}`, PER_MINUTE, 60);
    const now = ctx.now().toISOString();
    const day = now.slice(0, 10);
    const full = await ctx.db.one<{ n: number }>(sql`select count(*) as n from client_errors where day = ${day}`);
    if (full.n >= ROWS_PER_DAY) return;
    const message = withoutParticulars(body.message).slice(0, MAX_MESSAGE);
    const page = screenOf(body.page) || '/';
    await ctx.db.exec(sql`
      insert into client_errors (day, message, page, stack, last_at)
      values (${day}, ${message}, ${page}, ${withoutParticulars(body.stack ?? '').slice(0, MAX_STACK)}, ${now})
      on conflict (day, message, page) do update set seen = client_errors.seen + 1, last_at = excluded.last_at`);
    ctx.ports.log('warn', 'fault in a browser', { message, page });
  },
});

interface Fault { id: number; day: string; message: string; page: string; stack: string; seen: number; last_at: string }

export function listFaults(ctx: Ctx, query: ListArgs): Promise<Page<Fault>> {
  return listPage<Fault>(ctx.db, {
    base: sql`client_errors t`, columns: sql`t.id, t.day, t.message, t.page, t.stack, t.seen, t.last_at`,
    conditions: [], sorts: { last_at: sql`t.last_at` }, defaultSort: 'last_at', defaultDirection: 'desc',
  }, query, '/api/admin/system/client_errors');
}
