/** The VAT return of a period as it stands (A101): boxes, what came late, checks, and the rows behind a box. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { sum } from '#kernel/money/money.ts';
import { vatPeriodBefore, vatPeriodFrom } from '#kernel/tax/vat-period.ts';
import { itemsOfBox, mayCorrect, vatReturn } from '#kernel/tax/vat-return.ts';
import { invalidField } from '#kit/errors.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { beginsAfter, hasChanged, taxReturns } from './return-store.server.ts';
import { filedItems, openItems, openSums, vatChecks, type TakenItem, type VatPeriod } from './vat-items.server.ts';
import { vatMonths } from './vat-periods.server.ts';
import type { TaxReturnRow, VatDivisionCode, VatItemRow, VatReport } from './vat-return.contract.ts';

const returnsOf = (db: Queryable, division: VatDivisionCode): Promise<TaxReturnRow[]> => taxReturns(db, division);

/** The period that is next: after the last return; where there is none, the last whole period of the calendar. */
export async function periodOf(
  ctx: Ctx, of: { division: VatDivisionCode; from?: string | undefined; to?: string | undefined },
): Promise<VatPeriod> {
  const [last] = await returnsOf(ctx.db, of.division);
  const months = await vatMonths(ctx.db, of.division);
  const next = last?.status === 'prepared' ? last.period_from
    : last ? addDays(last.period_to, 1) : vatPeriodBefore(await ctx.today(of.division), months).from;
  const from = of.from ?? next;
  const known = last?.period_from === from ? last.period_to : vatPeriodFrom(from, months).to;
  const to = of.to ?? known;
  if (from > to) throw invalidField('from', 'The first day is after the last one');
  return { division: of.division, from, to };
}

/** Items of a period: frozen ones where its return is filed, else what a return of it would take. */
export async function itemsOf(db: Queryable, of: VatPeriod, found: TaxReturnRow | undefined): Promise<TakenItem[]> {
  return found?.status === 'filed' ? filedItems(db, found.id) : openItems(db, of);
}

const returnOf = async (db: Queryable, of: VatPeriod): Promise<TaxReturnRow | undefined> =>
  (await returnsOf(db, of.division)).find((one) => one.period_from === of.from && one.period_to === of.to);

/** Why the period cannot be prepared; null where it can. */
export async function blockedBecause(ctx: Ctx, of: VatPeriod): Promise<string | null> {
  const returns = await returnsOf(ctx.db, of.division);
  const waiting = returns.find((one) => one.status === 'prepared');
  if (waiting) return 'Another return is waiting for a second person. File or withdraw it first.';
  const [last] = returns;
  if (last && of.from !== addDays(last.period_to, 1)) return beginsAfter(last.period_to);
  if (of.to >= await ctx.today(of.division)) return 'The period has not ended yet.';
  const registered = await ctx.db.maybeOne(sql`
    select 1 from tax_registrations r join divisions d on d.code = r.division and d.home_country = r.jurisdiction
    where r.division = ${of.division} and r.scheme = 'vat' and r.valid_from <= ${of.to}
      and (r.valid_to is null or r.valid_to >= ${of.from}) limit 1`);
  return registered ? null : 'The division is not registered for VAT in the period. Enter the registration first.';
}

export async function vatReport(ctx: Ctx, of: VatPeriod): Promise<VatReport> {
  const found = await returnOf(ctx.db, of);
  const items = found ? await itemsOf(ctx.db, of, found) : null;
  const sums = items?.map((item) => ({ ...item, items: 1 })) ?? await openSums(ctx.db, of);
  const count = (list: typeof sums): number => list.reduce((total, one) => total + one.items, 0);
  const { boxes, net_minor } = vatReturn(of.division, sums);
  const late = sums.filter((item) => item.is_late);
  const lateTax = sum(late.map((item) => (item.side === 'output' ? item.tax_minor : -item.tax_minor)));
  const facts = await ctx.db.one<{ currency: VatReport['currency']; vat_number: string | null }>(sql`
    select d.functional_currency as currency, (select r.number from tax_registrations r where r.division = d.code
      and r.scheme = 'vat' and r.jurisdiction = d.home_country and r.valid_from <= ${of.to}
      order by r.valid_from desc limit 1) as vat_number
    from divisions d where d.code = ${of.division}`);
  return {
    ...of, ...facts, prepared: found ?? null, net_minor: Number(net_minor),
    boxes: boxes.map((box) => {
      const behind = itemsOfBox(of.division, box.box);
      return { box: box.box as VatReport['boxes'][number]['box'], label: box.label,
        amount_minor: Number(box.amount_minor), items: behind && count(sums.filter(behind)) };
    }),
    late: { items: count(late), tax_minor: Number(lateTax), may_correct: of.division !== 'UK'
      || mayCorrect(lateTax, boxes.find((box) => box.box === '6')!.amount_minor) },
    has_changed: items !== null && found?.status === 'prepared' && await hasChanged(ctx.db, found.id, items),
    checks: await vatChecks(ctx.db, of),
    blocked: found ? null : await blockedBecause(ctx, of),
  };
}

/** Rows behind a box, or all of them, by tax point, with what they are of. */
export async function rowsOfBox(
  ctx: Ctx, of: VatPeriod & { box: string | undefined }, args: Pick<ListArgs, 'page' | 'per_page'>,
): Promise<{ rows: VatItemRow[]; total: number }> {
  const behind = of.box === undefined ? () => true : itemsOfBox(of.division, of.box);
  const all = behind ? (await itemsOf(ctx.db, of, await returnOf(ctx.db, of))).filter(behind) : [];
  const shown = all.slice((args.page - 1) * args.per_page, args.page * args.per_page);
  return { rows: await describe(ctx.db, shown), total: all.length };
}

interface Described { transaction_id: number; document: string; party: string }

/** Documents and their parties by the words on them. */
export async function describe(db: Queryable, items: readonly TakenItem[]): Promise<VatItemRow[]> {
  const known = await db.query<Described>(sql`
    select t.id as transaction_id, coalesce(v.invoice_number, b.number, m.number, t.number, k.name) as document,
      coalesce(v.billing_name, n.name, r.name, t.description) as party
    from transactions t join transaction_kinds k on k.kind = t.kind
      left join transactions o on o.id = t.reverses_id
      left join invoices v on v.id = case when coalesce(o.source_type, t.source_type) = 'invoice'
        then coalesce(o.source_id, t.source_id) end
      left join bills b on b.id = case when coalesce(o.source_type, t.source_type) = 'bill'
        then coalesce(o.source_id, t.source_id) end
      left join vendors n on n.id = b.vendor_id
      left join royalty_statements m on m.id = case when coalesce(o.source_type, t.source_type) = 'royalty_statement'
        then coalesce(o.source_id, t.source_id) end
      left join royaltors r on r.id = m.royaltor_id
    where t.id = any(${[...new Set(items.map((item) => item.transaction_id))]}::bigint[])`);
  const words = new Map(known.map((one) => [one.transaction_id, one]));
  return items.map((item) => ({
    key: `${item.source}:${item.source_id}`, tax_point_on: item.tax_point_on, booked_on: item.booked_on,
    document: words.get(item.transaction_id)?.document ?? '', party: words.get(item.transaction_id)?.party ?? '',
    href: hrefOf(item), tax_code: item.tax_code, net_minor: Number(item.net_minor), tax_minor: Number(item.tax_minor),
    is_late: item.is_late,
  }));
}

function hrefOf(item: TakenItem): string {
  if (item.bill_id !== null) return `/admin/accounting/bills/${item.bill_id}`;
  if (item.invoice_id !== null) return `/admin/accounts-receivable/invoices/${item.invoice_id}`;
  return `/admin/accounting/transactions/${item.transaction_id}`;
}
