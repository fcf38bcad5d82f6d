/**
 * Event 2: deferred income becomes income by the rule of its line (accounting.md 2.1), at the invoice's own rate; the
 * last release of a foreign document takes what is left of its base, so that 2100 ends at nothing.
 */
import { refuse } from '#kit/errors.ts';
import { INCOME } from '#kernel/ledger/income-accounts.ts';
import { min } from '#kernel/money/money.ts';
import { splitByWeight } from '#kernel/money/split.ts';
import { releaseLines, type ReceivableLine } from '#kernel/ledger/receivable-events.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { post } from '../ledger/post.server.ts';

interface PlannedRow {
  id: number;
  invoice_item_id: number;
  invoice_id: number;
  /** Null while the invoice is being issued: its number is taken last. */
  invoice_number: string | null;
  performance_id: number | null;
  /** Amount of the row left after credit notes. */
  amount_minor: number;
  account_code: string;
  royalty_bearing: boolean;
  customer_id: number;
  license_id: number | null;
  division: string;
  currency: string;
  functional_rate: string;
  /** The row's own day, never before its invoice; null where that day takes no postings any more. */
  open_day: string | null;
}

/** A performance was held: its rows of every invoice line become income on that day. Answers how many rows. */
export function releaseForPerformance(ctx: WorkContext,
  input: { performance_id: number; on: string }): Promise<number> {
  return releaseWhere(ctx, sql`r.performance_id = ${input.performance_id}`, input.on);
}

/**
 * Releases income due by date: straight lines, openings, fees; for one license or invoice, or for all if none is given.
 * Each row is posted on its own day, or on `up_to` if that day is now closed or locked. Returns the number of rows.
 */
export async function releaseDue(
  ctx: WorkContext, input: { up_to: string; license_id?: number; invoice_id?: number },
): Promise<number> {
  const license = input.license_id === undefined ? sql`true` : sql`i.license_id = ${input.license_id}`;
  const invoice = input.invoice_id === undefined ? sql`true` : sql`i.id = ${input.invoice_id}`;
  const rows = await planned(ctx, sql`r.performance_id is null and r.on_date <= ${input.up_to} and ${license}
    and ${invoice}`);
  const days = Map.groupBy(rows, (row) => (row.open_day !== null && row.open_day <= input.up_to ? row.open_day
    : input.up_to));
  for (const day of [...days.keys()].toSorted()) await release(ctx, days.get(day)!, day);
  return rows.length;
}

/** Everything of a licence up to a day, held performances included (catching up, settlement). */
export function releaseLicense(ctx: WorkContext, input: { license_id: number; up_to: string }): Promise<number> {
  return releaseWhere(ctx, sql`i.license_id = ${input.license_id} and ((r.performance_id is null
    and r.on_date <= ${input.up_to}) or exists (select 1 from performances p where p.id = r.performance_id
    and p.status = 'performed' and p.local_date <= ${input.up_to}))`, input.up_to);
}

/** A cancelled run keeps its non-refundable part: what credits left is income now (domain.md 2.10). */
export function releaseCancelled(ctx: WorkContext, input: { license_id: number; on: string }): Promise<number> {
  return releaseWhere(ctx, sql`i.license_id = ${input.license_id}`, input.on);
}

/** Goods left, access was given: the lines that waited for it. */
export function releaseItems(ctx: WorkContext, input: { invoice_item_ids: readonly number[]; on: string }):
Promise<number> {
  return releaseWhere(ctx, sql`r.invoice_item_id = any(${[...input.invoice_item_ids]}::bigint[])`, input.on);
}

/** Breakage: the unrecouped advance is kept at close (domain.md 2.4). */
export function releaseBreakage(ctx: WorkContext, input: { license_id: number; on: string }): Promise<number> {
  return releaseWhere(ctx, sql`i.license_id = ${input.license_id} and t.release_rule = 'as_recouped'`, input.on);
}

/**
 * A report recoups part of the advance (event 3r): Dr 2100 / Cr 4010. Takes the oldest advance first; answers what was
 * taken, less than asked where the advance ends.
 */
export async function recoupAdvance(
  ctx: WorkContext, input: { license_id: number; amount_minor: number; on: string },
): Promise<{ recouped_minor: number }> {
  let left = BigInt(input.amount_minor);
  const rows = await planned(ctx, sql`i.license_id = ${input.license_id} and t.release_rule = 'as_recouped'`);
  const due: PlannedRow[] = [];
  for (const row of rows) {
    const part = min(left, BigInt(row.amount_minor));
    if (part <= 0n) break;
    due.push(part === BigInt(row.amount_minor) ? row : await splitRow(ctx, row, Number(part)));
    left -= part;
  }
  await release(ctx, due, input.on);
  return { recouped_minor: input.amount_minor - Number(left) };
}

/** A row of the part beside what stays planned. */
async function splitRow(ctx: WorkContext, row: PlannedRow, part: number): Promise<PlannedRow> {
  await ctx.db.exec(sql`
    update release_schedule set amount_minor = amount_minor - ${part} where id = ${row.id}`);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into release_schedule (invoice_item_id, division, performance_id, on_date, amount_minor, currency)
    select invoice_item_id, division, performance_id, on_date, ${part}, currency from release_schedule
    where id = ${row.id} returning id`);
  return { ...row, id, amount_minor: part };
}

async function releaseWhere(ctx: WorkContext, condition: Sql, on: string): Promise<number> {
  const rows = await planned(ctx, condition);
  await release(ctx, rows, on);
  return rows.length;
}

function planned(ctx: WorkContext, condition: Sql): Promise<PlannedRow[]> {
  return ctx.db.query<PlannedRow>(sql`
    select r.id, r.invoice_item_id, i.id as invoice_id, i.invoice_number, r.performance_id,
      (r.amount_minor - r.credited_minor)::bigint as amount_minor,
      coalesce(t.account_code, ${INCOME.fees}) as account_code, t.royalty_bearing, i.customer_id, i.license_id,
      i.division,
      i.currency, i.functional_rate, (
        select greatest(r.on_date, i.issued_on) from periods p
        where p.division = i.division and greatest(r.on_date, i.issued_on) between p.starts and p.ends
          and p.state = 'open' and coalesce(greatest(r.on_date, i.issued_on) > greatest(p.hard_locked_through,
            p.sales_locked_through, p.purchase_locked_through), true)) as open_day
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where r.status = 'planned' and (${condition}) order by i.id, r.id for update of r`);
}

/** One posting per invoice; rows that credits have emptied are closed without one. */
async function release(ctx: WorkContext, rows: readonly PlannedRow[], on: string): Promise<void> {
  for (const group of Map.groupBy(rows, (row) => row.invoice_id).values()) {
    const full = group.filter((row) => row.amount_minor > 0);
    const emptied = group.filter((row) => row.amount_minor === 0).map((row) => row.id);
    if (emptied.length > 0) {
      await ctx.db.exec(sql`update release_schedule set status = 'cancelled' where id = any(${emptied}::bigint[])`);
    }
    if (full.length > 0) await releaseGroup(ctx, full, on);
  }
}

async function releaseGroup(ctx: WorkContext, rows: readonly PlannedRow[], on: string): Promise<void> {
  const first = rows[0];
  if (!first) throw refuse('not_found');
  const accounts = Map.groupBy(rows, (row) => row.account_code);
  const lines = releaseLines(first.customer_id, [...accounts].map(([account, own]) => ({
    account, amount_minor: own.reduce((all, row) => all + BigInt(row.amount_minor), 0n),
  })));
  await ctx.db.exec(sql`
    update release_schedule set status = 'released', released_on = ${on} where id = any(${ids(rows)}::bigint[])`);
  const transactionId = await post(ctx, {
    division: first.division, kind: 'release', on,
    description: ['Income released', ...(first.invoice_number === null ? [] : [first.invoice_number])].join(', '),
    source: { type: 'release_schedule', id: first.id, event: 'released' }, currency: first.currency,
    rate: first.functional_rate, lines, ...(await basesOf(ctx, first, lines)), invoice_id: first.invoice_id,
    license_id: first.license_id,
  });
  await ctx.db.exec(sql`
    update release_schedule set released_transaction_id = ${transactionId} where id = any(${ids(rows)}::bigint[])`);
  await ctx.audit({ action: 'release', entity: 'invoice', entity_id: first.invoice_id, after: { on,
    rows: ids(rows) } });
  for (const row of rows.filter((own) => own.royalty_bearing)) {
    await ctx.ports.money.royalties.incomesEarned(ctx, [{
      invoice_item_id: row.invoice_item_id, license_id: row.license_id, division: row.division, currency: row.currency,
      amount_minor: row.amount_minor, occurred_on: on, transaction_id: transactionId, income_account: row.account_code,
      rate: row.functional_rate, performance_id: row.performance_id, release_schedule_id: row.id,
    }]);
  }
}

function ids(rows: readonly PlannedRow[]): number[] {
  return rows.map((row) => row.id);
}

/**
 * At the original rate; with the last planned row of a foreign document the base that is left on 2100. In net
 * presentation royalties take their part of it by postings of their own, which end at nothing by themselves.
 */
async function basesOf(ctx: WorkContext, first: PlannedRow, lines: readonly ReceivableLine[]):
Promise<{ bases?: bigint[] }> {
  const deferred = await lastDeferred(ctx, first.invoice_id, first.functional_rate);
  if (deferred === null) return {};
  const parts = splitByWeight(-deferred, lines.slice(1).map((line) => -line.amount_minor));
  return { bases: [deferred, ...parts] };
}

/**
 * Amount that clears the rest of an invoice's deferred income from 2100, in the division's currency; null if something
 * is still planned, or if the invoice is in that currency and rounding can leave nothing.
 */
export async function lastDeferred(ctx: WorkContext, invoiceId: number, rate: string): Promise<bigint | null> {
  if (Number(rate) === 1) return null;
  const left = await ctx.db.one<{ planned: number; base: number }>(sql`
    select (select count(*) from release_schedule r join invoice_items t on t.id = r.invoice_item_id
        where t.invoice_id = ${invoiceId} and r.status = 'planned' and r.amount_minor > r.credited_minor) as planned,
      coalesce((select sum(e.base_amount_minor) from journal_entries e
        join ledger_accounts a on a.id = e.ledger_account_id join transactions t on t.id = e.transaction_id
        where e.invoice_id = ${invoiceId} and a.code = '2100' and t.kind <> 'royalty_cost'), 0)::bigint as base`);
  return left.planned > 0 ? null : -BigInt(left.base);
}
