/** The sales tax return of a state as it stands, the list of returns, and what has to be prepared next. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { filingDueOn, filingPeriodOn, salesTaxFiling, vendorDiscount, type SalesTaxFiling }
  from '#kernel/tax/filing-calendar.ts';
import { salesByState, type StateSales } from '#kernel/tax/sales-tax-return.ts';
import { sum } from '#kernel/money/money.ts';
import { invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { beginsAfter, hasChanged, taxReturns } from '../returns/return-store.server.ts';
import type { TaxReturnRow } from '../returns/vat-return.contract.ts';
import { kernelFilingRules, periodAround } from './filing-rule.server.ts';
import { filedSales, itemsOfSales, openSales, stateChecks, type StatePeriod, type TakenSales }
  from './sales-tax-items.server.ts';
import { jurisdictionRow } from './sales-tax-report.server.ts';
import type { SalesTaxReturn, SalesTaxReturnRow } from './sales-tax-return.contract.ts';
import type { UsDivision } from './sales-tax.contract.ts';
import { stateName } from './state-name.ts';

export interface AskedReturn { division: UsDivision; state: string; from?: string | undefined; to?: string | undefined }

/** The return that is asked for; without days the one that is prepared, or is prepared next. */
export async function returnPeriodOf(ctx: Ctx, asked: AskedReturn): Promise<StatePeriod> {
  const state = `US-${asked.state}`;
  const { division } = asked;
  const [last] = await taxReturns(ctx.db, division, state);
  const today = await ctx.today(division);
  const open = last?.status === 'prepared' ? last.period_from : last && addDays(last.period_to, 1);
  const around = await periodAround(ctx.db, { division, state, on: asked.from ?? open ?? today });
  const ended = around && asked.from === undefined && open === undefined && around.to >= today
    ? await periodAround(ctx.db, { division, state, on: addDays(around.from, -1) }) ?? around : around;
  const from = asked.from ?? ended?.from ?? `${today.slice(0, 7)}-01`;
  const to = asked.to ?? ended?.to ?? today;
  if (from > to) throw invalidField('from', 'The first day is after the last one');
  return { division, state, from, to };
}

/** Registrations for sales tax of a division, by state. */
export function registrationsOf(db: Queryable, division: string, on: string) {
  return db.query<{ state: string; number: string | null; valid_from: string }>(sql`
    select jurisdiction as state, min(number) as number, min(valid_from) as valid_from from tax_registrations
    where division = ${division} and scheme = 'sales_tax' and valid_from <= ${on}
      and (valid_to is null or valid_to >= ${on}) and jurisdiction ~ '^US-[A-Z]{2}$'
    group by 1 order by 1`);
}

/** Why the period cannot be prepared; null where it can. */
export async function blockedReturn(ctx: Ctx, of: StatePeriod): Promise<string | null> {
  const [last] = await taxReturns(ctx.db, of.division, of.state);
  const name = stateName(of.state);
  if (last?.status === 'prepared') {
    return `Another return of ${name} is waiting for a second person. File or withdraw it first.`;
  }
  if (last && of.from !== addDays(last.period_to, 1)) return beginsAfter(last.period_to);
  if (of.to >= await ctx.today(of.division)) return 'The period has not ended yet.';
  if (!(await registrationsOf(ctx.db, of.division, of.to)).some((one) => one.state === of.state)) {
    return `The division is not registered in ${name}. Enter the registration first.`;
  }
  const around = await periodAround(ctx.db, { ...of, on: of.from });
  if (around === null) return `${name} has no filing calendar. Enter it first.`;
  return around.to === of.to && (last || around.from === of.from) ? null
    : 'These are not the days of a filing period of the state. Choose the first day of one.';
}

export interface Figures {
  readonly taken: TakenSales; readonly sales: StateSales | null; readonly filing: SalesTaxFiling;
}

/** Figures of what a return takes. A discount is given for filing on `filedOn`. */
export function figuresOf(
  taken: TakenSales, discountOf: (taxMinor: bigint) => bigint, creditMinor: bigint,
): Figures {
  const [sales = null] = salesByState(taken.sales);
  const use = { base_minor: sum(taken.uses.map((one) => one.base_minor)),
    tax_minor: sum(taken.uses.map((one) => one.tax_minor)) };
  return { taken, sales, filing: salesTaxFiling(sales, use, discountOf, creditMinor) };
}

/** The vendor discount of a return filed on a day, by the rule of its period. */
export async function discountOn(ctx: Ctx, of: StatePeriod, days: { filed_on: string; due_on: string | null }):
Promise<(taxMinor: bigint) => bigint> {
  const around = await periodAround(ctx.db, { ...of, on: of.from });
  if (around === null) return () => 0n;
  const due_on = days.due_on ?? around.due_on;
  return (tax) => vendorDiscount(around.rule, tax, { filed_on: days.filed_on, due_on });
}

/** Credit that filed returns before a day left with the state and no later one has used, in cents. */
export async function creditBefore(db: Queryable, of: Pick<StatePeriod, 'division' | 'state' | 'from'>):
Promise<bigint> {
  const { credit } = await db.one<{ credit: number }>(sql`
    select coalesce(sum(case when carries_credit then greatest(-net_minor, 0) else 0 end - credit_minor), 0)::bigint
      as credit
    from tax_returns where division = ${of.division} and state = ${of.state} and period_from < ${of.from}
      and status = 'filed'`);
  return BigInt(credit);
}

/** Of an open period, as if it were filed today; of a filed return, as it was filed. */
export async function figuresFor(ctx: Ctx, of: StatePeriod, found: TaxReturnRow | undefined): Promise<Figures> {
  if (found?.status === 'filed') {
    const discount = BigInt(found.discount_minor);
    return figuresOf(await filedSales(ctx.db, found.id), () => discount, BigInt(found.credit_minor));
  }
  const filed_on = await ctx.today(of.division);
  return figuresOf(await openSales(ctx.db, of), await discountOn(ctx, of, { filed_on, due_on: found?.due_on ?? null }),
    await creditBefore(ctx.db, of));
}

export async function findReturn(db: Queryable, of: StatePeriod): Promise<TaxReturnRow | undefined> {
  return (await taxReturns(db, of.division, of.state))
    .find((one) => one.period_from === of.from && one.period_to === of.to);
}

/** Late items, counted once for each document line. */
function lateOf({ sales, uses }: TakenSales, from: string): SalesTaxReturn['late'] {
  const lines = sales.filter((line) => line.on < from);
  const used = uses.filter((use) => use.on < from);
  const items = [...new Map(lines.map((line) => [line.item, line])).values()];
  return { items: items.length + used.length, sales_minor: Number(sum(items.map((line) => line.base_minor))),
    tax_minor: Number(sum(lines.map((line) => line.tax_minor))),
    use_tax_minor: Number(sum(used.map((use) => use.tax_minor))) };
}

export async function salesTaxReturnOf(ctx: Ctx, of: StatePeriod): Promise<SalesTaxReturn> {
  const found = await findReturn(ctx.db, of);
  const { taken, sales, filing } = await figuresFor(ctx, of, found);
  const around = await periodAround(ctx.db, { ...of, on: of.from });
  const registered = await registrationsOf(ctx.db, of.division, of.to);
  return {
    division: of.division, currency: 'USD', state: of.state.slice(3), state_name: stateName(of.state), from: of.from,
    to: of.to, due_on: found?.due_on ?? (around?.to === of.to ? around.due_on : null),
    rule: around?.rule.row ?? null, prepared: found ?? null,
    registration: registered.find((one) => one.state === of.state)?.number ?? null,
    boxes: filing.boxes.map((box) => ({ ...box, amount_minor: Number(box.amount_minor) })),
    exempt: (sales?.exempt ?? []).map((one) => ({ ...one, minor: Number(one.minor) })),
    rows: (sales?.rows ?? []).map(jurisdictionRow), late: lateOf(taken, of.from), net_minor: Number(filing.net_minor),
    has_changed: found?.status === 'prepared' && await hasChanged(ctx.db, found.id, itemsOfSales(taken, of.from)),
    checks: await stateChecks(ctx.db, of), blocked: found ? null : await blockedReturn(ctx, of),
  };
}

export interface OpenPeriod {
  readonly division: UsDivision; readonly state: string; readonly from: string; readonly to: string;
  readonly due_on: string;
}

/** Filing periods ended before a day: those after the last return, or the latest one where no return was prepared. */
function endedPeriods(
  rules: Awaited<ReturnType<typeof kernelFilingRules>>, state: string, of: { after: string | undefined; on: string },
) {
  const found: { from: string; to: string; due_day: number }[] = [];
  let around = filingPeriodOn(rules, state, of.after ?? of.on);
  if (of.after === undefined && around && around.to >= of.on) {
    around = filingPeriodOn(rules, state, addDays(around.from, -1));
  }
  for (; around && around.to < of.on; around = filingPeriodOn(rules, state, addDays(around.to, 1))) {
    found.push({ from: of.after && found.length === 0 ? of.after : around.from, to: around.to,
      due_day: around.rule.due_day });
  }
  return found;
}

/** Periods of the states where the division is registered that ended before a day and have no return. */
export async function openPeriods(db: Queryable, division: UsDivision, on: string): Promise<OpenPeriod[]> {
  const rules = await kernelFilingRules(db, division);
  const returns = await taxReturns(db, division);
  const holidays = (await db.query<{ on: string }>(sql`
    select on_date as on from holidays where division = ${division}`)).map((row) => row.on);
  const { began } = await db.one<{ began: string | null }>(sql`
    select min(issued_on) as began from invoices where division = ${division} and invoice_number is not null`);
  if (began === null) return [];
  return (await registrationsOf(db, division, on)).flatMap(({ state }) => {
    const last = returns.find((one) => one.state === state);
    return endedPeriods(rules, state, { after: last && addDays(last.period_to, 1), on })
      .filter(({ to }) => to >= began)
      .map(({ from, to, due_day }) => ({ division, state, from, to, due_on: filingDueOn({ due_day }, to, holidays) }));
  });
}

function stepOf(row: TaxReturnRow): SalesTaxReturnRow['step'] {
  if (row.status === 'prepared') return 'prepared';
  if (row.bill_state === null) return row.net_minor > 0 ? 'filed' : 'paid';
  return row.bill_state === 'paid' ? 'paid' : 'billed';
}

/** Returns and periods without one: what is open first, the next due first, then what is done, newest first. */
export async function salesTaxReturns(ctx: Ctx, division: UsDivision): Promise<SalesTaxReturnRow[]> {
  const today = await ctx.today(division);
  const named = (state: string) => ({ division, state: state.slice(3), state_name: stateName(state) });
  const open = (await openPeriods(ctx.db, division, today)).map((of): SalesTaxReturnRow => ({
    ...named(of.state), key: `${of.state} ${of.from}`, from: of.from, to: of.to, due_on: of.due_on, step: 'to_prepare',
    is_overdue: of.due_on < today, net_minor: null, discount_minor: null, filed_on: null, receipt: '', bill_id: null,
    bill_number: null }));
  const made = (await taxReturns(ctx.db, division)).map((row): SalesTaxReturnRow => ({
    ...named(row.state!), key: `${row.state} ${row.period_from}`, from: row.period_from, to: row.period_to,
    due_on: row.due_on!, step: stepOf(row), is_overdue: stepOf(row) !== 'paid' && row.due_on! < today,
    net_minor: row.net_minor, discount_minor: row.discount_minor, filed_on: row.filed_on, receipt: row.receipt,
    bill_id: row.bill_id, bill_number: row.bill_number }));
  const done = made.filter((row) => row.step === 'paid');
  return [...[...open, ...made.filter((row) => row.step !== 'paid')].sort((one, other) =>
    one.due_on.localeCompare(other.due_on) || one.state.localeCompare(other.state)), ...done];
}
