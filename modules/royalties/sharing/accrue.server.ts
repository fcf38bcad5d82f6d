/**
 * Accruals that follow money, inside the transaction that moved it: cost with the income (11, 11b, 1n), due by the
 * agreement's basis (11c, 11d), both reversed when the money goes back (11r). accounting.md 2.2, domain.md 3.3.
 */
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournals } from '#modules/accounting/accounting.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';
import { agreementsOf } from './agreements.server.ts';
import { lockShows } from './carries.server.ts';
import { storedFamilies, type LineAllocation, type Share } from './line-allocations.server.ts';
import { lineFacts } from './line-facts.server.ts';
import { journalLines, moveLines } from './move-lines.server.ts';
import { moveParts } from './parts.server.ts';
import type { LineEvent } from './sharing-types.ts';
import { insertAccruals, insertAllocations } from './store-moves.server.ts';

export interface IncomeInput {
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
export async function accrueIncome(ctx: WorkContext, income: IncomeInput | readonly IncomeInput[]): Promise<void> {
  const list: readonly IncomeInput[] = Array.isArray(income) ? income : [income as IncomeInput];
  await moveLines(ctx, list.map((one): LineEvent => ({
    invoice_item_id: one.invoice_item_id, kind: 'income', amount_minor: BigInt(one.amount_minor), on: one.occurred_on,
    source: { type: 'invoice_item', id: one.invoice_item_id,
      key: [one.transaction_id, one.release_schedule_id ?? []].flat().join('.') },
    income_account: one.income_account,
  })));
}

/** Tax invoices were posted: on_invoice agreements are due, net presentation accrues the whole (1n). */
export async function accrueInvoices(
  ctx: WorkContext, invoices: readonly { invoice_id: number; on: string }[],
): Promise<void> {
  const days = new Map(invoices.map((invoice) => [invoice.invoice_id, invoice.on]));
  // Most shows have neither: then nothing of the invoice is looked at again.
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

export interface ReceiptInput {
  payment_allocation_id: number;
  invoice_item_id: number;
  /** Net of tax, > 0. */
  net_minor: number;
  applied_on: string;
  /** Of the receipt: what is due before its cost takes it (11d). */
  rate: string;
}

/** Events 11c and 11d: money reached a line, on_receipt agreements are due. */
export async function accrueReceipt(ctx: WorkContext, receipt: ReceiptInput): Promise<void> {
  await moveLines(ctx, [{
    invoice_item_id: receipt.invoice_item_id, kind: 'receipt', amount_minor: BigInt(receipt.net_minor),
    on: receipt.applied_on, source: { type: 'payment_allocation', id: receipt.payment_allocation_id },
    payment_allocation_id: receipt.payment_allocation_id, rate: receipt.rate,
  }]);
}

/** on_close agreements: everything of the licence that was shared is due; licensees' breakage has been released. */
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

export interface CreditInput {
  credit_item_id: number;
  invoice_item_id: number;
  /** The credit without tax, and what of it was income already. */
  net_minor: number;
  income_minor: number;
  occurred_on: string;
}

/** Event 11r, income side: the cost of what was credited goes back, split over what is left of the original. */
export async function accrueCredit(ctx: WorkContext, credit: CreditInput): Promise<void> {
  await moveLines(ctx, [{
    invoice_item_id: credit.invoice_item_id, kind: 'income_back', amount_minor: BigInt(credit.income_minor),
    net_minor: BigInt(credit.net_minor), on: credit.occurred_on,
    source: { type: 'credit_item', id: credit.credit_item_id },
  }]);
}

interface Mirrored { accrual_id: number; show_royaltor_id: number; term_id: number | null; amount_minor: number }

/** Without an accrual where the part was too small for any royaltor: the house had all of it. */
type MirrorRow = { allocation_id: number; invoice_item_id: number; house_minor: number }
  & (Mirrored | { [Column in keyof Mirrored]: null });

const isAccrued = (row: MirrorRow): row is MirrorRow & Mirrored => row.accrual_id !== null;

/**
 * Event 11r, money side: a receipt was un-applied or bounced. Its accruals are mirrored with the same term, rate and
 * occurred_on, due today; `payment_allocation_id` is the inverse row. Answers the number of mirrored accruals.
 */
export async function mirrorAccruals(
  ctx: WorkContext,
  back: { payment_allocation_id: number; reverses_allocation_id: number; applied_on: string },
): Promise<{ mirrored: number }> {
  const items = await ctx.db.query<{ id: number }>(sql`
    select distinct invoice_item_id as id from royalty_allocations
    where payment_allocation_id = ${back.reverses_allocation_id}`);
  if (items.length === 0) return { mirrored: 0 };
  const facts = await lineFacts(ctx.db, items.map((item) => item.id));
  const showIds = [...new Set([...facts.values()].map((line) => line.show_id))];
  await lockShows(ctx.db, showIds);
  const done = await ctx.db.query(sql`
    select 1 from royalty_allocations where payment_allocation_id = ${back.payment_allocation_id}`);
  if (done.length > 0) return { mirrored: 0 };
  const families = await storedFamilies(ctx.db, facts);
  const agreements = await agreementsOf(ctx.db, showIds);
  const rows = await ctx.db.query<MirrorRow>(sql`
    select l.id as allocation_id, l.invoice_item_id, l.house_minor, a.id as accrual_id, a.show_royaltor_id,
      a.matched_term_id as term_id, a.amount_minor
    from royalty_allocations l left join royalty_accruals a on a.royalty_allocation_id = l.id
    where l.payment_allocation_id = ${back.reverses_allocation_id} and l.role = 'due' order by l.id, a.id`);
  for (const [allocationId, own] of Map.groupBy(rows, (row) => row.allocation_id)) {
    const family = families.get(own[0]!.invoice_item_id)!;
    const presentation = agreements.get(family.facts.show_id)?.presentation ?? 'gross';
    const parts = moveParts(own.filter(isAccrued).map((row) => ({ share: shareOf(family, row),
      amount_minor: BigInt(-row.amount_minor) })), 'due', family.facts.rate, presentation);
    const draft: JournalDraft = {
      division: family.facts.division, kind: 'royalty_due', transaction_at: back.applied_on,
      description: `Royalty due, taken back, ${family.facts.license_number}`,
      source: { type: 'payment_allocation', id: back.payment_allocation_id, event: 'royalty_due_back', attempt: 1 },
      lines: journalLines(family.facts, parts, 'due'),
    };
    const [posted] = draft.lines.length === 0 ? [] : await postJournals(ctx.db, [draft], ctx.actor.actor_id);
    const mirror = {
      family, role: 'due' as const, back: true, house_minor: BigInt(-own[0]!.house_minor),
      amount_minor: BigInt(-own[0]!.house_minor) + parts.reduce((all, part) => all + part.amount_minor, 0n),
      payment_allocation_id: back.payment_allocation_id, reverses_id: allocationId,
      transaction_id: posted?.transaction_id ?? null,
      rows: parts.map(({ share, amount_minor, functional_minor }) => ({ share, amount_minor, functional_minor,
        cost_on: null, due_on: back.applied_on })),
    };
    await insertAccruals(ctx.db, [mirror], await insertAllocations(ctx.db, [mirror]));
  }
  return { mirrored: rows.filter(isAccrued).length };
}

function shareOf(family: LineAllocation, row: Mirrored): Share {
  const share = family.shares.find((one) =>
    one.show_royaltor_id === row.show_royaltor_id && one.term_id === row.term_id);
  if (!share) throw new Error(`accrual ${row.accrual_id} has no share in its line`);
  return share;
}
