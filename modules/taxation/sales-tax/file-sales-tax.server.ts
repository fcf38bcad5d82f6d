/**
 * The way of the sales tax return of a state: prepared by one person, filed by another, paid by a bill of the payment
 * run (accounting.md 2.2 event 23). Filing freezes what the return takes; other states keep their days open, so no date
 * is locked, and what comes late stands on the next return.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { filingLines, unpaidLines, type FilingLine, type SalesTaxFiling } from '#kernel/tax/filing-calendar.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { notifyApprovers } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { freeze, hashOf, hrefOf, lockedReturn, lockReturns, refuseChanged, rowOf, tellFiled, titleOf,
  type StoredReturn } from '../returns/return-store.server.ts';
import { unexplainedInWords, unexplainedSalesTax } from '../returns/unexplained-entries.server.ts';
import { vatReturnEndpoints, type TaxReturnRow } from '../returns/vat-return.contract.ts';
import { periodAround } from './filing-rule.server.ts';
import { filedSales, itemsOfSales, openSales, stateChecks, type StatePeriod, type TakenSales }
  from './sales-tax-items.server.ts';
import { blockedReturn, creditBefore, discountOn, figuresOf } from './sales-tax-return.server.ts';
import type { UsDivision } from './sales-tax.contract.ts';
import { taxAuthority } from '../tax-authority.server.ts';
import { stateName } from './state-name.ts';

/** Items of the return, once the sales tax of the state in the ledger is that of the documents. */
async function checkedSales(ctx: Ctx, of: StatePeriod): Promise<TakenSales> {
  if ((await stateChecks(ctx.db, of)).some((check) => !check.ok)) {
    throw conflict('tax_return.differs', `Sales tax of ${stateName(of.state)} in the ledger does not match the `
      + `invoices. ${unexplainedInWords(await unexplainedSalesTax(ctx.db, of),
        'Sales tax payable', 'invoice')}`);
  }
  return openSales(ctx.db, of);
}

export async function prepareSalesTax(ctx: Ctx, asked: { division: UsDivision; state: string; from: string;
  to: string }): Promise<TaxReturnRow> {
  const of: StatePeriod = { ...asked, state: `US-${asked.state}` };
  await lockReturns(ctx, of.division);
  const reason = await blockedReturn(ctx, of);
  if (reason !== null) throw conflict('tax_return.not_ready', reason);
  const taken = await checkedSales(ctx, of);
  const filed_on = await ctx.today(of.division);
  const { filing } = figuresOf(taken, await discountOn(ctx, of, { filed_on, due_on: null }),
    await creditBefore(ctx.db, of));
  const { due_on } = (await periodAround(ctx.db, { ...of, on: of.from }))!;
  const items = itemsOfSales(taken, of.from);
  const boxes = filing.boxes.map((box) => ({ ...box, amount_minor: Number(box.amount_minor) }));
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into tax_returns (division, state, period_from, period_to, due_on, boxes, net_minor, discount_minor,
      credit_minor, items_sha256, item_count, prepared_by_id, prepared_at)
    values (${of.division}, ${of.state}, ${of.from}, ${of.to}, ${due_on}, ${JSON.stringify(boxes)}::jsonb,
      ${Number(filing.net_minor)}, ${Number(filing.discount_minor)}, ${Number(filing.credit_minor)}, ${hashOf(items)},
      ${items.length}, ${ctx.user.user_id}, ${ctx.now().toISOString()}) returning id`);
  const row = await rowOf(ctx, { id, division: of.division });
  await ctx.audit({ action: 'prepare', entity: 'tax_return', entity_id: id, after: row });
  await notifyApprovers(ctx, vatReturnEndpoints.file, { title: `${titleOf(row)}: awaits filing`, href: hrefOf(row) });
  return row;
}

async function filingDay(ctx: Ctx, stored: StoredReturn, asked: string | undefined): Promise<string> {
  const today = await ctx.today(stored.division);
  const on = asked ?? today;
  if (on > today) throw invalidField('filed_on', 'This day is in the future');
  if (on <= stored.period_to) {
    throw invalidField('filed_on', `Enter a day after the period, which ended on ${dateInWords(stored.period_to)}`);
  }
  return on;
}

/** Files a locked return that another person prepared. Filed after its due date, it has no discount. */
export async function fileSalesTaxReturn(
  ctx: Ctx, stored: StoredReturn,
  input: { receipt: string; filed_on?: string | undefined; credit: 'carry_forward' | 'refund' },
): Promise<TaxReturnRow> {
  const of: StatePeriod = { division: stored.division as UsDivision, state: stored.state!, from: stored.period_from,
    to: stored.period_to };
  const filed_on = await filingDay(ctx, stored, input.filed_on);
  const taken = await checkedSales(ctx, of);
  const items = itemsOfSales(taken, of.from);
  const { filing } = figuresOf(taken, await discountOn(ctx, of, { filed_on, due_on: stored.due_on }),
    await creditBefore(ctx.db, of));
  refuseChanged(stored, items, filing.boxes);
  const before = await rowOf(ctx, stored);
  const boxes = filing.boxes.map((box) => ({ ...box, amount_minor: Number(box.amount_minor) }));
  await freeze(ctx, stored.id, items);
  const posted = await postUnpaid(ctx, stored, filing);
  await ctx.db.exec(sql`
    update tax_returns set status = 'filed', filed_by_id = ${ctx.user.user_id}, receipt = ${input.receipt},
      filed_at = ${ctx.now().toISOString()}, filed_on = ${filed_on}, boxes = ${JSON.stringify(boxes)}::jsonb,
      net_minor = ${Number(filing.net_minor)}, discount_minor = ${Number(filing.discount_minor)},
      credit_minor = ${Number(filing.credit_minor)}, transaction_id = ${posted},
      carries_credit = ${filing.net_minor < 0n && input.credit === 'carry_forward'}, version = version + 1
    where id = ${stored.id}`);
  return tellFiled(ctx, stored, before);
}

/** Of a return that no bill pays; null where its sales tax says it all. */
async function postUnpaid(ctx: Ctx, stored: StoredReturn, filing: SalesTaxFiling): Promise<number | null> {
  const lines = unpaidLines(filing);
  if (lines.length === 0) return null;
  const party = { type: 'tax_authority' as const, id: await taxAuthority(ctx, stored.state!) };
  const accounts = await ctx.db.query<{ code: string; system_key: string }>(sql`
    select code, system_key from ledger_accounts where division = ${stored.division}
      and system_key in ('sales_tax', 'use_tax', 'small_differences')`);
  const posted = await postJournal(ctx.db, {
    division: stored.division, kind: 'tax_return', transaction_at: await ctx.today(stored.division),
    description: titleOf(stored), source: { type: 'tax_return', id: stored.id, event: 'filed', attempt: 1 },
    lines: lines.map((line) => ({ account: accounts.find((one) => one.system_key === line.account)!.code,
      currency: 'USD' as const, amount: line.amount_minor, base: line.amount_minor,
      ...(line.account === 'small_differences' ? {} : { party }) })),
  }, ctx.user.user_id);
  return posted.transaction_id;
}

export interface ReturnToPay {
  readonly id: number; readonly division: UsDivision; readonly state: string; readonly title: string;
  readonly receipt: string; readonly due_on: string; readonly net_minor: bigint; readonly lines: readonly FilingLine[];
}

/** Lines of the bill of a filed return, under the lock of the returns. */
export async function returnToPay(ctx: Ctx, id: number): Promise<ReturnToPay> {
  const stored = await lockedReturn(ctx, id, null);
  if (stored.state === null || stored.status !== 'filed') {
    throw conflict('tax_return.not_ready', stored.state === null ? 'VAT is paid from the taxes due.'
      : 'The return is not filed yet. File it before it is paid.');
  }
  const discount = BigInt(stored.discount_minor);
  const { filing } = figuresOf(await filedSales(ctx.db, id), () => discount, BigInt(stored.credit_minor));
  return { id, division: stored.division as UsDivision, state: stored.state, title: titleOf(stored),
    receipt: stored.receipt, due_on: stored.due_on!, net_minor: filing.net_minor, lines: filingLines(filing) };
}
