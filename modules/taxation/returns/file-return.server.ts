/**
 * The way of a VAT return: prepared by one person, filed by another (accounting.md 3.8, event 22). Filing freezes what
 * it takes, posts its tax to 2350 on the day of filing and locks the period for tax.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { BrowserFacts } from '#kernel/tax/fraud-headers.ts';
import { returnLines, vatReturn, type TakenTax } from '#kernel/tax/vat-return.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { asLedgerCall, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { keyOf, outside } from '#server/outside.ts';
import { sql } from '#server/sql.ts';
import { forgetRefusals, liveSubmission, submitReturn, type StoredBox } from '../hmrc/submit-return.server.ts';
import { taxAuthority } from '../tax-authority.server.ts';
import { hashOf, openItems, vatChecks, type TakenItem, type VatPeriod } from './vat-items.server.ts';
import { blockedBecause, returnsOf } from './vat-report.server.ts';
import { vatReturnEndpoints, type VatDivisionCode, type VatReturnRow } from './vat-return.contract.ts';

interface StoredReturn {
  id: number; division: VatDivisionCode; period_from: string; period_to: string; status: 'prepared' | 'filed';
  items_sha256: string; prepared_by_id: number; version: number; receipt: string; boxes: readonly StoredBox[];
}

/** One return of a division at a time: who comes second waits and then sees what the first one did. */
function lockReturns(ctx: Ctx, division: string): Promise<unknown> {
  return ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tax_returns ${division}`}, 0))`);
}

const titleOf = (of: { division: string; period_from: string; period_to: string }): string =>
  `VAT return of ${of.division}, ${dateInWords(of.period_from)} to ${dateInWords(of.period_to)}`;
const hrefOf = (of: { division: string; period_from: string; period_to: string }): string =>
  `/admin/finance/taxes-vat/uk-vat?division=${of.division}&from=${of.period_from}&to=${of.period_to}`;

async function rowOf(ctx: Ctx, id: number, division: VatDivisionCode): Promise<VatReturnRow> {
  return (await returnsOf(ctx.db, division)).find((one) => one.id === id)!;
}

/** The items, once the accounts of VAT are what the returns say. */
async function checkedItems(ctx: Ctx, of: VatPeriod): Promise<TakenItem[]> {
  if ((await vatChecks(ctx.db, of)).some((check) => !check.ok)) {
    throw conflict('tax_return.differs', 'The VAT accounts in the ledger do not match the returns. Find the entry on '
      + 'Output VAT or Input VAT that no document made.');
  }
  return openItems(ctx.db, of);
}

export async function prepareReturn(ctx: Ctx, of: VatPeriod): Promise<VatReturnRow> {
  await lockReturns(ctx, of.division);
  const reason = await blockedBecause(ctx, of);
  if (reason !== null) throw conflict('tax_return.not_ready', reason);
  const items = await checkedItems(ctx, of);
  const { boxes, net_minor } = vatReturn(of.division, items);
  const stored = boxes.map((box) => ({ ...box, amount_minor: Number(box.amount_minor) }));
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into tax_returns (division, period_from, period_to, boxes, net_minor, items_sha256, item_count,
      prepared_by_id, prepared_at)
    values (${of.division}, ${of.from}, ${of.to}, ${JSON.stringify(stored)}::jsonb, ${Number(net_minor)},
      ${hashOf(items)}, ${items.length}, ${ctx.user.user_id}, ${ctx.now().toISOString()}) returning id`);
  const row = await rowOf(ctx, id, of.division);
  await ctx.audit({ action: 'prepare', entity: 'tax_return', entity_id: id, after: row });
  await notifyApprovers(ctx, vatReturnEndpoints.file, { title: `${titleOf(row)}: awaits filing`, href: hrefOf(row) });
  return row;
}

/** The return under the lock of its division; the row may have changed while the lock was waited for. */
async function lockedReturn(ctx: Ctx, id: number, version: number): Promise<StoredReturn> {
  const known = await ctx.db.maybeOne<{ division: string }>(sql`select division from tax_returns where id = ${id}`);
  if (!known) throw refuse('not_found');
  await lockReturns(ctx, known.division);
  const stored = await ctx.db.maybeOne<StoredReturn>(sql`
    select id, division, period_from, period_to, status, items_sha256, prepared_by_id, version, receipt, boxes
    from tax_returns where id = ${id} for update`);
  if (!stored) throw refuse('not_found');
  if (stored.version !== version) throw stale(stored);
  return stored;
}

function refuseFiled(stored: StoredReturn): void {
  if (stored.status === 'filed') throw conflict('tax_return.filed', `The ${titleOf(stored)} is filed already.`);
}

function refuseOwn(ctx: Ctx, stored: StoredReturn): void {
  if (stored.prepared_by_id !== ctx.user.user_id) return;
  throw refuse('four_eyes', 'You prepared this return: another person files it.');
}

/** Refuses any other way of filing for a return that HMRC has, or may have. */
async function refuseSent(ctx: Ctx, stored: StoredReturn): Promise<void> {
  if (await liveSubmission(ctx.db, stored.id) === null) return;
  throw conflict('hmrc.sent', 'The return was sent to HMRC. File it with HMRC again: what HMRC has is read back and '
    + 'compared, and nothing is sent twice.');
}

/** The items that the boxes were made of; refused where others have come or gone since. */
async function unchangedItems(ctx: Ctx, stored: StoredReturn): Promise<TakenItem[]> {
  const items = await checkedItems(ctx, { division: stored.division, from: stored.period_from,
    to: stored.period_to });
  if (hashOf(items) !== stored.items_sha256) {
    throw conflict('tax_return.changed', 'Something was posted in the period after the return was prepared. '
      + 'Withdraw it and prepare it again.');
  }
  return items;
}

export async function fileReturn(ctx: Ctx, id: number, input: { version: number; receipt: string }):
Promise<VatReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  refuseFiled(stored);
  refuseOwn(ctx, stored);
  await refuseSent(ctx, stored);
  return finishFiling(ctx, stored, await unchangedItems(ctx, stored), input.receipt);
}

/**
 * Sends the return to HMRC and files it with the items that were sent. The sending is outside of this transaction and
 * stored before it leaves; whatever dies afterwards, the next attempt finds what HMRC took and files that.
 */
export async function fileWithHmrc(ctx: Ctx, id: number, input: { version: number; browser: BrowserFacts }):
Promise<VatReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  refuseFiled(stored);
  refuseOwn(ctx, stored);
  if (stored.division !== 'UK') throw conflict('hmrc.not_connected', 'Only the UK files with HMRC.');
  const items = (await liveSubmission(ctx.db, id))?.items ?? await unchangedItems(ctx, stored);
  const taken = await outside(keyOf('hmrc return', id, input.version),
    () => submitReturn(ctx, { ...stored, division: 'UK' }, items, input.browser));
  return finishFiling(ctx, stored, taken.items, taken.form_bundle_number ?? '');
}

async function finishFiling(ctx: Ctx, stored: StoredReturn, items: readonly TakenItem[], receipt: string):
Promise<VatReturnRow> {
  const { id } = stored;
  const before = await rowOf(ctx, id, stored.division);
  await freeze(ctx, id, items);
  const posted = await postReturn(ctx, stored, items);
  await ctx.db.exec(sql`
    update tax_returns set status = 'filed', filed_by_id = ${ctx.user.user_id}, receipt = ${receipt},
      filed_at = ${ctx.now().toISOString()}, transaction_id = ${posted}, version = version + 1 where id = ${id}`);
  await lockTax(ctx, stored);
  const after = await rowOf(ctx, id, stored.division);
  await ctx.audit({ action: 'file', entity: 'tax_return', entity_id: id, before, after });
  await notifyAsker(ctx, stored.prepared_by_id, { title: `Filed: ${titleOf(stored)}`, href: hrefOf(stored) });
  return after;
}

async function freeze(ctx: Ctx, id: number, items: readonly TakenItem[]): Promise<void> {
  await ctx.db.exec(sql`
    insert into tax_return_items (tax_return_id, source, source_id, side, tax_minor, net_minor, intra_eu, is_goods,
      is_late)
    select ${id}, * from unnest(${items.map((one) => one.source)}::text[],
      ${items.map((one) => one.source_id)}::bigint[], ${items.map((one) => one.side)}::text[],
      ${items.map((one) => one.tax_minor.toString())}::bigint[],
      ${items.map((one) => one.net_minor.toString())}::bigint[], ${items.map((one) => one.intra_eu)}::boolean[],
      ${items.map((one) => one.is_goods)}::boolean[], ${items.map((one) => one.is_late)}::boolean[])`);
}

/** Event 22, dated the day of filing; null where nothing is to be posted. */
async function postReturn(ctx: Ctx, stored: StoredReturn, items: readonly TakenItem[]): Promise<number | null> {
  const taken = new Map<string, TakenTax>();
  for (const item of items) {
    if (item.account === null || item.authority_id === null) continue;
    const key = `${item.account} ${item.authority_id}`;
    taken.set(key, { account: item.account, authority_id: item.authority_id,
      base_minor: (taken.get(key)?.base_minor ?? 0n) + item.base_amount_minor });
  }
  const { home_country: home } = await ctx.db.one<{ home_country: string }>(sql`
    select home_country from divisions where code = ${stored.division}`);
  const lines = returnLines([...taken.values()], await taxAuthority(ctx, home));
  if (lines.length === 0) return null;
  const on = await ctx.today(stored.division);
  const posted = await postJournal(ctx.db, {
    division: stored.division, kind: 'tax_return', transaction_at: on, description: titleOf(stored),
    source: { type: 'tax_return', id: stored.id, event: 'filed', attempt: 1 },
    lines: lines.map((line) => ({ account: line.account, currency: FUNCTIONAL_CURRENCY[stored.division],
      amount: line.amount_minor, base: line.amount_minor,
      party: { type: 'tax_authority', id: line.authority_id } })),
  }, ctx.user.user_id);
  return posted.transaction_id;
}

/** Nothing with tax is dated into a filed period any more. */
async function lockTax(ctx: Ctx, stored: StoredReturn): Promise<void> {
  const lock = await ctx.db.maybeOne<{ locked_through: string }>(sql`
    select locked_through from period_locks where division = ${stored.division} and sub_ledger = 'tax'`);
  if (lock && lock.locked_through >= stored.period_to) return;
  await asLedgerCall(ctx.db.query(sql`
    select ledger_set_lock(${stored.division}::text, 'tax', ${stored.period_to}::date, ${titleOf(stored)}::text,
      ${stored.prepared_by_id}::bigint, ${ctx.user.user_id}::bigint)`));
}

export async function enterReceipt(ctx: Ctx, id: number, input: { version: number; receipt: string }):
Promise<VatReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  if (stored.status !== 'filed') throw conflict('tax_return.not_ready', 'The return is not filed yet.');
  await ctx.db.exec(sql`
    update tax_returns set receipt = ${input.receipt}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'update', entity: 'tax_return', entity_id: id, before: { receipt: stored.receipt },
    after: { receipt: input.receipt } });
  return rowOf(ctx, id, stored.division);
}

export async function withdrawReturn(ctx: Ctx, id: number, input: { version: number; reason: string }):
Promise<void> {
  const stored = await lockedReturn(ctx, id, input.version);
  refuseFiled(stored);
  await refuseSent(ctx, stored);
  await forgetRefusals(ctx.db, id);
  await ctx.db.exec(sql`delete from tax_returns where id = ${id}`);
  await ctx.audit({ action: 'withdraw', entity: 'tax_return', entity_id: id, before: stored,
    after: { reason: input.reason } });
  await notifyAsker(ctx, stored.prepared_by_id, { title: `Withdrawn: ${titleOf(stored)}`, body: input.reason,
    href: hrefOf(stored) });
}
