/** Payments by check and wire. */
import { compact, listPage } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, sql } from '#server/sql.ts';
import { payeeNameOf } from './check-store.server.ts';
import { checksWiresEndpoints, type CheckWireRow } from './checks-wires.contract.ts';

const PAYEE = payeeNameOf(sql`t`);

export const checksWiresRoutes: Route[] = serve(checksWiresEndpoints, {
  list: (ctx, { query }) => listPage<CheckWireRow>(ctx.db, {
    base: sql`payments t`,
    columns: sql`t.id, t.number, t.kind, t.method, t.status, t.division, t.currency, ${PAYEE} as payee,
      a.name as bank_account, t.amount_minor::bigint as amount_minor, t.paid_on, c.id as check_id,
      c.check_number::text as check_number, t.updated_at`,
    joins: sql`join ledger_accounts a on a.id = t.ledger_account_id left join lateral (
      select k.id, k.check_number from checks k where k.payment_id = t.id order by k.id desc limit 1) c on true`,
    conditions: compact([
      sql`t.direction = 'out'`, sql`t.method in ('check', 'wire')`, sql`t.deleted_at is null`,
      query.method !== undefined && sql`t.method = ${query.method}`,
      query.division !== undefined && sql`t.division = ${query.division}`,
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.search !== undefined && matches(sql`(search_words(t.number, t.reference) || ' ' || ${PAYEE} || ' '
        || coalesce((select string_agg(k.check_number::text, ' ') from checks k
          where k.payment_id = t.id), ''))`, query.search),
    ]),
    sorts: { paid_on: sql`t.paid_on`, number: sql`t.number`, amount_minor: sql`t.amount_minor` },
    defaultSort: 'paid_on', defaultDirection: 'desc',
  }, query, checksWiresEndpoints.list.path),
});
