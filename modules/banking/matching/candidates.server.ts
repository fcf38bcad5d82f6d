/** Match candidates of one line: the kernel compares it with the few items that SQL finds for it. */
import { buildItemIndex, type ItemIndex } from '#kernel/bank-matching/item-index.ts';
import { suggestLineGroups, type LineGroup } from '#kernel/bank-matching/line-groups.ts';
import { foldedName } from '#kernel/bank-matching/names.ts';
import type { LineToMatch, OpenItem } from '#kernel/bank-matching/open-item.ts';
import { lineReferences } from '#kernel/bank-matching/references.ts';
import { SUGGEST_FROM, suggestMatches } from '#kernel/bank-matching/suggest.ts';
import type { MatchedItem, Suggestion } from '#kernel/bank-matching/suggestion.ts';
import { pairTransfers, type TransferPair } from '#kernel/bank-matching/transfer-pairs.ts';
import { abs } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import type { AwaitedPayment, ItemSearch, LineSearch, MatchAccount } from '#server/open-items.ts';
import { sql } from '#server/sql.ts';
import { ledgerItems } from './ledger-items.server.ts';
import { runItems } from './run-items.server.ts';
import { accountOf, findLine, lineToMatch, linesWhere, UNMATCHED, type StoredLine } from './match-lines.server.ts';
import type { BankRuleRow } from '../rule/bank-rule.contract.ts';
import { ruleFor } from '../rule/rule-for.server.ts';
import type { LineRule, MatchCandidates, MatchSuggestion, SidePart } from './matching.contract.ts';

const withZeros = (number: string): string => number.replace(/\d+$/, (digits) => digits.padStart(6, '0'));

function searchOf(line: LineToMatch): LineSearch {
  const { own, keys } = lineReferences(line);
  const checks = [...keys].filter((key) => key.startsWith('check:')).map((key) => key.slice('check:'.length));
  const text = `${line.name} ${line.memo} ${line.reference} ${line.end_to_end_id ?? ''}`;
  return { by: 'line', direction: line.amount_minor < 0n ? 'out' : 'in', booked_on: line.booked_on,
    amount_minor: Number(line.amount_minor < 0n ? -line.amount_minor : line.amount_minor),
    numbers: own.map((number) => withZeros(number)),
    references: [...new Set([line.reference, line.end_to_end_id ?? '', ...checks, ...text.split(/\s+/).filter((word) =>
      /\d{4}/.test(word))])].filter((one) => one !== '').slice(0, 20),
    words: [...new Set([...foldedName(line.name).tokens, ...foldedName(line.memo).tokens])] };
}

/** Open items of every kind, from the ledger and from the documents of other contexts. */
export async function findItems(ctx: WorkContext, account: MatchAccount, search: ItemSearch): Promise<OpenItem[]> {
  const documents: OpenItem[] = [];
  for (const source of ctx.ports.openItems) documents.push(...await source.find(ctx, account, search));
  const parties = documents.flatMap(({ party }) => {
    const id = /^customer:(\d+)$/.exec(party?.key ?? '')?.[1];
    return id === undefined ? [] : [Number(id)];
  });
  return [...documents, ...await runItems(ctx.db, account, search),
    ...await ledgerItems(ctx.db, account, search, [...new Set(parties)])];
}

/** Payments of one of the amounts that are not posted yet. */
export async function awaitedOf(ctx: WorkContext, account: MatchAccount, amounts: readonly number[]):
Promise<AwaitedPayment[]> {
  const found: AwaitedPayment[] = [];
  for (const source of ctx.ports.openItems) found.push(...await source.awaited?.(ctx, account, amounts) ?? []);
  return found;
}

const customerOf = (item: OpenItem): number | null => {
  const id = /^customer:(\d+)$/.exec(item.party?.key ?? '')?.[1];
  return id === undefined ? null : Number(id);
};

export function sidePart(item: OpenItem, amount: bigint, bank_minor: number | null = null, discount = 0n): SidePart {
  return { kind: item.kind, id: item.id, label: item.label, party: item.party?.name ?? null,
    customer_id: customerOf(item), document_on: item.document_on, due_on: item.due_on,
    currency: item.currency as SidePart['currency'], open_minor: Number(item.open_minor), amount_minor: Number(amount),
    bank_minor, discount_minor: Number(discount), discount: item.discount == null ? null : { until: item.discount.until,
      amount_minor: Number(item.open_minor - item.discount.paid_minor) }, refusal: item.refusal ?? null };
}

const signed = (item: OpenItem, amount: bigint): bigint => (item.direction === 'out' ? -amount : amount);
const partOf = (line: StoredLine, { item, applied_minor, line_minor }: MatchedItem, discount: bigint): SidePart =>
  sidePart(item, signed(item, applied_minor), item.currency === line.currency ? null
    : Number(signed(item, line_minor)), discount);

/** Kinds of documents that may stay open in part. */
const IN_PART = ['invoice', 'bill', 'vendor_credit'];

/**
 * A suggestion that can be accepted as it stands, or null: a line of the ledger is matched whole, a pro forma is paid
 * whole, and so is a document in another currency.
 */
export function acceptable(line: StoredLine, of: Suggestion): MatchSuggestion | null {
  const items = of.items.map((one) => one.item);
  const customer = items.length === 1 ? customerOf(items[0]!) : null;
  const isDocument = items.every((item) => item.kind === 'invoice' || item.kind === 'proforma');
  const isForeign = items.some((item) => item.currency !== line.currency);
  const mayBePart = items.every((item) => IN_PART.includes(item.kind));
  if ((isForeign && of.shape !== 'exchange') || (of.shape === 'part' && !mayBePart)) return null;
  if (of.shape === 'rest' && (!isDocument || customer === null)) return null;
  return { shape: of.shape, score: of.score, summary: of.summary, line_ids: [line.id], transfer: null,
    reasons: of.reasons.map(({ points, text }) => ({ points, text })),
    parts: of.items.map((one) => partOf(line, one, of.shape === 'discount' ? of.difference_minor : 0n)),
    fee_minor: of.shape === 'fee' ? Number(of.difference_minor) : 0,
    on_account: of.shape === 'rest' ? { customer_id: customer!, amount_minor: Number(of.left_minor) } : null };
}

function ofGroup(group: LineGroup): MatchSuggestion {
  return { shape: 'lines', score: group.score, summary: group.summary, line_ids: group.lines, transfer: null,
    reasons: group.reasons.map(({ points, text }) => ({ points, text })), fee_minor: 0, on_account: null,
    parts: [sidePart(group.item, signed(group.item, group.item.open_minor))] };
}

async function pairsOf(ctx: WorkContext, line: StoredLine): Promise<MatchSuggestion[]> {
  const others = await linesWhere(ctx.db, sql`t.state = 'booked' and ${UNMATCHED}
    and t.amount_minor = ${-line.amount_minor} and t.booked_on between ${line.booked_on}::date - 4
      and ${line.booked_on}::date + 4
    and t.bank_account_id in (select o.id from bank_accounts o join bank_accounts b on b.division = o.division
      and b.currency = o.currency and b.id <> o.id
      where b.id = ${line.bank_account_id} and o.closed_on is null and o.deleted_at is null)`, 50);
  if (others.length === 0) return [];
  const names = new Map((await ctx.db.query<{ id: number; name: string }>(sql`
    select id, name from bank_accounts where id = any (${others.map((one) => one.bank_account_id)}::bigint[])`))
    .map(({ id, name }) => [id, name]));
  const pairs = pairTransfers([line, ...others].map((one) => lineToMatch(one)), new Map());
  return pairs.filter((pair) => pair.out.id === line.id || pair.in.id === line.id)
    .map((pair) => ofPair(line, pair, names));
}

function ofPair(line: StoredLine, pair: TransferPair, names: ReadonlyMap<number, string>): MatchSuggestion {
  const other = pair.out.id === line.id ? pair.in : pair.out;
  return { shape: 'transfer', score: pair.score, summary: pair.summary, line_ids: [line.id], parts: [], fee_minor: 0,
    reasons: pair.reasons.map(({ points, text }) => ({ points, text })), on_account: null,
    transfer: { bank_account_id: other.bank_account_id, bank_account_name: names.get(other.bank_account_id) ?? '',
      bank_transaction_id: other.id, booked_on: other.booked_on } };
}

async function groupsOf(ctx: WorkContext, index: ItemIndex, line: StoredLine): Promise<MatchSuggestion[]> {
  const others = await linesWhere(ctx.db, sql`t.state = 'booked' and ${UNMATCHED}
    and t.bank_account_id = ${line.bank_account_id} and t.id <> ${line.id}
    and t.booked_on between ${line.booked_on}::date - 10 and ${line.booked_on}::date + 10
    and sign(t.amount_minor) = sign(${line.amount_minor}::bigint)`, 200);
  return suggestLineGroups(index, lineToMatch(line), others.map((one) => lineToMatch(one)))
    .filter(({ item }) => item.kind !== 'proforma' && item.currency === line.currency).map((group) => ofGroup(group));
}

/** The party that a rule names, as items name theirs: where the two agree, that is a reason of its own. */
export function rulePartyKey(rule: BankRuleRow | undefined): string | null {
  return rule?.party_type && rule.party_id !== null ? `${rule.party_type}:${rule.party_id}` : null;
}

function shownRule({ id, name, kind, ledger_account_id, ledger_account, party_type, party_id, party_name,
  to_bank_account_id, memo }: BankRuleRow): LineRule {
  return { id, name, kind, ledger_account_id, ledger_account, party_type, party_id, party_name, to_bank_account_id,
    memo };
}

/** Suggestions for a line that is not matched, the best first. */
export async function suggestionsFor(ctx: WorkContext, line: StoredLine, rule?: BankRuleRow):
Promise<Pick<MatchCandidates, 'suggestions' | 'others' | 'awaited' | 'refusal'>> {
  const account = await accountOf(ctx.db, line.bank_account_id);
  const read = lineToMatch(line);
  const index = buildItemIndex(await findItems(ctx, account, searchOf(read)), account);
  const answer = suggestMatches(index, read, { rule_party_key: rulePartyKey(rule) });
  const all = [...answer.suggestions, ...answer.others].flatMap((one) => acceptable(line, one) ?? []);
  const more = [...await groupsOf(ctx, index, line), ...await pairsOf(ctx, line)];
  const ranked = [...all, ...more].sort((a, b) => b.score - a.score);
  return { suggestions: ranked.filter((one) => one.score >= SUGGEST_FROM).slice(0, 10),
    others: ranked.filter((one) => one.score < SUGGEST_FROM).slice(0, 10),
    awaited: await awaitedOf(ctx, account, [line.amount_minor]), refusal: answer.auto.refusal?.message ?? null };
}

export async function candidatesFor(ctx: WorkContext, id: number): Promise<Omit<MatchCandidates, 'match'>> {
  const line = await findLine(ctx.db, id);
  if (line.bank_match_id !== null) {
    return { line: shown(line), rule: null, suggestions: [], others: [], awaited: [], refusal: null };
  }
  const rule = (await ruleFor(ctx.db, [line])).get(line.id);
  return { line: shown(line), rule: rule ? shownRule(rule) : null, ...await suggestionsFor(ctx, line, rule) };
}

const shown = ({ state: _state, end_to_end_id: _end, check_number: _check, counterparty_account: _other,
  ...line }: StoredLine): MatchCandidates['line'] => line;

/** Find and match: every open document and unmatched ledger line that has the text, the amount, the kind. */
export async function searchItems(ctx: WorkContext, id: number, query: {
  search: string; from_minor?: number | undefined; to_minor?: number | undefined; kind?: string | undefined;
  currency?: string | undefined;
}): Promise<SidePart[]> {
  const line = await findLine(ctx.db, id);
  const account = await accountOf(ctx.db, line.bank_account_id);
  const found = await findItems(ctx, account, { by: 'text', direction: null, text: query.search,
    from_minor: query.from_minor ?? null, to_minor: query.to_minor ?? null, currency: query.currency ?? null,
    booked_on: line.booked_on, limit: 100 });
  const atBank = (item: OpenItem): bigint => signed(item, item.converted_minor ?? item.open_minor);
  const distance = (item: OpenItem): bigint => abs(atBank(item) - BigInt(line.amount_minor));
  return found.filter((item) => (query.kind === undefined || item.kind === query.kind)
    && (query.currency === undefined || item.currency === query.currency))
    .toSorted((a, b) => Number(distance(a) - distance(b))).slice(0, 100)
    .map((item) => sidePart(item, signed(item, item.open_minor), item.converted_minor === null ? null
      : Number(atBank(item))));
}

