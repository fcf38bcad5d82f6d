/** Statements and advances that a general payment run may pay, net of tax and in the currency of its account. */
import type { Division } from '#kernel/money/division.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { applyPpm, type Currency } from '#kernel/money/money.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { payStatement } from '#kernel/royalties/settlement.ts';
import { AppError } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { conversionOf } from './convert-payment.server.ts';
import { rateOf } from './make-batch.server.ts';
import { payablesOf } from './payables.server.ts';

export interface DueRoyalty {
  statement_id: number | null;
  advance_id: number | null;
  document: string;
  subject: string;
  due_on: string | null;
  /** To the royaltor, after tax. */
  amount_minor: number;
  withheld_minor: number;
  /** To the agent, by a payment of its own. */
  agent_minor: number;
  is_due: boolean;
  held: string | null;
}

export interface DueRoyaltor {
  royaltor_id: number;
  name: string;
  other_method: PayoutMethod | null;
  held: string | null;
  last4: string | null;
  items: DueRoyalty[];
}

interface DueQuery { division: Division; currency: Currency; method: PayoutMethod; pay_on: string;
  run_id?: number | undefined }
type Line = Awaited<ReturnType<typeof payablesOf>>['payees'][number]['lines'][number];
interface Facts { royaltor_id: number; net_minor: number; vat_minor: number; agent_minor: number }

/** By payee; a payee who is held out comes with the reason and without amounts after tax. */
export async function dueRoyalties(ctx: Pick<WorkContext, 'db'>, query: DueQuery): Promise<DueRoyaltor[]> {
  const { payees } = await payablesOf(ctx, query, query.run_id ?? null);
  const lines = payees.flatMap((payee) => payee.lines);
  const facts = await factsOf(ctx, lines);
  const ids = payees.map((payee) => payee.payee_id);
  const accounts = new Map((await ctx.db.query<{ id: number; last4: string | null }>(sql`
    select id, bank_account_last4 as last4 from royaltors where id = any (${ids}::bigint[])`))
    .map((row) => [row.id, row.last4]));
  const found: DueRoyaltor[] = [];
  for (const payee of payees) {
    const items: DueRoyalty[] = [];
    for (const line of payee.lines) items.push(await itemOf(ctx, query, line, facts));
    found.push({ royaltor_id: payee.payee_id, name: payee.payee_name,
      other_method: payee.other_method, held: payee.held,
      last4: accounts.get(payee.payee_id) ?? null, items });
  }
  return found;
}

const keyOf = (line: Pick<Line, 'statement_id' | 'advance_id'>): string =>
  (line.statement_id === null ? `advance:${line.advance_id}` : `statement:${line.statement_id}`);

/** Amounts that the tax is taken from, and the royaltor whose tax it is. */
async function factsOf(ctx: Pick<WorkContext, 'db'>, lines: readonly Line[]): Promise<Map<string, Facts>> {
  const ids = (column: 'statement_id' | 'advance_id') => lines.flatMap((line) => line[column] ?? []);
  const rows = await ctx.db.query<Facts & { key: string }>(sql`
    select 'statement:' || id as key, royaltor_id, net_minor, vat_minor, agent_minor from royalty_statements
    where id = any (${ids('statement_id')}::bigint[])
    union all
    select 'advance:' || a.id, g.royaltor_id, a.amount_minor, 0::bigint, 0::bigint from royalty_advances a
      join show_royaltors g on g.id = a.show_royaltor_id where a.id = any (${ids('advance_id')}::bigint[])`);
  return new Map(rows.map((row) => [row.key, row]));
}

async function itemOf(ctx: Pick<WorkContext, 'db'>, query: DueQuery, line: Line, facts: ReadonlyMap<string, Facts>):
Promise<DueRoyalty> {
  const item = { statement_id: line.statement_id, advance_id: line.advance_id,
    document: line.number ?? 'Advance', subject: line.subject, due_on: line.due_on, is_due: line.due, held: line.held };
  try {
    const { rate } = await conversionOf(ctx.db, query.division, line.currency, query.currency, query.pay_on);
    const { paid, withheld } = await afterTax(ctx, query, line, facts.get(keyOf(line))!);
    return { ...item, amount_minor: Number(atRate(paid, rate)), withheld_minor: Number(atRate(withheld, rate)),
      agent_minor: Number(atRate(BigInt(line.agent_minor), rate)) };
  } catch (error) {
    // Without a rate or a rule of tax there is no amount; the reason names which.
    if (!(error instanceof AppError)) throw error;
    return { ...item, amount_minor: 0, withheld_minor: 0, agent_minor: 0, held: line.held ?? error.message };
  }
}

async function afterTax(ctx: Pick<WorkContext, 'db'>, query: DueQuery, line: Line, of: Facts):
Promise<{ paid: bigint; withheld: bigint }> {
  if (line.is_agent) return { paid: BigInt(line.amount_minor), withheld: 0n };
  const { rate_ppm } = await rateOf(ctx, of.royaltor_id, query);
  if (line.advance_id !== null) {
    const withheld = applyPpm(BigInt(of.net_minor), rate_ppm);
    return { paid: BigInt(of.net_minor) - withheld, withheld };
  }
  const tax = payStatement(BigInt(of.net_minor), BigInt(of.vat_minor), BigInt(of.agent_minor), rate_ppm);
  return { paid: tax.payment_minor, withheld: tax.withholding_minor };
}
