/**
 * Accruals that follow money, inside the transaction that moved it (accounting.md 2.2, domain.md 3.3):
 * - income earned: cost (11; 11b in net presentation, which books the cost with the invoice, 1n);
 * - invoice, receipt or closing: due, by the agreement's basis (11c, 11d);
 * - a receipt un-applied: what it made due is taken back (11r);
 * - a credit note: takes back cost, and what is due but by no receipt (11r).
 */
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import { sum, type Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';
import { agreementsOf } from './agreements.server.ts';
import { lockShows } from './carries.server.ts';
import { storedLines, type SharedLine, type Share } from './shared-lines.server.ts';
import { lineFacts, showsOf } from './line-facts.server.ts';
import { journalLines, moveLines } from './move-lines.server.ts';
import { moveParts } from './parts.server.ts';
import type { LineEvent } from './sharing-types.ts';
import { insertAccruals, insertAllocations } from './store-moves.server.ts';

export interface EarnedIncome {
  invoice_item_id: number;
  amount_minor: number;
  /** Day on which it became income. */
  occurred_on: string;
  /** The posting that made it income: the same one never accrues twice. */
  transaction_id: number;
  income_account: string;
  /** One posting may release several rows of one line: each accrues by itself. */
  release_schedule_id?: number;
}

/** Event 11: the royaltors' share of earned income becomes cost (net presentation: leaves deferred income, 11b). */
export async function accrueIncome(ctx: WorkContext, incomes: readonly EarnedIncome[]): Promise<void> {
  await moveLines(ctx, incomes.map((one): LineEvent => ({
    invoice_item_id: one.invoice_item_id, kind: 'income', amount_minor: BigInt(one.amount_minor), on: one.occurred_on,
    source: { type: 'invoice_item', id: one.invoice_item_id,
      key: one.release_schedule_id === undefined ? String(one.transaction_id)
        : `${one.transaction_id}.${one.release_schedule_id}` },
    income_account: one.income_account,
  })));
}

/** Tax invoices were posted: on_invoice agreements are due, net presentation accrues the whole (1n). */
export async function accrueInvoices(
  ctx: WorkContext, invoices: readonly { invoice_id: number; on: string }[],
): Promise<void> {
  const days = new Map(invoices.map((invoice) => [invoice.invoice_id, invoice.on]));
  // Most shows have neither on_invoice agreements nor net presentation: their lines are left alone.
  const items = await ctx.db.query<{ id: number; invoice_id: number }>(sql`
    select t.id, t.invoice_id from invoice_items t join invoices i on i.id = t.invoice_id
      join licenses l on l.id = i.license_id join shows s on s.id = l.show_id
    where t.invoice_id = any(${[...days.keys()]}::bigint[]) and t.royalty_bearing
      and (s.royalty_presentation = 'net' or exists (select 1 from show_royaltors a where a.show_id = s.id
        and a.deleted_at is null and (a.accrual_basis = 'on_invoice' or a.royalty_presentation = 'net')))
    order by t.id`);
  await moveLines(ctx, items.map((item): LineEvent => ({
    invoice_item_id: item.id, kind: 'invoice', amount_minor: null, on: days.get(item.invoice_id)!,
    source: { type: 'invoice_item', id: item.id },
  })));
}

/** {@link accrueInvoices} for one. */
export function accrueInvoice(ctx: WorkContext, invoice: { invoice_id: number; on: string }): Promise<void> {
  return accrueInvoices(ctx, [invoice]);
}

export interface AppliedReceipt {
  payment_allocation_id: number;
  invoice_item_id: number;
  /** Net of tax, > 0. */
  net_minor: number;
  applied_on: string;
  /** Exchange rate of the receipt, for what becomes due before its cost is booked (11d). */
  rate: string;
}

/** Events 11c and 11d: money reached a line, on_receipt agreements are due. */
export async function accrueReceipt(ctx: WorkContext, receipt: AppliedReceipt): Promise<void> {
  await moveLines(ctx, [{
    invoice_item_id: receipt.invoice_item_id, kind: 'receipt', amount_minor: BigInt(receipt.net_minor),
    on: receipt.applied_on, source: { type: 'payment_allocation', id: receipt.payment_allocation_id },
    payment_allocation_id: receipt.payment_allocation_id, rate: receipt.rate,
  }]);
}

/** on_close agreements: all that the licence's lines bear is due. Its deferred income has been released before. */
export async function accrueClose(ctx: WorkContext, close: { license_id: number; on: string }): Promise<void> {
  const items = await ctx.db.query<{ id: number; division: Division; currency: Currency }>(sql`
    select t.id, i.division, i.currency from invoice_items t join invoices i on i.id = t.invoice_id
    where i.license_id = ${close.license_id} and i.kind = 'invoice' and i.tax_point_on is not null
      and t.royalty_bearing order by t.id`);
  const rates = new Map<number, string>();
  for (const item of items) rates.set(item.id, await rateFor(ctx.db, item.division, item.currency, close.on));
  await moveLines(ctx, items.map((item): LineEvent => ({
    invoice_item_id: item.id, kind: 'close', amount_minor: null, on: close.on,
    source: { type: 'license_close_item', id: item.id }, rate: rates.get(item.id)!,
  })));
}

export interface CreditedLine {
  credit_item_id: number;
  invoice_item_id: number;
  /** Whole credit without tax: the cost that it takes back in net presentation. */
  net_minor: number;
  /** Part of it that was income already. */
  income_minor: number;
  occurred_on: string;
}

/** Event 11r of a credit note: takes back cost, its release in net presentation, and on_invoice and on_close dues. */
export async function accrueCredit(ctx: WorkContext, credit: CreditedLine): Promise<void> {
  await moveLines(ctx, [{
    invoice_item_id: credit.invoice_item_id, kind: 'income_back', amount_minor: BigInt(credit.income_minor),
    net_minor: BigInt(credit.net_minor), on: credit.occurred_on,
    source: { type: 'credit_item', id: credit.credit_item_id },
  }]);
}

interface OriginalAccrual { accrual_id: number; show_royaltor_id: number; term_id: number | null; amount_minor: number }

/** Null where every royaltor's part rounded to zero: the house took all. */
type DueRow = { allocation_id: number; invoice_item_id: number; house_minor: number }
  & (OriginalAccrual | Record<keyof OriginalAccrual, null>);

const isAccrued = (row: DueRow): row is DueRow & OriginalAccrual => row.accrual_id !== null;

/**
 * Event 11r of money: a receipt was un-applied or bounced. Its dues are taken back with the same term, royalty rate and
 * `occurred_on`, on `applied_on`; functional amounts are taken at the present carrying amount. `payment_allocation_id`
 * is the inverse row. Answers the number of accruals taken back; a repeated call takes back none.
 */
export async function takeBackReceipt(
  ctx: WorkContext,
  back: { payment_allocation_id: number; reverses_allocation_id: number; applied_on: string },
): Promise<{ taken_back: number }> {
  const items = await ctx.db.query<{ id: number }>(sql`
    select distinct invoice_item_id as id from royalty_allocations
    where payment_allocation_id = ${back.reverses_allocation_id}`);
  if (items.length === 0) return { taken_back: 0 };
  const itemIds = items.map((item) => item.id);
  const showIds = await showsOf(ctx.db, itemIds);
  await lockShows(ctx.db, showIds);
  const facts = await lineFacts(ctx.db, itemIds);
  const alreadyTakenBack = await ctx.db.query(sql`
    select 1 from royalty_allocations where payment_allocation_id = ${back.payment_allocation_id}`);
  if (alreadyTakenBack.length > 0) return { taken_back: 0 };
  const sharedLines = await storedLines(ctx.db, facts);
  const agreements = await agreementsOf(ctx.db, showIds);
  const rows = await ctx.db.query<DueRow>(sql`
    select l.id as allocation_id, l.invoice_item_id, l.house_minor, a.id as accrual_id, a.show_royaltor_id,
      a.matched_term_id as term_id, a.amount_minor
    from royalty_allocations l left join royalty_accruals a on a.royalty_allocation_id = l.id
    where l.payment_allocation_id = ${back.reverses_allocation_id} and l.role = 'due' order by l.id, a.id`);
  for (const [allocationId, dueRows] of Map.groupBy(rows, (row) => row.allocation_id)) {
    const sharedLine = sharedLines.get(dueRows[0]!.invoice_item_id)!;
    // A show without agreements any more has nothing to take off deferred income.
    const presentation = agreements.get(sharedLine.facts.show_id)?.presentation ?? 'gross';
    const parts = moveParts(dueRows.filter(isAccrued).map((row) => ({ share: shareOf(sharedLine, row),
      amount_minor: BigInt(-row.amount_minor) })), 'due', sharedLine.facts.rate, presentation);
    const draft: JournalDraft = {
      division: sharedLine.facts.division, kind: 'royalty_due', transaction_at: back.applied_on,
      description: `Royalty due, taken back, ${sharedLine.facts.license_number}`,
      source: { type: 'payment_allocation', id: back.payment_allocation_id, event: 'royalty_due_back', attempt: 1 },
      lines: journalLines(sharedLine.facts, parts, 'due'),
    };
    const [posted] = draft.lines.length === 0 ? [] : await postJournals(ctx.db, [draft], ctx.actor.actor_id);
    const takenBack = {
      sharedLine, role: 'due' as const, back: true, house_minor: BigInt(-dueRows[0]!.house_minor),
      amount_minor: BigInt(-dueRows[0]!.house_minor) + sum(parts.map((part) => part.amount_minor)),
      payment_allocation_id: back.payment_allocation_id, reverses_id: allocationId,
      transaction_id: posted?.transaction_id ?? null,
      rows: parts.map(({ share, amount_minor, functional_minor }) => ({ share, amount_minor, functional_minor,
        cost_on: null, due_on: back.applied_on })),
    };
    await insertAccruals(ctx.db, [takenBack], await insertAllocations(ctx.db, [takenBack]));
  }
  return { taken_back: rows.filter(isAccrued).length };
}

function shareOf(sharedLine: SharedLine, row: OriginalAccrual): Share {
  const share = sharedLine.shares.find((one) =>
    one.show_royaltor_id === row.show_royaltor_id && one.term_id === row.term_id);
  if (!share) throw new Error(`accrual ${row.accrual_id} has no share in its line`);
  return share;
}
