/** Lock dates and exceptions: asked for, confirmed by another person, set by the ledger's own functions. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf, ResponseIn } from '#kit/endpoint.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from '../ledger/ledger-error.server.ts';
import { LOCKS, periodLockEndpoints } from './period-lock.contract.ts';

type Lock = ResponseIn<typeof periodLockEndpoints.list>['data'][number];
type Exception = ResponseIn<typeof periodLockEndpoints.grant>['data'];
type Wish = { sub_ledger: Lock['sub_ledger']; through: string | null };

function locksOf(ctx: Ctx, division: string): Promise<Lock[]> {
  return ctx.db.query<Lock>(sql`
    select ${division} as division, s.name as sub_ledger, l.locked_through, coalesce(l.reason, '') as reason,
      r.id is not null as requested, r.locked_through as requested_through, r.requested_by as requested_by_id,
      u.first_name || ' ' || u.last_name as requested_by_name, r.id as request_id
    from unnest(${[...LOCKS]}::text[]) with ordinality s (name, n)
      left join period_locks l on l.division = ${division} and l.sub_ledger = s.name
      left join lock_requests r on r.division = ${division} and r.sub_ledger = s.name
      left join users u on u.id = r.requested_by
    order by s.n`);
}

const GONE = 'This request has already been decided.';
const hrefOf = (division: string): string => `/admin/accounting/locks?division=${division}`;
const wishName = (division: string, { sub_ledger: name, through }: Wish): string =>
  `${through === null ? 'Lift the lock' : `Lock through ${dateInWords(through)}`} (${name === 'hard' ? 'everything'
    : name}) of ${division}`;

/** One wish at a time: who asks second waits and then confirms, or asks anew. */
function lockRequests(ctx: Ctx, division: string): Promise<unknown> {
  return ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`period_locks ${division}`}, 0))`);
}

/** One date: confirms the same wish of another person, else asks for it. */
async function askOrConfirm(
  ctx: Ctx, division: string, wish: Wish, { reason, request_id }: { reason: string; request_id?: number | undefined },
): Promise<void> {
  const before = (await locksOf(ctx, division)).find((lock) => lock.sub_ledger === wish.sub_ledger)!;
  const confirms = before.requested && before.requested_through === wish.through;
  if (request_id !== undefined && (!confirms || before.request_id !== request_id)) {
    throw conflict('period_lock.request_gone', GONE);
  }
  if (confirms && before.requested_by_id === ctx.user.user_id) {
    throw refuse('four_eyes', 'You asked for this yourself: another person has to confirm it.');
  }
  if (!confirms && before.locked_through === wish.through) return;
  if (!confirms && wish.sub_ledger === 'hard' && before.locked_through !== null
    && (wish.through === null || wish.through < before.locked_through)) {
    throw invalidField('hard_through', `The hard lock is at ${before.locked_through} and never moves back`);
  }
  const requested = await ctx.db.query<{ reason: string }>(sql`
    delete from lock_requests where division = ${division} and sub_ledger = ${wish.sub_ledger} returning reason`);
  if (confirms) {
    await asLedgerCall(ctx.db.query(sql`
      select ledger_set_lock(${division}::text, ${wish.sub_ledger}::text, ${wish.through}::date,
        ${requested[0]?.reason ?? reason}::text, ${before.requested_by_id}::bigint, ${ctx.user.user_id}::bigint)`));
  } else {
    await ctx.db.exec(sql`
      insert into lock_requests (division, sub_ledger, locked_through, reason, requested_by)
      values (${division}, ${wish.sub_ledger}, ${wish.through}, ${reason}, ${ctx.user.user_id})`);
  }
  await ctx.audit({ action: confirms ? 'lock' : 'ask_to_lock', entity: 'period_lock', entity_id: null, before,
    after: { division, ...wish, reason } });
  const title = wishName(division, wish);
  if (confirms) {
    await notifyAsker(ctx, before.requested_by_id, { title: `Confirmed: ${title}`, href: hrefOf(division) });
    return;
  }
  await notifyApprovers(ctx, periodLockEndpoints.set, { title: `${title}: awaits confirmation`, body: reason,
    href: hrefOf(division) });
}

/** The lock stays as it is; whoever asked reads why. */
async function decline(ctx: Ctx, id: number, reason: string): Promise<void> {
  const asked = await ctx.db.maybeOne<{ division: string }>(sql`select division from lock_requests where id = ${id}`);
  if (!asked) throw refuse('not_found', GONE);
  await lockRequests(ctx, asked.division);
  const before = (await locksOf(ctx, asked.division)).find((lock) => lock.request_id === id);
  if (!before) throw conflict('period_lock.request_gone', GONE);
  if (before.requested_by_id === ctx.user.user_id) throw refuse('four_eyes');
  await ctx.db.exec(sql`delete from lock_requests where id = ${id}`);
  await ctx.audit({ action: 'decline', entity: 'period_lock', entity_id: null, before, after: { reason } });
  await notifyAsker(ctx, before.requested_by_id, { body: reason, href: hrefOf(asked.division),
    title: `Declined: ${wishName(asked.division, { sub_ledger: before.sub_ledger,
      through: before.requested_through })}` });
}

function wishesOf(body: BodyOf<typeof periodLockEndpoints.set>): Wish[] {
  return LOCKS.flatMap((sub_ledger) => {
    const through = body[`${sub_ledger}_through`];
    return through === undefined ? [] : [{ sub_ledger, through }];
  });
}

function exceptionsOf(ctx: Ctx, division: string, id: number | null = null): Promise<Exception[]> {
  return ctx.db.query<Exception>(sql`
    select e.id, e.division, e.sub_ledger, e.user_id, u.first_name || ' ' || u.last_name as user_name, e.until,
      e.reason, g.first_name || ' ' || g.last_name as granted_by_name,
      e.revoked_at is null and e.until > now() as active
    from lock_exceptions e join users u on u.id = e.user_id join users g on g.id = e.granted_by
    where e.division = ${division} and (${id}::bigint is null or e.id = ${id}) order by e.id desc limit 100`);
}

export const periodLockRoutes: Route[] = serve(periodLockEndpoints, {
  list: async (ctx, { query }) => ({ data: await locksOf(ctx, query.division) }),
  async set(ctx, { body }) {
    const wishes = wishesOf(body);
    if (wishes.length === 0) throw invalidField('sales_through', 'Name at least one lock');
    await lockRequests(ctx, body.division);
    for (const wish of wishes) await askOrConfirm(ctx, body.division, wish, body);
    return { data: await locksOf(ctx, body.division) };
  },
  decline: (ctx, { params, body }) => decline(ctx, params.id, body.reason),
  exceptions: async (ctx, { query }) => ({ data: await exceptionsOf(ctx, query.division) }),
  async grant(ctx, { body }) {
    const person = await ctx.db.maybeOne(sql`
      select 1 from users where id = ${body.user_id} and role in ('staff_admin', 'staff_user', 'system_admin')
        and disabled_at is null`);
    if (!person) throw invalidField('user_id', 'This is nobody of the staff');
    const made = await asLedgerCall(ctx.db.one<{ id: number }>(sql`
      select ledger_grant_exception(${body.division}::text, ${body.lock}::text, ${body.user_id}::bigint,
        ${body.until}::timestamptz, ${body.reason}::text, ${ctx.user.user_id}::bigint) as id`));
    const [row] = await exceptionsOf(ctx, body.division, made.id);
    await ctx.audit({ action: 'create', entity: 'lock_exception', entity_id: made.id, after: row });
    return { data: row! };
  },
  async revoke(ctx, { params }) {
    const open = await ctx.db.maybeOne(sql`
      select 1 from lock_exceptions where id = ${params.id} and revoked_at is null`);
    if (!open) throw refuse('not_found');
    await ctx.db.query(sql`select ledger_revoke_exception(${params.id}::bigint)`);
    await ctx.audit({ action: 'remove', entity: 'lock_exception', entity_id: params.id });
  },
});
