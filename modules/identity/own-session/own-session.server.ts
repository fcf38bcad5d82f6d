/** The own sessions: only those that still open something are listed; ending one holds on its next request. */
import { refuse } from '#kit/errors.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { aliveSession } from '../session/session.server.ts';
import { deviceOf } from './device-name.server.ts';
import { ownSessionEndpoints, type OwnSession } from './own-session.contract.ts';

const MOST_SHOWN = 200;

type Row = Omit<OwnSession, 'current' | 'device' | 'kind'> & { user_agent: string | null };

export const ownSessionRoutes: Route[] = serve(ownSessionEndpoints, {
  async list(ctx) {
    const rows = await ctx.db.query<Row>(sql`
      select s.id, s.user_agent, host(s.ip) as ip, s.second_factor, s.created_at, s.last_seen_at, s.expires_at
      from sessions s join users u on u.id = s.user_id
      where s.user_id = ${ctx.user.user_id} and ${aliveSession(ctx.now())}
      order by (s.id = ${ctx.user.session_id}) desc, s.last_seen_at desc, s.id desc limit ${MOST_SHOWN}`);
    return { data: rows.map(({ user_agent, ...row }) => ({
      ...row, ...deviceOf(user_agent), current: row.id === ctx.user.session_id })) };
  },
  async end(ctx, { params }) {
    const ended = await ctx.db.exec(sql`
      delete from sessions where id = ${params.id} and user_id = ${ctx.user.user_id}`);
    if (ended === 0) throw refuse('not_found');
    await ctx.audit({ action: 'end_session', entity: 'user', entity_id: ctx.user.user_id });
  },
  async endOthers(ctx) {
    const ended = await ctx.db.exec(sql`
      delete from sessions where user_id = ${ctx.user.user_id} and id <> ${ctx.user.session_id}`);
    // Also whoever has given the password and not yet the second factor.
    await ctx.db.exec(sql`delete from sessions where challenge_user_id = ${ctx.user.user_id}`);
    await ctx.audit({ action: 'end_other_sessions', entity: 'user', entity_id: ctx.user.user_id, after: { ended } });
  },
});
