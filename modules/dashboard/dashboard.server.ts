/** A288: the staff home. Reads only; every section needs the permission of the list that explains it. */
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { grants, type Permission } from '#kit/permission.ts';
import { accountBalances } from '#modules/banking/banking.public.server.ts';
import { eventLabel } from '#modules/licensing/licensing.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Principal } from '#server/principal.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { dashboardEndpoints, type Dashboard } from './dashboard.contract.ts';
import { monthsOf, pipelineOf, receivablesOf } from './figures.server.ts';
import { openingsOf, todoOf } from './todo.server.ts';

const NEWEST = 8;

function may(user: Principal, permission: Permission): boolean {
  return user.role !== 'staff_user' || grants(user.permissions, permission);
}

async function activityOf(ctx: WorkContext, division: string): Promise<NonNullable<Dashboard['activity']>> {
  const rows = await ctx.db.query<NonNullable<Dashboard['activity']>[number]>(sql`
    select e.id, e.license_id, l.customer_id, l.phase, l.number, l.title_on_license as title, e.event,
      coalesce(u.first_name || ' ' || u.last_name, c.name) as who, e.created_at as at
    from license_events e join licenses l on l.id = e.license_id left join users u on u.id = e.actor_id
      left join customers c on c.id = e.on_behalf_of_id
    where l.division = ${division} and l.deleted_at is null order by e.id desc limit ${NEWEST}`);
  return rows.map((row) => ({ ...row, event: eventLabel(row.event) }));
}

/** The division's own currency first, then the others that have a figure, in the order of the currency table. */
function currenciesOf(own: Currency, found: readonly { currency: Currency | null }[]): Currency[] {
  const used = new Set(found.map((row) => row.currency));
  return [own, ...CURRENCIES.filter((currency) => currency !== own && used.has(currency))];
}

/** The whole home of one person. Null sections are those the person may not read. */
export async function dashboardOf(
  ctx: WorkContext, user: Principal, division: string, all = false,
): Promise<Dashboard> {
  const today = await ctx.today(division);
  const licenses = may(user, 'license.list');
  const scope = { division, today, all, user_id: user.user_id, user, licenses,
    applications: may(user, 'license_application.list'), materials: may(user, 'license_material.list'),
    banks: may(user, 'bank_transaction.list'), closing: may(user, 'transaction.update'),
    bills: may(user, 'bill.update'), payments: may(user, 'payment.create') };
  const [own, months, receivables, cash, pipeline, todo, openings, activity] = await Promise.all([
    ctx.db.one<{ currency: Currency }>(sql`
      select functional_currency as currency from divisions where code = ${division}`),
    may(user, 'ledger_account.list') ? monthsOf(ctx, division, today) : null,
    may(user, 'invoice.list') ? receivablesOf(ctx, division, today) : null,
    may(user, 'bank_account.list') ? accountBalances(ctx, division) : null,
    licenses ? pipelineOf(ctx, division) : null,
    todoOf(ctx, scope),
    licenses ? openingsOf(ctx, scope) : null,
    licenses ? activityOf(ctx, division) : null,
  ]);
  const found = [...(months ?? []), ...(receivables?.rows ?? []), ...(pipeline ?? [])];
  return { division: division as Dashboard['division'], today, functional_currency: own.currency,
    currencies: currenciesOf(own.currency, found), months, receivables, cash, pipeline, todo, openings,
    activity };
}

export const dashboardRoutes: Route[] = serve(dashboardEndpoints, {
  show: async (ctx, { query }) => ({ data: await dashboardOf(ctx, ctx.user, query.division, query.all ?? false) }),
});
