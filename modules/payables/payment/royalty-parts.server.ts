/** Statements with their lines, advances and withheld tax that a payment of royalties settles. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface RoyaltyLine { description: string; amount_minor: number }

/** Amounts of the payment are in its currency, those of the statement in the currency of the debt. */
export interface RoyaltyPart {
  /** Number of the statement; null: an advance. */
  statement: string | null;
  /** Commission of the agent on that statement. */
  is_agent: boolean;
  /** Show of the advance. */
  show: string;
  period_from: string | null;
  period_to: string | null;
  debt_currency: string;
  debt_minor: number;
  withheld_minor: number;
  paid_minor: number;
  /** Lines that add up to the debt: productions, then the other steps. Of a royaltor's own share alone. */
  lines: readonly RoyaltyLine[];
}

interface Row extends Omit<RoyaltyPart, 'lines'> {
  royalty_statement_id: number | null; opening_minor: number; reserves_minor: number; adjustments_minor: number;
  recouped_minor: number; top_up_minor: number; vat_minor: number; agent_minor: number;
}

export async function royaltyPartsOf(ctx: Pick<WorkContext, 'db'>, payment: number): Promise<RoyaltyPart[]> {
  const rows = await ctx.db.query<Row>(sql`
    select m.id as royalty_statement_id, m.number as statement, x.is_agent, coalesce(s.title, '') as show,
      m.period_from, m.period_to, x.debt_currency, x.debt_minor, x.withheld_minor, x.paid_minor,
      coalesce(m.opening_minor, 0)::bigint as opening_minor,
      coalesce(m.reserves_released_minor - m.reserves_taken_minor, 0)::bigint as reserves_minor,
      coalesce(m.adjustments_minor, 0)::bigint as adjustments_minor,
      coalesce(-m.recouped_minor, 0)::bigint as recouped_minor, coalesce(m.top_up_minor, 0)::bigint as top_up_minor,
      coalesce(m.vat_minor, 0)::bigint as vat_minor, coalesce(-m.agent_minor, 0)::bigint as agent_minor
    from royalty_payment_conversions x left join royalty_statements m on m.id = x.royalty_statement_id
      left join royalty_advances a on a.id = x.royalty_advance_id
      left join show_royaltors o on o.id = a.show_royaltor_id left join shows s on s.id = o.show_id
    where x.payment_id = ${payment} order by x.id`);
  const parts: RoyaltyPart[] = [];
  for (const row of rows) {
    const { statement, is_agent, show, period_from, period_to, debt_currency, debt_minor, withheld_minor,
      paid_minor } = row;
    parts.push({ statement, is_agent, show, period_from, period_to, debt_currency, debt_minor, withheld_minor,
      paid_minor, lines: row.royalty_statement_id === null || is_agent ? [] : await linesOf(ctx, row) });
  }
  return parts;
}

/** Productions as the statement names them, then each other step; what is left over was carried to another one. */
async function linesOf(ctx: Pick<WorkContext, 'db'>, row: Row): Promise<RoyaltyLine[]> {
  const earned = await ctx.db.query<RoyaltyLine>(sql`
    select description, sum(amount_minor)::bigint as amount_minor from royalty_statement_lines
    where royalty_statement_id = ${row.royalty_statement_id}
      and section in ('performances', 'sales_and_rentals', 'streaming')
    group by description order by min(sort), min(id)`);
  const others = [
    { description: 'Brought forward', amount_minor: row.opening_minor },
    { description: 'Reserves', amount_minor: row.reserves_minor },
    { description: 'Adjustments', amount_minor: row.adjustments_minor },
    { description: 'Advances recouped', amount_minor: row.recouped_minor },
    { description: 'Guarantee', amount_minor: row.top_up_minor },
    { description: 'VAT', amount_minor: row.vat_minor },
    { description: 'Commission of the agent', amount_minor: row.agent_minor },
  ];
  const listed = [...earned, ...others].filter((line) => line.amount_minor !== 0);
  const rest = row.debt_minor - listed.reduce((all, line) => all + line.amount_minor, 0);
  return rest === 0 ? listed : [...listed, { description: 'Carried from or to other statements', amount_minor: rest }];
}
