/** Movements on a customer's account between two days, per division and currency, from the ledger's own items. */
import { refuse } from '#kit/errors.ts';
import { addMonths } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { movesOf } from './account-moves.server.ts';
import type { AccountStatement, DepositLine } from './aging.contract.ts';
import { depositMoves, type DepositMove } from './deposit-moves.server.ts';

type Reader = Pick<WorkContext, 'db' | 'today'>;
type Account = AccountStatement['accounts'][number];
interface Move {
  division: Account['division']; currency: Account['currency']; on: string; kind: Account['lines'][number]['kind'];
  number: string | null; document_id: number | null; due_on: string | null; amount_minor: number;
  set_off_minor: number;
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
  const held = await depositMoves(ctx, customerId, to);
  const keys = new Set([...moves, ...held].map(keyOf));
  const accounts = [...keys].map((key) => account(key, moves.filter((move) => keyOf(move) === key),
    held.filter((move) => keyOf(move) === key), from));
  return { customer_id: customer.id, customer_name: customer.name, from, to, accounts };
}

const keyOf = (of: { division: string; currency: string }): string => `${of.division} ${of.currency}`;

function account(key: string, moves: readonly Move[], held: readonly DepositMove[], from: string): Account {
  const [division, currency] = key.split(' ') as [Account['division'], Account['currency']];
  const lines = withBalances(moves, from);
  return { division, currency, ...lines, lines: lines.lines.map((line) => ({ on: line.on, kind: line.kind,
    number: line.number, document_id: line.document_id, due_on: line.due_on, amount_minor: line.amount_minor,
    balance_minor: line.balance_minor, set_off_minor: line.set_off_minor })), deposits: depositsOf(held, from) };
}

function depositsOf(held: readonly DepositMove[], from: string): Account['deposits'] {
  const { opening_minor, closing_minor, lines } = withBalances(held, from);
  return { opening_minor, closing_minor, lines: lines.map(({ on, kind, number, amount_minor, balance_minor }):
    DepositLine => ({ on, kind, number, amount_minor, balance_minor })) };
}

/** Opening balance, the movements from a day on with the balance after each, closing balance. */
function withBalances<M extends { on: string; amount_minor: number }>(moves: readonly M[], from: string) {
  const opening = moves.filter((move) => move.on < from).reduce((all, move) => all + move.amount_minor, 0);
  let balance = opening;
  const lines = moves.filter((move) => move.on >= from).map((move) => {
    balance += move.amount_minor;
    return { ...move, balance_minor: balance };
  });
  return { opening_minor: opening, closing_minor: balance, lines };
}
