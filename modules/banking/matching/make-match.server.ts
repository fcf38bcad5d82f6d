/**
 * A match: lines of the bank on one side; on the other lines of the ledger that stand there, documents that are settled
 * now, entries, a fee, a transfer. What is posted here lands on the same bank account, so both sides come to the same
 * amount. Locks: bank lines by id, then ledger lines (by the database as they are inserted), then documents.
 */
import { discountOn, type OpenItem } from '#kernel/bank-matching/open-item.ts';
import { dateInWords, maxDate } from '#kernel/calendar/calendar.ts';
import { formatMinor } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { AppError, conflict, invalid, invalidField, refuse } from '#kit/errors.ts';
import type { Permission } from '#kit/permission.ts';
import type { WorkContext } from '#server/context.ts';
import type { SettledDocument } from '#server/open-items.ts';
import { sql, type Sql } from '#server/sql.ts';
import { postEntry, type EntryAccount } from '../bank-account/post-entry.server.ts';
import { findTransfer, receiveTransfer, sendTransfer } from '../transfer/transfer.server.ts';
import { LEDGER_LINE } from './ledger-items.server.ts';
import { accountOf, lockLines, type MatchingAccount, type StoredLine } from './match-lines.server.ts';
import { isRunKind, runLineIds } from './run-items.server.ts';
import type { MatchInput } from './matching.contract.ts';

export interface MatchMaker {
  made_by: 'person' | 'rule' | 'auto';
  may: (permission: Permission) => boolean;
}

interface Work {
  account: MatchingAccount;
  lines: readonly StoredLine[];
  input: MatchInput;
  on: string;
  /** Sum of the lines, with its sign. */
  total: number;
}

interface LedgerLine { id: number; amount_minor: number }

/** Makes the match; answers its id. Nothing stands unless all of it does. */
export async function makeMatch(ctx: WorkContext, input: MatchInput, by: MatchMaker): Promise<number> {
  refuseTwice(input);
  const { bank_transaction_id: half } = input.transfer ?? {};
  const all = await lockLines(ctx, [...input.line_ids, ...half ? [half] : []]);
  const lines = all.filter((line) => input.line_ids.includes(line.id));
  const [first] = lines;
  if (lines.some((line) => line.bank_account_id !== first!.bank_account_id)) {
    throw invalidField('line_ids', 'Choose lines of one bank account');
  }
  const work: Work = { account: await accountOf(ctx.db, first!.bank_account_id), lines, input,
    on: maxDate(first!.booked_on, ...lines.map((line) => line.booked_on)),
    total: lines.reduce((sum, line) => sum + line.amount_minor, 0) };
  refuseForbidden(ctx, input, by);
  const standing = await standingLines(ctx, work);
  const parts = await withAmounts(ctx, work);
  refuseUnequal(work, parts, standing);
  const made = await settleParts(ctx, work, parts);
  made.push(...await postEntries(ctx, work));
  const rest = input.transfer ? await makeTransfer(ctx, work, all.find((line) => line.id === half) ?? null) : null;
  if (rest) made.push(rest.document);
  const id = await store(ctx, work, by, { standing, made });
  if (rest?.other) await storeHalf(ctx, id, { ...rest, other: rest.other }, by);
  return id;
}

function refuseTwice(input: MatchInput): void {
  const keys = input.parts.map((part) => `${part.kind} ${part.id}`);
  if (new Set(input.line_ids).size !== input.line_ids.length) throw invalidField('line_ids', 'Choose each line once');
  if (new Set(keys).size !== keys.length) throw invalidField('parts', 'Choose each document once');
  if (input.transfer && (input.line_ids.length > 1 || input.parts.length > 0 || input.entries.length > 0
    || input.fee_minor > 0 || input.on_account)) {
    throw invalidField('transfer', 'A transfer is the whole of one line');
  }
}

function refuseForbidden(ctx: WorkContext, input: MatchInput, { may }: MatchMaker): void {
  const needed = input.parts.flatMap(({ kind }) =>
    [...ctx.ports.openItems.find((one) => one.kinds.includes(kind))?.permissions ?? []]);
  if (input.on_account) needed.push('payment.create');
  if (input.entries.length > 0 || input.fee_minor > 0) needed.push('transaction.update');
  if (input.transfer) needed.push('bank_transaction.create');
  if (!needed.every((permission) => may(permission))) throw refuse('forbidden');
}

/** Lines of the ledger that are chosen, each by itself or with its payment run. */
async function chosenLines(ctx: WorkContext, { account, input }: Work): Promise<number[]> {
  const ids = input.parts.filter((part) => part.kind === LEDGER_LINE).map((part) => part.id);
  for (const { kind, id } of input.parts) {
    if (!isRunKind(kind)) continue;
    const own = await runLineIds(ctx.db, account, { kind, id });
    if (own.length === 0) throw itemTaken();
    ids.push(...own);
  }
  if (new Set(ids).size !== ids.length) {
    throw invalidField('parts', 'Choose a payment run or its payments, not both');
  }
  return ids.sort((a, b) => a - b);
}

/** 409 where one is in a match already. */
async function standingLines(ctx: WorkContext, work: Work): Promise<LedgerLine[]> {
  const { account } = work;
  const ids = await chosenLines(ctx, work);
  if (ids.length === 0) return [];
  const rows = await ctx.db.query<LedgerLine & { taken: boolean }>(sql`
    select e.id, e.amount_minor, exists (select 1 from bank_match_entries m where m.ledger_line_id = e.id and m.active)
      or exists (select 1 from bank_reconciliation_ticks k where k.ledger_line_id = e.id and k.holds) as taken
    from journal_entries e where e.id = any (${ids}::bigint[]) and e.ledger_account_id = ${account.ledger_account_id}
    order by e.id`);
  if (rows.length < ids.length) throw invalidField('parts', 'Choose entries of this bank account');
  if (rows.some((row) => row.taken)) throw itemTaken();
  return rows;
}

const itemTaken = () => conflict('bank_match.item_taken',
  'An entry of the ledger was matched with another bank line meanwhile. Choose again.');

interface Part { kind: string; id: number; amount_minor: number; bank_minor: number | null; discount_minor: number;
  isOut: boolean }

/** Documents to settle; without an amount the whole of what is open. */
async function withAmounts(ctx: WorkContext, { account, input, on }: Work): Promise<Part[]> {
  const chosen = input.parts.filter(({ kind }) => kind !== LEDGER_LINE && !isRunKind(kind));
  const parts: Part[] = [];
  for (const { kind, id, amount_minor, discount_minor, ...of } of chosen) {
    const bank_minor = of.bank_minor ?? null;
    const source = ctx.ports.openItems.find((one) => one.kinds.includes(kind));
    if (!source) throw invalidField('parts', 'Choose an open document');
    const isOut = source.outgoing.includes(kind);
    if (amount_minor === undefined || discount_minor > 0) {
      const [item] = await source.find(ctx, account, { by: 'ids', kind, ids: [id], booked_on: on });
      if (!item) throw conflict('bank_match.item_taken', 'Nothing is open on a document any more. Choose again.');
      if (discount_minor > 0) refuseDiscount(item, on, discount_minor);
      parts.push({ kind, id, amount_minor: Number(item.open_minor) - discount_minor, bank_minor, discount_minor,
        isOut });
    } else parts.push({ kind, id, amount_minor, bank_minor, discount_minor, isOut });
  }
  return parts;
}

/** 422 where the document grants no such discount, or not on the day of the line any more. */
function refuseDiscount(item: OpenItem, on: string, discount_minor: number): void {
  if (discountOn(item, on) === BigInt(discount_minor)) return;
  throw invalidField('parts', item.discount == null ? `${item.label} has no discount that is open. Pay it in part`
    : `${item.label} takes a discount of ${formatMinor(item.open_minor - item.discount.paid_minor)} up to ${
      dateInWords(item.discount.until)} only. Pay it in part`);
}

/** Entries and lines of the ledger have their own sign, documents that of their kind; a fee goes out. */
function refuseUnequal({ input, total }: Work, parts: readonly Part[], standing: readonly LedgerLine[]): void {
  if (input.transfer) return;
  const sum = (amounts: readonly { amount_minor: number }[]): number =>
    amounts.reduce((all, one) => all + one.amount_minor, 0);
  const ofBank = parts.map((part) => ({
    amount_minor: (part.isOut ? -1 : 1) * (part.bank_minor ?? part.amount_minor) }));
  const other = sum(standing) + sum(ofBank) + sum(input.entries) + (input.on_account?.amount_minor ?? 0)
    - input.fee_minor;
  if (other !== total) {
    throw invalidField('parts', `The bank has ${formatMinor(BigInt(total))}, the other side ${
      formatMinor(BigInt(other))}. Both must be equal`);
  }
}

/** Refusals of a document's own service, at the one field that the screen has for them. */
async function atParts<T>(settling: Promise<T>): Promise<T> {
  try {
    return await settling;
  } catch (error) {
    if (error instanceof AppError && error.errors) {
      throw invalid({ parts: Object.values(error.errors).flat() });
    }
    throw error;
  }
}

/** The same for entries: each error at the entry that was typed. `places`: of the posted lines among them. */
async function atEntries<T>(places: readonly number[], posting: Promise<T>): Promise<T> {
  try {
    return await posting;
  } catch (error) {
    if (!(error instanceof AppError) || !error.errors) throw error;
    throw invalid(Object.fromEntries(Object.entries(error.errors).map(([field, texts]) => {
      const [, k, rest] = /^lines\.(\d+)\.(.+)$/.exec(field) ?? [];
      return [k === undefined ? 'line_ids' : `entries.${places[Number(k)]}.${rest}`, texts];
    })));
  }
}

async function settleParts(ctx: WorkContext, work: Work, parts: readonly Part[]): Promise<SettledDocument[]> {
  const { account, input, lines, on } = work;
  const made: SettledDocument[] = [];
  const reference = lines.map((line) => line.reference).find((text) => text !== '') ?? '';
  for (const source of ctx.ports.openItems) {
    const own = parts.filter((part) => source.kinds.includes(part.kind));
    const on_account = source.kinds.includes('invoice') ? input.on_account : null;
    if (own.length === 0 && !on_account) continue;
    made.push(...await atParts(source.settle(ctx, { account, on, reference, parts: own, on_account })));
  }
  return made;
}

const entryAccount = (account: MatchingAccount): EntryAccount => ({ id: account.bank_account_id,
  division: account.division as Division, currency: account.currency as Currency, name: account.name,
  ledger_code: account.ledger_code });

/** Entries with money in and with money out each become one posting; the bank's fee is one more line out. */
async function postEntries(ctx: WorkContext, { account, input, lines, on }: Work): Promise<SettledDocument[]> {
  const text = input.description || [lines[0]!.name, lines[0]!.memo].filter((one) => one !== '').join(' ')
    || 'Bank entry';
  const entries = [...input.entries];
  if (input.fee_minor > 0) {
    const { id } = await ctx.db.one<{ id: number }>(sql`
      select id from ledger_accounts where division = ${account.division} and system_key = 'bank_fees'`);
    entries.push({ ledger_account_id: id, amount_minor: -input.fee_minor, party_id: null, memo: '' });
  }
  const made: SettledDocument[] = [];
  for (const direction of ['in', 'out'] as const) {
    const own = entries.filter((entry) => (entry.amount_minor > 0) === (direction === 'in'));
    if (own.length === 0) continue;
    const places = own.map((entry) => entries.indexOf(entry));
    const transaction = await atEntries(places, postEntry(ctx, entryAccount(account), { on, direction,
      description: text.slice(0, 500), lines: own.map((entry) => ({ ledger_account_id: entry.ledger_account_id,
        amount_minor: Math.abs(entry.amount_minor), party_id: entry.party_id, memo: entry.memo })) }));
    made.push({ type: 'transaction', id: transaction, transaction_id: transaction });
  }
  return made;
}

interface MadeTransfer {
  document: SettledDocument;
  /** The line of the other account, with the side of the transfer that is matched with it. */
  other: { line: StoredLine; account: MatchingAccount; transaction_id: number } | null;
}

async function makeTransfer(ctx: WorkContext, work: Work, half: StoredLine | null): Promise<MadeTransfer> {
  const { account, lines: [line], input: { transfer } } = work;
  const other = await accountOf(ctx.db, transfer!.bank_account_id);
  if (half && (half.bank_account_id !== other.bank_account_id || half.amount_minor !== -line!.amount_minor)) {
    throw invalidField('transfer', 'Choose a line of the other account with the opposite amount');
  }
  if (other.currency !== account.currency) {
    throw invalidField('transfer',
      `Record a transfer into ${other.currency} under Transfers, then match its two sides`);
  }
  const isOut = line!.amount_minor < 0;
  if (!transfer!.another_confirmed) await askAboutRecorded(ctx, line!, other);
  const [out, into] = isOut ? [line!, half] : [half ?? line!, line!];
  // Banks book the arrival before the departure at times: the transfer has left by then.
  const sent_on = into && into.booked_on < out.booked_on ? into.booked_on : out.booked_on;
  const id = await sendTransfer(ctx, { from_bank_account_id: isOut ? account.bank_account_id : other.bank_account_id,
    to_bank_account_id: isOut ? other.bank_account_id : account.bank_account_id, received_minor: null, fee_minor: 0,
    amount_minor: Math.abs(line!.amount_minor), sent_on, received_on: null, memo: work.input.description });
  const made = await arrive(ctx, id, isOut && !half ? null : into!.booked_on);
  const own = isOut ? made.sent_transaction_id : made.received_transaction_id;
  const theirs = isOut ? made.received_transaction_id : made.sent_transaction_id;
  return { document: { type: 'bank_transfer', id, transaction_id: own! },
    other: half && { line: half, account: other, transaction_id: theirs! } };
}

/** 422 where a transfer between the two is recorded whose side here waits for a bank line of this amount. */
async function askAboutRecorded(ctx: WorkContext, line: StoredLine, other: MatchingAccount): Promise<void> {
  const here = await ctx.db.maybeOne<{ number: string; status: string }>(line.amount_minor < 0 ? sql`
    select t.number, t.status from bank_transfers t where t.from_bank_account_id = ${line.bank_account_id}
      and t.to_bank_account_id = ${other.bank_account_id} and t.status in ('in_transit', 'received')
      and t.amount_minor = ${-line.amount_minor} and not ${isMatched(sql`t.sent_transaction_id`, line)}
    order by t.id limit 1` : sql`
    select t.number, t.status from bank_transfers t where t.to_bank_account_id = ${line.bank_account_id}
      and t.from_bank_account_id = ${other.bank_account_id} and t.received_minor = ${line.amount_minor}
      and (t.status = 'in_transit' or (t.status = 'received'
        and not ${isMatched(sql`t.received_transaction_id`, line)}))
    order by t.id limit 1`);
  if (!here) return;
  throw invalidField('transfer.another_confirmed', `Transfer ${here.number} of this amount is ${
    here.status === 'in_transit' && line.amount_minor > 0 ? 'in transit to this account' : 'recorded already'
  }. Match the line with it under Find and match, or confirm that this is another transfer`);
}

const isMatched = (transaction: Sql, { bank_account_id }: StoredLine): Sql => sql`exists (
  select 1 from journal_entries e join bank_accounts b on b.ledger_account_id = e.ledger_account_id
    join bank_match_entries m on m.ledger_line_id = e.id and m.active
  where e.transaction_id = ${transaction} and b.id = ${bank_account_id})`;

async function arrive(ctx: WorkContext, id: number, on: string | null) {
  const row = await findTransfer(ctx, id);
  if (on === null) return row;
  await receiveTransfer(ctx, row, { received_on: on, received_minor: row.received_minor });
  return findTransfer(ctx, id);
}

const linesOf = (ctx: WorkContext, account: MatchingAccount, transactions: readonly number[]): Promise<LedgerLine[]> =>
  ctx.db.query<LedgerLine>(sql`
    select id, amount_minor from journal_entries where transaction_id = any (${[...transactions]}::bigint[])
      and ledger_account_id = ${account.ledger_account_id} order by id`);

async function insertMatch(ctx: WorkContext, of: {
  account: MatchingAccount; by: MatchMaker; lines: readonly StoredLine[]; standing: readonly LedgerLine[];
  posted: readonly LedgerLine[]; score: number | null; reasons: MatchInput['reasons']; paired: number | null;
}): Promise<number> {
  const account = of.account.bank_account_id;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bank_matches (bank_account_id, made_by, score, reasons, paired_match_id, created_by_id)
    values (${account}, ${of.by.made_by}, ${of.score}, ${JSON.stringify(of.reasons)}, ${of.paired},
      ${ctx.actor.actor_id}) returning id`);
  await ctx.db.exec(sql`
    insert into bank_match_lines (bank_match_id, bank_account_id, bank_transaction_id)
    select ${id}, ${account}, x from unnest(${of.lines.map((line) => line.id)}::bigint[]) x order by x`);
  const entries = [...of.standing, ...of.posted];
  try {
    await ctx.db.exec(sql`
      insert into bank_match_entries (bank_match_id, bank_account_id, ledger_line_id, posted_by_match)
      select ${id}, ${account}, x.id, x.posted from unnest(${entries.map((one) => one.id)}::bigint[],
        ${entries.map((one) => of.posted.includes(one))}::boolean[]) as x (id, posted) order by x.id`);
  } catch (error) {
    if ((error as { code?: string }).code === '23505') throw itemTaken();
    throw error;
  }
  for (const line of of.lines) {
    await ctx.audit({ action: 'match', entity: 'bank_transaction', entity_id: line.id,
      after: { bank_match_id: id, made_by: of.by.made_by, score: of.score,
        ledger_lines: entries.map((one) => one.id) } });
  }
  return id;
}

async function store(ctx: WorkContext, work: Work, by: MatchMaker, of: {
  standing: readonly LedgerLine[]; made: readonly SettledDocument[];
}): Promise<number> {
  const { account, lines, input } = work;
  const posted = await linesOf(ctx, account, of.made.map((one) => one.transaction_id));
  const id = await insertMatch(ctx, { account, by, lines, standing: of.standing, posted, score: input.score,
    reasons: input.reasons, paired: null });
  await ctx.db.exec(sql`
    insert into bank_match_documents (bank_match_id, document_type, document_id)
    select ${id}, x.type, x.id from unnest(${of.made.map((one) => one.type)}::text[],
      ${of.made.map((one) => one.id)}::bigint[]) as x (type, id)`);
  return id;
}

/** The line of the other account with its side of the transfer; undone together with the first. */
async function storeHalf(
  ctx: WorkContext, id: number, { other }: { other: NonNullable<MadeTransfer['other']> }, by: MatchMaker,
): Promise<void> {
  await insertMatch(ctx, { account: other.account, by, lines: [other.line], standing: [], score: null, reasons: [],
    posted: await linesOf(ctx, other.account, [other.transaction_id]), paired: id });
}
