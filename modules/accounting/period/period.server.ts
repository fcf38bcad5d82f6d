/** Periods: asked for by one person, confirmed by another; the ledger's function does it. */
import { bookPeriodInWords } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { Division } from '#kit/field.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { serve, type Route } from '#server/routes.ts';
import { empty, sql } from '#server/sql.ts';
import type * as z from 'zod';
import { asLedgerCall } from '../ledger/ledger-error.server.ts';
import { ledgerIntegrity } from '../report/integrity.server.ts';
import { periodEndpoints, type periodRow } from './period.contract.ts';
import { unreconciledAccounts } from './unreconciled.server.ts';

type Row = z.infer<typeof periodRow>;
const COLUMNS = sql`p.id, p.division, p.period, p.starts, p.ends, p.state, p.closed_at,
  c.first_name || ' ' || c.last_name as closed_by_name, f.first_name || ' ' || f.last_name as confirmed_by_name,
  r.state as requested_state, r.requested_by as requested_by_id,
  q.first_name || ' ' || q.last_name as requested_by_name, r.id as request_id, p.version`;
const FROM = sql`periods p left join users c on c.id = p.closed_by left join users f on f.id = p.confirmed_by
  left join period_requests r on r.division = p.division and r.period = p.period
  left join users q on q.id = r.requested_by`;

async function find(db: Queryable, division: Division, period: number): Promise<Row> {
  const row = await db.maybeOne<Row>(sql`
    select ${COLUMNS} from ${FROM} where p.division = ${division} and p.period = ${period}`);
  if (!row) throw refuse('not_found');
  return row;
}

interface Wish { division: Division; period: number; version: number; state: 'open' | 'closed'; reason: string;
  request_id?: number | undefined }

/** Titles of the checks of a month that are not done (modules/closing); nothing here knows them. */
export type OpenChecks = (db: Queryable, month: Pick<Row, 'division' | 'period' | 'starts' | 'ends'>) =>
  Promise<string[]>;

/** Words for the second person: why it is closed, and the checks that were open when it was asked for. */
async function reasonToClose(ctx: Ctx, row: Row, note: string, openChecks: OpenChecks): Promise<string> {
  if (row.period % 100 > 12) return note;
  const open = await openChecks(ctx.db, row);
  if (open.length === 0) return note;
  if (note === '') {
    throw invalidField('note', `${open.length === 1 ? '1 check is' : `${open.length} checks are`} open: ${
      open.join(', ')}. Say why the month is closed all the same`);
  }
  return `${note} · Open: ${open.join(', ')}`;
}

const GONE = 'This request has already been decided.';
const hrefOf = (row: Row): string =>
  `/admin/accounting/periods?division=${row.division}&year=${Math.floor(row.period / 100)}`;
const wishName = (row: Row, state: 'open' | 'closed'): string =>
  `${state === 'closed' ? 'Close' : 'Reopen'} ${bookPeriodInWords(row.period)} of ${row.division}`;

/** One wish at a time: whoever confirms second finds that it is decided. */
function lockRequests(ctx: Ctx, division: string, period: number): Promise<unknown> {
  return ctx.db.query(sql`
    select pg_advisory_xact_lock(hashtextextended(${`period_requests ${division} ${period}`}, 0))`);
}

async function askOrConfirm(ctx: Ctx, wish: Wish, openChecks: OpenChecks) {
  await lockRequests(ctx, wish.division, wish.period);
  const before = await find(ctx.db, wish.division, wish.period);
  if (before.version !== wish.version) throw stale(before);
  if ((before.state === 'closed') === (wish.state === 'closed')) {
    throw conflict('period.state', `This period is ${before.state.replace('_', ' ')} already.`);
  }
  if (wish.request_id !== undefined && wish.request_id !== before.request_id) {
    throw conflict('period.request_gone', GONE);
  }
  if (wish.state === 'closed') {
    await refuseOpeningBalances(ctx, before);
    await refuseOpenChecks(ctx);
  }
  let { reason } = wish;
  const confirms = before.requested_state === wish.state && before.requested_by_id !== ctx.user.user_id;
  if (confirms) {
    await asLedgerCall(ctx.db.query(sql`
      select ledger_set_period(${wish.division}::text, ${wish.period}::int, ${wish.state}::text,
        ${before.requested_by_id}::bigint, ${ctx.user.user_id}::bigint)`));
    await ctx.db.exec(sql`
      delete from period_requests where division = ${wish.division} and period = ${wish.period}`);
  } else if (before.requested_state === wish.state) {
    throw refuse('four_eyes', 'You asked for this yourself: another person has to confirm it.');
  } else {
    if (wish.state === 'closed') reason = await reasonToClose(ctx, before, wish.reason, openChecks);
    await ctx.db.exec(sql`
      delete from period_requests where division = ${wish.division} and period = ${wish.period}`);
    await ctx.db.exec(sql`
      insert into period_requests (division, period, state, reason, requested_by)
      values (${wish.division}, ${wish.period}, ${wish.state}, ${reason}, ${ctx.user.user_id})`);
  }
  const after = await find(ctx.db, wish.division, wish.period);
  const verb = wish.state === 'closed' ? 'close' : 'reopen';
  await ctx.audit({ action: confirms ? verb : `ask_to_${verb}`, entity: 'period', entity_id: after.id, before,
    after: { ...after, reason } });
  if (confirms) {
    await notifyAsker(ctx, before.requested_by_id, { title: `Confirmed: ${wishName(after, wish.state)}`,
      href: hrefOf(after) });
  } else {
    await notifyApprovers(ctx, periodEndpoints[verb], { title: `${wishName(after, wish.state)}: awaits confirmation`,
      body: reason, href: hrefOf(after) });
  }
  return { data: after };
}

/** The period stays as it is; whoever asked reads why. */
async function decline(ctx: Ctx, id: number, reason: string): Promise<Row> {
  const request = await ctx.db.maybeOne<{ division: Division; period: number }>(sql`
    select division, period from period_requests where id = ${id}`);
  if (!request) throw refuse('not_found', GONE);
  await lockRequests(ctx, request.division, request.period);
  const before = await find(ctx.db, request.division, request.period);
  if (before.request_id !== id || before.requested_state === null) throw conflict('period.request_gone', GONE);
  if (before.requested_by_id === ctx.user.user_id) throw refuse('four_eyes');
  await ctx.db.exec(sql`delete from period_requests where id = ${id}`);
  await ctx.audit({ action: 'decline', entity: 'period', entity_id: before.id, before, after: { reason } });
  await notifyAsker(ctx, before.requested_by_id, { title: `Declined: ${wishName(before, before.requested_state)}`,
    body: reason, href: hrefOf(before) });
  return find(ctx.db, request.division, request.period);
}

/** A ledger with a broken invariant is never closed over: an incident first (accounting.md 3). */
async function refuseOpenChecks(ctx: Ctx): Promise<void> {
  const broken = (await ledgerIntegrity(ctx.db)).filter((row) => !row.ok);
  if (broken.length > 0) {
    throw conflict('period.open_checks', `The ledger fails ${broken.length === 1 ? 'a check' : 'checks'}: ${
      broken.map((row) => row.title).join(' ')} Open Accounting, Integrity, to see the entries.`,
      { checks: broken.map((row) => row.key) });
  }
}

/**
 * The accounts that a house moved in with are whole before a period is closed (accounting.md 2.2 row 29): 3999 is zero
 * in functional currency. The ledger's own function refuses it again.
 */
async function refuseOpeningBalances(ctx: Ctx, period: Row): Promise<void> {
  const { left, currency } = await ctx.db.one<{ left: number; currency: string }>(sql`
    select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0)::bigint as left,
      (select functional_currency from divisions where code = ${period.division}) as currency
    from ledger_balances b join ledger_accounts a on a.id = b.ledger_account_id and a.system_key = 'opening'
    where a.division = ${period.division} and b.period <= ${period.period}`);
  if (left === 0) return;
  throw conflict('period.opening_balances', `Opening balances (account 3999) of ${period.division} are off by ${
    formatMoney(Math.abs(left), currency)} ${left > 0 ? 'debit' : 'credit'} on ${period.ends}. They must be zero `
    + 'before a period is closed. Post the missing sets under Accounting, Opening balances.',
  { by_minor: left, currency });
}

export const periodRoutes = (openChecks: OpenChecks): Route[] => serve(periodEndpoints, {
  async list(ctx, { query }) {
    const year = query.year === undefined ? empty : sql`and p.period / 100 = ${query.year}`;
    return { data: await ctx.db.query<Row>(sql`
      select ${COLUMNS} from ${FROM} where p.division = ${query.division} ${year} order by p.period desc limit 240`) };
  },
  async unreconciled(ctx, { params, query }) {
    const { ends } = await find(ctx.db, query.division, params.period);
    return { data: await unreconciledAccounts(ctx.db, query.division, ends) };
  },
  close: (ctx, { params, body: { note, ...body } }) => askOrConfirm(ctx, { ...body, period: params.period,
    state: 'closed', reason: note }, openChecks),
  reopen: (ctx, { params, body }) => askOrConfirm(ctx, { ...body, period: params.period, state: 'open' }, openChecks),
  decline: async (ctx, { params, body }) => ({ data: await decline(ctx, params.id, body.reason) }),
});
