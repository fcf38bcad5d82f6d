/** What happened on a customer's account between two days, per division and currency, from the ledger's own items. */
import { refuse } from '#kit/errors.ts';
import { addMonths } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { movesOf } from './account-moves.server.ts';
import type { AccountStatement } from './aging.contract.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
type Account = AccountStatement['accounts'][number];
interface Move {
  division: Account['division']; currency: Account['currency']; on: string; kind: Account['lines'][number]['kind'];
  number: string | null; document_id: number | null; due_on: string | null; amount_minor: number;
}

/** The facts of a customer that its account needs; 404 where there is none. */
export async function customerOf(ctx: Reader, id: number) {
  const row = await ctx.db.maybeOne<{ id: number; name: string; default_division: string; credit_hold: boolean;
    credit_hold_reason: string | null; credit_limit_minor: number | null; payment_terms_days: number }>(sql`
    select id, name, default_division, credit_hold, credit_hold_reason, credit_limit_minor,
      payment_terms_days from customers where id = ${id} and deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Opening balance, every document and payment with the balance after it, closing balance. Default: twelve months. */
export async function accountStatement(
  ctx: Reader, customerId: number, range: { from?: string | undefined; to?: string | undefined },
): Promise<AccountStatement> {
  const customer = await customerOf(ctx, customerId);
  const to = range.to ?? await ctx.today(customer.default_division);
  const from = range.from ?? addMonths(to, -12);
  const moves = await ctx.db.query<Move>(sql`
    select * from (${movesOf(customerId)}) m where m.on <= ${to} order by m.on, m.transaction_id`);
  const accounts = [...Map.groupBy(moves, (move) => `${move.division} ${move.currency}`).values()]
    .map((own) => account(own, from));
  return { customer_id: customer.id, customer_name: customer.name, from, to, accounts };
}

function account(moves: readonly Move[], from: string): Account {
  const first = moves[0]!;
  const before = moves.filter((move) => move.on < from);
  const opening = before.reduce((all, move) => all + move.amount_minor, 0);
  let balance = opening;
  const lines = moves.filter((move) => move.on >= from).map((move) => {
    balance += move.amount_minor;
    const { on, kind, number, document_id, due_on, amount_minor } = move;
    return { on, kind, number, document_id, due_on, amount_minor, balance_minor: balance };
  });
  return { division: first.division, currency: first.currency, opening_minor: opening, closing_minor: balance, lines };
}
