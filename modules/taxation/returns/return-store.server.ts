/**
 * Returns as stored, of VAT and of the sales tax of a state: locked for a step, frozen, withdrawn, and with the answer
 * of the authority. A filed return never changes (trigger).
 */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { sha256 } from '#server/files.ts';
import { sql } from '#server/sql.ts';
import { forgetRefusals, liveSubmission, type StoredBox } from '../hmrc/submit-return.server.ts';
import { SALES_TAX_PAGE, VAT_PAGE } from '../return-tabs.ts';
import { stateName } from '../sales-tax/state-name.ts';
import type { TaxReturnRow } from './vat-return.contract.ts';

/** Returns leave no gap and no day twice. */
export const beginsAfter = (last: string): string => `${dateInWords(last)} is the last day that is filed already. `
  + `Choose ${dateInWords(addDays(last, 1))} as the first day.`;

export interface StoredReturn {
  id: number; division: TaxReturnRow['division']; state: string | null; period_from: string; period_to: string;
  status: 'prepared' | 'filed'; items_sha256: string; prepared_by_id: number; version: number; receipt: string;
  boxes: readonly StoredBox[]; due_on: string | null; discount_minor: number;
  credit_minor: number;
}

/** Item of a return; each stands on one return. */
export interface ReturnItem {
  readonly source: 'entry' | 'invoice_line' | 'bill_line' | 'void_bill_line' | 'sales_line' | 'use_entry';
  readonly source_id: number;
  readonly side: 'output' | 'input';
  readonly tax_minor: bigint;
  readonly net_minor: bigint;
  readonly intra_eu: boolean;
  readonly is_goods: boolean;
  readonly is_late: boolean;
}

/** Returns of a division, of one state where it is named, newest first. */
export function taxReturns(db: Queryable, division: string, state?: string): Promise<TaxReturnRow[]> {
  return db.query<TaxReturnRow>(sql`
    select t.id, t.division, t.state, t.period_from, t.period_to, t.status, t.net_minor,
      d.functional_currency as currency, t.due_on, t.discount_minor, t.credit_minor,
      t.carries_credit,
      t.prepared_by_id, p.first_name || ' ' || p.last_name as prepared_by_name, t.prepared_at,
      f.first_name || ' ' || f.last_name as filed_by_name, t.filed_at, t.filed_on, t.receipt, t.transaction_id,
      b.id as bill_id, b.number as bill_number, b.state as bill_state, t.version,
      (select h.state from hmrc_submissions h where h.tax_return_id = t.id
        and h.state in ('sent', 'accepted')) as at_hmrc
    from tax_returns t join divisions d on d.code = t.division join users p on p.id = t.prepared_by_id
      left join users f on f.id = t.filed_by_id
      left join bills x on x.tax_return_id = t.id and x.deleted_at is null and x.status <> 'void'
      left join bill_list b on b.id = x.id
    where t.division = ${division} and (${state ?? null}::text is null or t.state = ${state ?? null})
    order by t.period_from desc, t.state`);
}

export async function rowOf(ctx: Ctx, of: Pick<StoredReturn, 'id' | 'division'>): Promise<TaxReturnRow> {
  return (await taxReturns(ctx.db, of.division)).find((one) => one.id === of.id)!;
}

interface Named { division: string; state: string | null; period_from: string; period_to: string }

export const titleOf = (of: Named): string => `${of.state === null ? `VAT return of ${of.division}`
  : `${stateName(of.state)} sales tax return of ${of.division}`}, ${dateInWords(of.period_from)} to ${
  dateInWords(of.period_to)}`;
export const hrefOf = (of: Named): string => {
  const span = `from=${of.period_from}&to=${of.period_to}`;
  return of.state === null ? `${VAT_PAGE}?division=${of.division}&${span}`
    : `${SALES_TAX_PAGE}?division=${of.division}&state=${of.state.slice(3)}&${span}`;
};

/** Taxes of a division that are owed and on no bill, ready to be billed. */
export const taxesDueHref = (division: string): string => `/admin/accounts-payable/invoices?taxes=${division}`;

/** One return of a division at a time: who comes second waits and then sees what the first one did. */
export function lockReturns(ctx: Ctx, division: string): Promise<unknown> {
  return ctx.db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tax_returns ${division}`}, 0))`);
}

/** The return under the lock of its division; the row may have changed while the lock was waited for. */
export async function lockedReturn(ctx: Ctx, id: number, version: number | null): Promise<StoredReturn> {
  const known = await ctx.db.maybeOne<{ division: string }>(sql`select division from tax_returns where id = ${id}`);
  if (!known) throw refuse('not_found');
  await lockReturns(ctx, known.division);
  await ctx.db.exec(sql`select 1 from tax_returns where id = ${id} for update`);
  const stored = await ctx.db.maybeOne<StoredReturn>(sql`
    select id, division, state, period_from, period_to, status, items_sha256, prepared_by_id, version, receipt, boxes,
      due_on, discount_minor, credit_minor
    from tax_returns where id = ${id}`);
  if (!stored) throw refuse('not_found');
  if (version !== null && stored.version !== version) throw stale(stored);
  return stored;
}

export function refuseFiled(stored: StoredReturn): void {
  if (stored.status === 'filed') throw conflict('tax_return.filed', `The ${titleOf(stored)} is filed already.`);
}

export function refuseOwn(ctx: Ctx, stored: StoredReturn): void {
  if (stored.prepared_by_id !== ctx.user.user_id) return;
  throw refuse('four_eyes', 'You prepared this return: another person files it.');
}

/** Refuses any other way of filing for a return that HMRC has, or may have. */
export async function refuseSent(ctx: Ctx, stored: StoredReturn): Promise<void> {
  if (await liveSubmission(ctx.db, stored.id) === null) return;
  throw conflict('hmrc.sent', 'The return was sent to HMRC. File it with HMRC again: what HMRC has is read back and '
    + 'compared, and nothing is sent twice.');
}

/** Hash of a return's items: filing refuses if it has changed since. */
export function hashOf(items: readonly ReturnItem[]): string {
  return sha256(JSON.stringify(items.map((item) =>
    [item.source, item.source_id, item.side, String(item.tax_minor), String(item.net_minor)])));
}

export async function hasChanged(db: Queryable, id: number, items: readonly ReturnItem[]): Promise<boolean> {
  const { taken } = await db.one<{ taken: string }>(sql`
    select items_sha256 as taken from tax_returns where id = ${id}`);
  return taken !== hashOf(items);
}

/** Boxes that differ, as 'Box 1, VAT due on sales and other outputs: from GBP 400.00 to GBP 420.00'. */
function changedBoxes(stored: StoredReturn, now: readonly NamedAmount[]): string[] {
  const currency = FUNCTIONAL_CURRENCY[stored.division];
  const in_words = (minor: bigint | number | undefined): string => formatMoney(BigInt(minor ?? 0), currency);
  const labels = new Map([...stored.boxes, ...now].map((one) => [one.box, one.label]));
  return [...labels].flatMap(([box, label]) => {
    const [before, after] = [stored.boxes, now].map((list: readonly NamedAmount[]) =>
      in_words(list.find((one) => one.box === box)?.amount_minor));
    return before === after ? []
      : [`${stored.state === null ? `Box ${box}, ` : ''}${label}: from ${before} to ${after}`];
  });
}

interface NamedAmount { readonly box: string; readonly label: string; readonly amount_minor: bigint | number }

/** Refused where something has come or gone since the return was prepared; `now`: the boxes of today. */
export function refuseChanged(stored: StoredReturn, items: readonly ReturnItem[], now: readonly NamedAmount[]): void {
  if (hashOf(items) === stored.items_sha256) return;
  const changed = changedBoxes(stored, now);
  throw conflict('tax_return.changed', `Something was posted in the period after the return was prepared. ${
    changed.length === 0 ? 'The boxes are the same, but different documents are behind them'
      : `Changed: ${changed.join('; ')}`}. Withdraw it and prepare it again.`);
}

/** From now on the items stand on this return and on no other. */
export async function freeze(ctx: Ctx, id: number, items: readonly ReturnItem[]): Promise<void> {
  await ctx.db.exec(sql`
    insert into tax_return_items (tax_return_id, source, source_id, side, tax_minor, net_minor, intra_eu, is_goods,
      is_late)
    select ${id}, * from unnest(${items.map((one) => one.source)}::text[],
      ${items.map((one) => one.source_id)}::bigint[], ${items.map((one) => one.side)}::text[],
      ${items.map((one) => one.tax_minor.toString())}::bigint[],
      ${items.map((one) => one.net_minor.toString())}::bigint[], ${items.map((one) => one.intra_eu)}::boolean[],
      ${items.map((one) => one.is_goods)}::boolean[], ${items.map((one) => one.is_late)}::boolean[])`);
}

export async function tellFiled(ctx: Ctx, stored: StoredReturn, before: TaxReturnRow): Promise<TaxReturnRow> {
  const after = await rowOf(ctx, stored);
  await ctx.audit({ action: 'file', entity: 'tax_return', entity_id: stored.id, before, after });
  await notifyAsker(ctx, stored.prepared_by_id, { title: `Filed: ${titleOf(stored)}`, href: hrefOf(stored) });
  return after;
}

export async function enterReceipt(ctx: Ctx, id: number, input: { version: number; receipt: string }):
Promise<TaxReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  if (stored.status !== 'filed') throw conflict('tax_return.not_ready', 'The return is not filed yet.');
  await ctx.db.exec(sql`
    update tax_returns set receipt = ${input.receipt}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'update', entity: 'tax_return', entity_id: id, before: { receipt: stored.receipt },
    after: { receipt: input.receipt } });
  return rowOf(ctx, stored);
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
