/**
 * The way of a VAT return: prepared by one person, filed by another (accounting.md 3.8, event 22). Filing freezes what
 * it takes, posts its tax to 2350 on the day of filing and locks the period for tax.
 */
import type { BrowserFacts } from '#kernel/tax/fraud-headers.ts';
import { returnLines, vatReturn, type TakenTax } from '#kernel/tax/vat-return.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import { conflict } from '#kit/errors.ts';
import { asLedgerCall, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { notifyApprovers } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { keyOf, outside } from '#server/outside.ts';
import { sql } from '#server/sql.ts';
import { liveSubmission, submitReturn } from '../hmrc/submit-return.server.ts';
import { fileSalesTaxReturn } from '../sales-tax/file-sales-tax.server.ts';
import { taxAuthority } from '../tax-authority.server.ts';
import {
  freeze, hashOf, hrefOf, lockedReturn, lockReturns, refuseChanged, refuseFiled, refuseOwn, refuseSent, rowOf,
  tellFiled, titleOf, type StoredReturn,
} from './return-store.server.ts';
import { unexplainedInWords, unexplainedVat } from './unexplained-entries.server.ts';
import { openItems, vatChecks, type TakenItem, type VatPeriod } from './vat-items.server.ts';
import { blockedBecause } from './vat-report.server.ts';
import { vatReturnEndpoints, type TaxReturnRow, type VatDivisionCode } from './vat-return.contract.ts';

type VatReturn = StoredReturn & { division: VatDivisionCode };

/** The items, once the accounts of VAT are what the returns say. */
async function checkedItems(ctx: Ctx, of: VatPeriod): Promise<TakenItem[]> {
  if ((await vatChecks(ctx.db, of)).some((check) => !check.ok)) {
    throw conflict('tax_return.differs', 'The VAT accounts in the ledger do not match the returns. '
      + unexplainedInWords(await unexplainedVat(ctx.db, of), 'Output VAT or Input VAT',
        'document'));
  }
  return openItems(ctx.db, of);
}

export async function prepareReturn(ctx: Ctx, of: VatPeriod): Promise<TaxReturnRow> {
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
  const row = await rowOf(ctx, { id, division: of.division });
  await ctx.audit({ action: 'prepare', entity: 'tax_return', entity_id: id, after: row });
  await notifyApprovers(ctx, vatReturnEndpoints.file, { title: `${titleOf(row)}: awaits filing`, href: hrefOf(row) });
  return row;
}

/** The items that the boxes were made of; refused where others have come or gone since. */
async function unchangedItems(ctx: Ctx, stored: VatReturn): Promise<TakenItem[]> {
  const items = await checkedItems(ctx, { division: stored.division, from: stored.period_from,
    to: stored.period_to });
  refuseChanged(stored, items, vatReturn(stored.division, items).boxes);
  return items;
}

interface FilingInput {
  version: number; receipt: string; filed_on?: string | undefined; credit: 'carry_forward' | 'refund';
}

/** Files a VAT return, or the sales tax return of a state. */
export async function fileReturn(ctx: Ctx, id: number, input: FilingInput): Promise<TaxReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  refuseFiled(stored);
  refuseOwn(ctx, stored);
  const { division, state } = stored;
  if (state !== null || division === 'US' || division === 'PROD') return fileSalesTaxReturn(ctx, stored, input);
  const vat = { ...stored, division };
  await refuseSent(ctx, vat);
  return finishFiling(ctx, vat, await unchangedItems(ctx, vat), input.receipt);
}

/**
 * Sends the return to HMRC and files it with the items that were sent. The sending is outside of this transaction and
 * stored before it leaves; whatever dies afterwards, the next attempt finds what HMRC took and files that.
 */
export async function fileWithHmrc(ctx: Ctx, id: number, input: { version: number; browser: BrowserFacts }):
Promise<TaxReturnRow> {
  const stored = await lockedReturn(ctx, id, input.version);
  refuseFiled(stored);
  refuseOwn(ctx, stored);
  if (stored.division !== 'UK') throw conflict('hmrc.not_connected', 'Only the UK files with HMRC.');
  const vat = { ...stored, division: stored.division };
  const items = (await liveSubmission(ctx.db, id))?.items ?? await unchangedItems(ctx, vat);
  const taken = await outside(keyOf('hmrc return', id, input.version),
    () => submitReturn(ctx, vat, items, input.browser));
  return finishFiling(ctx, vat, taken.items, taken.form_bundle_number ?? '');
}

async function finishFiling(ctx: Ctx, stored: VatReturn, items: readonly TakenItem[], receipt: string):
Promise<TaxReturnRow> {
  const before = await rowOf(ctx, stored);
  await freeze(ctx, stored.id, items);
  const posted = await postReturn(ctx, stored, items);
  await ctx.db.exec(sql`
    update tax_returns set status = 'filed', filed_by_id = ${ctx.user.user_id}, receipt = ${receipt},
      filed_at = ${ctx.now().toISOString()}, transaction_id = ${posted}, version = version + 1
    where id = ${stored.id}`);
  await lockTax(ctx, stored);
  return tellFiled(ctx, stored, before);
}

/** Event 22, dated the day of filing; null where nothing is to be posted. */
async function postReturn(ctx: Ctx, stored: VatReturn, items: readonly TakenItem[]): Promise<number | null> {
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
async function lockTax(ctx: Ctx, stored: VatReturn): Promise<void> {
  const lock = await ctx.db.maybeOne<{ locked_through: string }>(sql`
    select locked_through from period_locks where division = ${stored.division} and sub_ledger = 'tax'`);
  if (lock && lock.locked_through >= stored.period_to) return;
  await asLedgerCall(ctx.db.query(sql`
    select ledger_set_lock(${stored.division}::text, 'tax', ${stored.period_to}::date, ${titleOf(stored)}::text,
      ${stored.prepared_by_id}::bigint, ${ctx.user.user_id}::bigint)`));
}
