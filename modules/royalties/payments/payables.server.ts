/** Payables of a batch by payee: due, held out with the reason, and paid in another currency. */
import { payoutMethods, type PayingAccount, type PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type * as z from 'zod';
import type { Ctx } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { agentOf, payeeOf } from '../statements/statement-agent.server.ts';
import { paymentCurrency } from './convert-payment.server.ts';
import { agentFree, heldBy, ownFree } from './free-parts.server.ts';
import { heldOut, payeesOf, type Payee } from './payees.server.ts';
import type { batchEndpoints, payableLine, payablesAnswer } from './payment-batch.contract.ts';

type Line = z.infer<typeof payableLine>;
type Stored = Omit<Line, 'held' | 'agent_held'> & { payee_id: number; pay_currency: string; agent_id: number | null };

/** Lines of one batch; the oldest statements first, so what is left over comes with the next batch. */
const MOST = 1000;

const FREE = (column: Sql, run: number | null): Sql => sql`not exists (select 1 from royalty_payment_conversions x
  join payments p on p.id = x.payment_id where ${column} and p.status in ('draft', 'approved', 'posted', 'cleared')
    and not ${heldBy(run)})`;

/** Items of a payment run count as free for that run. */
export async function payablesOf(
  ctx: Pick<Ctx, 'db'>, query: QueryOf<typeof batchEndpoints.payables>, run: number | null = null,
): Promise<z.infer<typeof payablesAnswer>> {
  const methods = payoutMethods(query.division, query.currency);
  const method = query.method !== undefined && methods.includes(query.method) ? query.method : methods[0]!;
  const all = await linesOf(ctx, query.division, query.pay_on, run);
  const own = all.filter((line) => line.pay_currency === query.currency);
  const payees = await payeesOf(ctx.db, own.flatMap((line) => [line.payee_id, line.agent_id ?? line.payee_id]));
  const byPayee = Map.groupBy(own, (line) => line.payee_id);
  return {
    methods: [...methods], method,
    payees: [...payees.values()].filter((payee) => byPayee.has(payee.id)).map((payee) => ({
      payee_id: payee.id, payee_name: payee.name, country: payee.country, held: heldOut(payee, method, query),
      other_method: payee.payment_method === method || !methods.includes(payee.payment_method) ? null
        : payee.payment_method,
      lines: byPayee.get(payee.id)!.map((line) => shown(line, payees, method, query)),
    })),
    elsewhere: [...Map.groupBy(all.filter((line) => line.pay_currency !== query.currency),
      (line) => line.pay_currency)].map(([currency, lines]) => ({ currency: currency as 'USD', lines: lines.length,
        run_ids: [...new Set(lines.flatMap((line) => line.run_id ?? []))] })),
  };
}

/** A line is held out with its payee; of an agent who is held out only the agent's part waits. */
function shown(line: Stored, payees: ReadonlyMap<number, Payee>, method: PayoutMethod, account: PayingAccount): Line {
  const { payee_id, pay_currency: _pay, agent_id, ...rest } = line;
  const held = heldOut(payees.get(payee_id)!, method, account);
  const agent = agent_id === null || agent_id === payee_id ? undefined : payees.get(agent_id);
  const why = agent === undefined ? null : heldOut(agent, method, account);
  return { ...rest, held, agent_minor: why === null ? line.agent_minor : 0,
    agent_held: why === null ? null : `${agent!.name}, the agent: ${why}` };
}

const SUBJECT = sql`coalesce(s.title, c.name)`;
const STATEMENTS = sql`royalty_statements m left join show_royaltors g on g.id = m.show_royaltor_id
  left join shows s on s.id = g.show_id left join cross_collateral_groups c on c.id = m.cross_collateral_group_id`;

async function linesOf(ctx: Pick<Ctx, 'db'>, division: string, payOn: string, run: number | null):
Promise<Stored[]> {
  return ctx.db.query<Stored>(sql`
    select * from (
      select m.id as statement_id, null::bigint as advance_id, m.number, m.royalty_statement_run_id as run_id,
        ${SUBJECT} as subject, m.period_from, m.period_to, null::text as due_event,
        null::date as due_on, m.currency, m.payable_minor as amount_minor,
        case when ${agentFree(sql`m`, run)} then m.agent_minor else 0 end as agent_minor, false as is_agent,
        true as due,
        ${payeeOf(sql`m`)} as payee_id, ${paymentCurrency(sql`m.division`, payeeOf(sql`m`))} as pay_currency,
        case when ${agentFree(sql`m`, run)} then ${agentOf(sql`m`)} end as agent_id
      from ${STATEMENTS}
      where m.division = ${division} and m.status = 'issued' and m.payable_minor > 0 and ${ownFree(sql`m`, run)}
      union all
      select m.id, null, m.number, m.royalty_statement_run_id, ${SUBJECT}, m.period_from, m.period_to, null, null,
        m.currency, m.agent_minor, 0, true, true, ${agentOf(sql`m`)},
        ${paymentCurrency(sql`m.division`, agentOf(sql`m`))}, null
      from ${STATEMENTS}
      where m.division = ${division} and not ${ownFree(sql`m`, run)} and ${agentFree(sql`m`, run)}
      union all
      select null, a.id, null, null, s.title, null, null, a.due_event, a.due_on, a.currency, a.amount_minor, 0, false,
        case a.due_event when 'date' then a.due_on <= ${payOn}
          when 'signature' then coalesce(g.signed_on <= ${payOn}, false)
          else exists (select 1 from licenses l where l.show_id = g.show_id and l.executed_at is not null
            and l.first_performance_on <= ${payOn}) end,
        g.royaltor_id, ${paymentCurrency(sql`a.division`, sql`g.royaltor_id`)}, null
      from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id join shows s on s.id = g.show_id
      where a.division = ${division} and a.status = 'scheduled' and ${FREE(sql`x.royalty_advance_id = a.id`, run)}) t
    order by t.period_to nulls last, t.due_on, t.statement_id, t.advance_id limit ${MOST}`);
}
