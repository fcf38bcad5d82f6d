/** Items of sales tax returns: tax lines of issued documents, and use tax of the ledger, each on one return. */
import { saleReasonOf, type SalesTaxLine } from '#kernel/tax/sales-tax-return.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { ReturnItem } from '../returns/return-store.server.ts';
import type { UsDivision } from './sales-tax.contract.ts';

/** Postings that settle tax, or carry it over: no return takes them. */
export const RETURN_KINDS = ['tax_return', 'tax_payment', 'opening', 'year_end_close'];

export interface StatePeriod {
  readonly division: UsDivision;
  /** 'US-NY'. */
  readonly state: string;
  readonly from: string;
  readonly to: string;
}

export interface SaleLine extends SalesTaxLine {
  readonly id: number;
  readonly number: string;
  readonly customer: string;
}

type LineRow = Omit<SaleLine, 'base_minor' | 'tax_minor' | 'rate_ppm' | 'reason'>
  & { base_minor: number; tax_minor: number; rate_ppm: number; code_kind: string; reason: string };

/** Tax lines of issued documents (`v` the document, `l` its tax line), credits below zero, in US dollars. */
export async function saleLines(db: Queryable, where: Sql): Promise<SaleLine[]> {
  const rows = await db.query<LineRow>(sql`
    select l.id, l.invoice_item_id as item, v.id as document, v.issued_on as on, l.jurisdiction, l.rate_ppm,
      (s.sign * round(l.base_minor * coalesce(v.functional_rate, 1)))::bigint as base_minor,
      (s.sign * coalesce(l.tax_functional_minor, l.tax_minor))::bigint as tax_minor, x.kind as certificate,
      c.kind as code_kind, l.reason, coalesce(v.invoice_number, '') as number,
      coalesce(v.billing_name, '') as customer
    from invoices v join invoice_tax_lines l on l.invoice_id = v.id
      join tax_codes c on c.id = l.tax_code_id
      left join tax_exemption_certificates x on x.id = l.exemption_certificate_id
      cross join lateral (select case v.kind when 'credit_note' then -1 else 1 end as sign) s
    where v.transaction_id is not null and ${where} order by l.id`);
  return rows.map(({ code_kind, reason, ...row }) => {
    const rate_ppm = BigInt(row.rate_ppm);
    return { ...row, base_minor: BigInt(row.base_minor), tax_minor: BigInt(row.tax_minor), rate_ppm,
      reason: saleReasonOf({ code_kind, rate_ppm, reason }) };
  });
}

export interface UseEntry {
  readonly id: number; readonly on: string; readonly base_minor: bigint; readonly tax_minor: bigint;
  readonly bill_id: number | null; readonly transaction_id: number; readonly document: string; readonly vendor: string;
}
type UseRow = Omit<UseEntry, 'base_minor' | 'tax_minor'> & { base_minor: number; tax_minor: number };

/** Use tax on purchases (`e` the line on 2340, `t` the authority). */
async function useEntries(db: Queryable, where: Sql): Promise<UseEntry[]> {
  const rows = await db.query<UseRow>(sql`
    select e.id, e.transaction_at as on, (-round(coalesce(e.tax_base_minor, 0) * coalesce(e.fx_rate, 1)))::bigint
        as base_minor, -e.base_amount_minor as tax_minor, e.bill_id, e.transaction_id,
      coalesce(b.number, k.name) as document, coalesce(n.name, '') as vendor
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'use_tax'
      join tax_authorities t on e.party_type = 'tax_authority' and t.id = e.party_id
      join transaction_kinds k on k.kind = e.kind
      left join bills b on b.id = e.bill_id left join vendors n on n.id = b.vendor_id
    where e.kind <> all(${RETURN_KINDS}::text[]) and ${where} order by e.transaction_at, e.id`);
  return rows.map((row) => ({ ...row, base_minor: BigInt(row.base_minor), tax_minor: BigInt(row.tax_minor) }));
}

/** Items of a return, both kinds, with the documents behind them. */
export interface TakenSales {
  readonly sales: readonly SaleLine[];
  readonly uses: readonly UseEntry[];
}

/** First day that returns of a state cover: what was issued before it was filed elsewhere. */
export async function firstDayOf(db: Queryable, of: Pick<StatePeriod, 'division' | 'state'>): Promise<string | null> {
  const { first } = await db.one<{ first: string | null }>(sql`
    select min(period_from) as first from tax_returns
    where division = ${of.division} and state = ${of.state} and status = 'filed'`);
  return first;
}

const inState = (state: string): Sql => sql`(l.jurisdiction = ${state} or l.jurisdiction like ${`${state}-%`})`;

/** Items that no filed return holds, up to the end of the period; earlier ones are late. */
export async function openSales(db: Queryable, of: StatePeriod): Promise<TakenSales> {
  const first = await firstDayOf(db, of) ?? of.from;
  const free = (source: string, id: Sql): Sql => sql`not exists (select 1 from tax_return_items x
    where x.source = ${source} and x.source_id = ${id})`;
  return {
    sales: await saleLines(db, sql`v.division = ${of.division} and v.issued_on between ${first} and ${of.to}
      and ${inState(of.state)} and ${free('sales_line', sql`l.id`)}`),
    uses: await useEntries(db, sql`e.division = ${of.division} and t.jurisdiction = ${of.state}
      and e.transaction_at between ${first} and ${of.to} and ${free('use_entry', sql`e.id`)}`),
  };
}

/** Items of a filed return. Issued documents and posted lines never change. */
export async function filedSales(db: Queryable, returnId: number): Promise<TakenSales> {
  const taken = (source: string): Sql => sql`(select x.source_id from tax_return_items x
    where x.tax_return_id = ${returnId} and x.source = ${source})`;
  return { sales: await saleLines(db, sql`l.id in ${taken('sales_line')}`),
    uses: await useEntries(db, sql`e.id in ${taken('use_entry')}`) };
}

/** As items of a return. */
export function itemsOfSales({ sales, uses }: TakenSales, from: string): ReturnItem[] {
  const rest = { intra_eu: false, is_goods: false };
  return [
    ...sales.map((line): ReturnItem => ({ source: 'sales_line', source_id: line.id, side: 'output',
      tax_minor: line.tax_minor, net_minor: line.base_minor, is_late: line.on < from, ...rest })),
    ...uses.map((use): ReturnItem => ({ source: 'use_entry', source_id: use.id, side: 'input',
      tax_minor: use.tax_minor, net_minor: use.base_minor, is_late: use.on < from, ...rest })),
  ];
}

export interface StateCheck { name: string; expected: number; actual: number; ok: boolean }

/** Sales tax of the state on 2310 since its first return, by the ledger and by the documents (accounting.md 3.9). */
export async function stateChecks(db: Queryable, of: StatePeriod): Promise<StateCheck[]> {
  const first = await firstDayOf(db, of) ?? of.from;
  const { ledger, documents } = await db.one<{ ledger: number; documents: number }>(sql`
    select (select coalesce(sum(-e.base_amount_minor), 0)::bigint
        from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'sales_tax'
          join tax_authorities t on e.party_type = 'tax_authority' and t.id = e.party_id
        where e.division = ${of.division} and t.jurisdiction = ${of.state} and e.kind <> all(${RETURN_KINDS}::text[])
          and e.transaction_at between ${first} and ${of.to}) as ledger,
      (select coalesce(sum(case v.kind when 'credit_note' then -1 else 1 end
          * coalesce(l.tax_functional_minor, l.tax_minor)), 0)::bigint
        from invoices v join invoice_tax_lines l on l.invoice_id = v.id
        where v.transaction_id is not null and v.division = ${of.division}
          and v.issued_on between ${first} and ${of.to} and ${inState(of.state)}) as documents`);
  return [{ name: 'sales_tax_equals_ledger', expected: ledger, actual: documents, ok: ledger === documents }];
}
