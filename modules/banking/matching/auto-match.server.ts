/**
 * Matches beyond doubt, made without asking (accounting.md 4.2): 90 points, the amount equal to the cent, no other
 * candidate within 20 points. A pro forma is never paid without a person: its tax invoice could not be taken back.
 */
import { decideTogether } from '#kernel/bank-matching/auto-match.ts';
import { buildItemIndex } from '#kernel/bank-matching/item-index.ts';
import { suggestMatches } from '#kernel/bank-matching/suggest.ts';
import { AppError } from '#kit/errors.ts';
import { grants } from '#kit/permission.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { compact } from '#server/list.ts';
import { join, sql } from '#server/sql.ts';
import { ruleFor } from '../rule/rule-for.server.ts';
import { acceptable, awaitedOf, findItems, rulePartyKey } from './candidates.server.ts';
import { LEDGER_LINE } from './ledger-items.server.ts';
import { makeMatch, type MatchMaker } from './make-match.server.ts';
import { accountOf, lineToMatch, linesWhere, UNMATCHED, type StoredLine } from './match-lines.server.ts';
import { isRunKind } from './run-items.server.ts';
import { matchBody, type MatchSuggestion } from './matching.contract.ts';

/** Lines in one run, and items that they are compared with; where there are more, nothing is beyond doubt. */
const MAX_LINES = 500;
const MAX_ITEMS = 20_000;

const isPosted = (kind: string): boolean => kind === LEDGER_LINE || isRunKind(kind);

export interface AutoRequest {
  bank_account_id: number;
  bank_statement_id: number | null;
  from_on: string | null;
}

/** Answers how many lines were looked at and matched. A line whose posting is refused is left to a person. */
export async function autoMatch(ctx: WorkContext, of: AutoRequest, may: MatchMaker['may']):
Promise<{ matched: number; looked_at: number }> {
  const lines = await linesWhere(ctx.db, join(compact([sql`t.bank_account_id = ${of.bank_account_id}`,
    sql`t.state = 'booked'`, UNMATCHED, of.bank_statement_id !== null && sql`t.bank_statement_id = ${
      of.bank_statement_id}`, of.from_on !== null && sql`t.booked_on >= ${of.from_on}`]), ' and '), MAX_LINES);
  if (lines.length === 0) return { matched: 0, looked_at: 0 };
  let matched = 0;
  for (const [line, suggestion] of await beyondDoubt(ctx, lines)) {
    if (await tryMatch(ctx, line, suggestion, may)) matched += 1;
  }
  return { matched, looked_at: lines.length };
}

/** New lines of an import, where the person may match them. Of a large file a person starts it on the page. */
export async function matchImported(
  ctx: Ctx, bank_account_id: number, imported: { statement_ids: readonly number[]; new_count: number },
): Promise<number> {
  const may = permissionsOf(ctx);
  if (imported.new_count === 0 || imported.new_count > MAX_LINES || !may('bank_transaction.update')) return 0;
  let matched = 0;
  for (const bank_statement_id of imported.statement_ids) {
    matched += (await autoMatch(ctx, { bank_account_id, bank_statement_id, from_on: null }, may)).matched;
  }
  return matched;
}

export const permissionsOf = ({ user }: Ctx): MatchMaker['may'] => (permission) => user.role !== 'staff_user'
  || grants(user.permissions, permission);

async function beyondDoubt(ctx: WorkContext, lines: readonly StoredLine[]): Promise<[StoredLine, MatchSuggestion][]> {
  const account = await accountOf(ctx.db, lines[0]!.bank_account_id);
  const days = lines.map((line) => line.booked_on).sort();
  const items = await findItems(ctx, account, { by: 'days', from: days[0]!, to: days.at(-1)!, limit: MAX_ITEMS });
  if (items.length >= MAX_ITEMS) return [];
  const index = buildItemIndex(items, account);
  const rules = await ruleFor(ctx.db, lines);
  const decisions = decideTogether(new Map(lines.map((line) => [line.id, suggestMatches(index, lineToMatch(line),
    { rule_party_key: rulePartyKey(rules.get(line.id)) })])));
  // The line may be of a payment that is on its way: it is not for another document of the same amount.
  const awaited = new Set((await awaitedOf(ctx, account, lines.map((line) => line.amount_minor)))
    .map(({ amount_minor }) => amount_minor));
  return lines.flatMap((line): [StoredLine, MatchSuggestion][] => {
    const { match } = decisions.get(line.id)!;
    if (awaited.has(line.amount_minor) && match?.items.some(({ item }) => !isPosted(item.kind))) return [];
    const suggestion = match?.items.every(({ item }) => item.kind !== 'proforma') ? acceptable(line, match) : null;
    return suggestion ? [[line, suggestion]] : [];
  });
}

async function tryMatch(
  ctx: WorkContext, line: StoredLine, of: MatchSuggestion, may: MatchMaker['may'],
): Promise<boolean> {
  await ctx.db.exec(sql`savepoint auto_match`);
  try {
    await makeMatch(ctx, matchBody.parse({ line_ids: [line.id], score: of.score, reasons: of.reasons,
      parts: of.parts.map(({ kind, id, amount_minor }) => (isPosted(kind) ? { kind, id }
        : { kind, id, amount_minor: Math.abs(amount_minor) })) }), { made_by: 'auto', may });
    await ctx.db.exec(sql`release savepoint auto_match`);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await ctx.db.exec(sql`rollback to savepoint auto_match`);
    return false;
  }
}
