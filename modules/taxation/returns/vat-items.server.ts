/** Items of a VAT return: open items up to the end of its period, or those frozen by a filed return. */
import type { VatItem } from '#kernel/tax/vat-return.ts';
import { EU_COUNTRIES, NORTHERN_IRELAND } from '#kernel/tax/determine.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { VatDivisionCode } from './vat-return.contract.ts';

export interface VatPeriod { readonly division: VatDivisionCode; readonly from: string; readonly to: string }

export interface TakenItem extends VatItem {
  readonly source: 'entry' | 'invoice_line' | 'bill_line' | 'void_bill_line';
  readonly source_id: number;
  readonly booked_on: string;
  readonly tax_point_on: string;
  readonly is_late: boolean;
  readonly transaction_id: number;
  readonly authority_id: number | null;
  readonly account: '1300' | '2300' | null;
  /** Of the tax line in the ledger, debit positive; 0 where the item has none. */
  readonly base_amount_minor: bigint;
  readonly invoice_id: number | null;
  readonly bill_id: number | null;
  readonly royalty_statement_id: number | null;
  readonly tax_code: string | null;
}

interface ItemRow extends Omit<TakenItem, 'tax_minor' | 'net_minor' | 'base_amount_minor' | 'intra_eu'> {
  tax_minor: number; net_minor: number; base_amount_minor: number; partner_country: string | null;
  is_reverse_charge: boolean; home_country: string; intra_eu: boolean | null;
}

/**
 * Another member state than home, by country or the prefix of a VAT number: those call Greece EL. Northern Ireland is
 * one for goods.
 */
export function isOtherMember(country: string | null, home: string, goods: boolean): boolean {
  if (country === NORTHERN_IRELAND) return goods;
  const code = country === 'EL' ? 'GR' : country;
  return code !== null && code !== home && EU_COUNTRIES.has(code);
}

function takenOf(row: ItemRow): TakenItem {
  const { partner_country, is_reverse_charge, home_country, ...item } = row;
  return { ...item, tax_minor: BigInt(row.tax_minor), net_minor: BigInt(row.net_minor),
    base_amount_minor: BigInt(row.base_amount_minor),
    intra_eu: row.intra_eu ?? (is_reverse_charge && isOtherMember(partner_country, home_country, row.is_goods)) };
}

const COLUMNS = sql`i.source, i.source_id, i.booked_on, i.tax_point_on, i.transaction_id, i.authority_id, i.account,
  i.base_amount_minor, i.invoice_id, i.bill_id, i.royalty_statement_id, i.tax_code, i.partner_country,
  i.is_reverse_charge, d.home_country`;

async function rows(db: Queryable, query: Sql): Promise<TakenItem[]> {
  return (await db.query<ItemRow>(query)).map(takenOf);
}

/** First day that returns of this product cover: what was booked before it was filed elsewhere. */
export async function firstDay(db: Queryable, division: VatDivisionCode): Promise<string | null> {
  const { first } = await db.one<{ first: string | null }>(sql`
    select min(period_from) as first from tax_returns where division = ${division} and status = 'filed'`);
  return first;
}

/** Sources of items: the lines of the ledger by themselves, or everything that returns take. */
type ItemSource = 'vat_entries' | 'vat_items';

/**
 * Conditions of the items that no filed return holds, with a tax point up to the end of the period; earlier ones are
 * late. Nothing booked before the first filed return (before this one, where none is filed). No tax point is later than
 * its booking, so after the period only documents with an earlier one are looked at.
 */
function openOnes({ division, from, to }: VatPeriod, first: string | null, of: ItemSource): [within: Sql, after: Sql] {
  const begin = first ?? from;
  const open = of === 'vat_items'
    ? sql`not exists (select 1 from tax_return_items x where x.source = i.source and x.source_id = i.source_id)`
    : sql`not exists (select 1 from tax_return_items x where x.source = 'entry' and x.source_id = i.id)`;
  return [sql`i.division = ${division} and i.booked_on between ${begin} and ${to} and ${open}`,
    sql`i.division = ${division} and i.booked_on >= ${begin} and i.booked_on > ${to} and i.tax_point_on <= ${to}
      and i.invoice_id = any (array(select v.id from invoices v
        where v.division = ${division} and v.issued_on > ${to} and v.tax_point_on <= ${to})) and ${open}`];
}

export async function openItems(db: Queryable, of: VatPeriod): Promise<TakenItem[]> {
  const [within, after] = openOnes(of, await firstDay(db, of.division), 'vat_items');
  return rows(db, sql`
    select ${COLUMNS}, i.side, i.tax_minor, i.net_minor, i.is_goods, null::boolean as intra_eu,
      i.tax_point_on < ${of.from} as is_late
    from (select * from vat_items i where ${within} union all select * from vat_items i where ${after}) i
      join divisions d on d.code = ${of.division} order by i.tax_point_on, i.source, i.source_id`);
}

/** Items that count in the same boxes, summed. */
export interface VatSum extends VatItem { readonly items: number; readonly is_late: boolean }

interface SumRow extends Pick<ItemRow, 'side' | 'tax_minor' | 'net_minor' | 'is_goods' | 'is_late'
  | 'partner_country' | 'is_reverse_charge'> { items: number }

/** Sums of open items, with the same boxes: what is zero is never summed with what is not. */
export async function openSums(db: Queryable, of: VatPeriod): Promise<VatSum[]> {
  const { home_country, first } = await db.one<{ home_country: string; first: string | null }>(sql`
    select d.home_country, (select min(r.period_from) from tax_returns r where r.division = d.code
      and r.status = 'filed') as first from divisions d where d.code = ${of.division}`);
  return [...await ledgerSums(db, of, first), ...await untaxedSums(db, of, first)].map(
    ({ partner_country, is_reverse_charge, ...row }) => ({ ...row, tax_minor: BigInt(row.tax_minor),
      net_minor: BigInt(row.net_minor),
      intra_eu: is_reverse_charge && isOtherMember(partner_country, home_country, row.is_goods) }));
}

/** Tax lines are grouped by what they name; the partner of a reverse charge is looked up for the group. */
async function ledgerSums(db: Queryable, of: VatPeriod, first: string | null): Promise<SumRow[]> {
  const grouped = (which: Sql): Sql => sql`
    select i.is_output, i.tax_code_id, i.tax_point_on < ${of.from} as is_late, i.statement_id,
      case when i.tax_code_id = any (array(select id from tax_codes where kind = 'reverse_charge')) then i.bill_id end
        as bill_id,
      i.tax_code_id = any (array(select id from tax_codes where kind = 'reverse_charge')) and i.is_goods as is_goods,
      case when i.base_amount_minor > 0 then 1 when i.base_amount_minor < 0 then -1 else 0 end as tax_sign,
      case when i.base_net_minor > 0 then 1 when i.base_net_minor < 0 then -1 else 0 end as net_sign,
      count(*) as items, sum(i.base_amount_minor)::bigint as tax, sum(i.base_net_minor)::bigint as net
    from vat_entries i where ${which} group by 1, 2, 3, 4, 5, 6, 7, 8`;
  const [within, after] = openOnes(of, first, 'vat_entries');
  return db.query<SumRow>(sql`
    select case when g.is_output then 'output' else 'input' end as side, g.is_late,
      coalesce(g.is_goods, false) as is_goods, g.items,
      coalesce(vn.address ->> 'country_code', r.residence_country) as partner_country,
      coalesce(c.kind = 'reverse_charge' or m.id is not null, false) as is_reverse_charge,
      case when g.is_output then -g.tax else g.tax end as tax_minor,
      case when g.is_output then -g.net else g.net end as net_minor
    from (${grouped(within)} union all ${grouped(after)}) g
      left join tax_codes c on c.id = g.tax_code_id
      left join royalty_statements m on m.id = g.statement_id
      left join royaltors r on r.id = m.royaltor_id
      left join bills b on b.id = g.bill_id
      left join vendors vn on vn.id = b.vendor_id`);
}

/** Documents without tax count by their net amounts. */
async function untaxedSums(db: Queryable, of: VatPeriod, first: string | null): Promise<SumRow[]> {
  const grouped = (which: Sql): Sql => sql`
    select i.side, i.tax_point_on < ${of.from} as is_late, i.is_goods, count(*) as items, i.partner_country,
      i.is_reverse_charge, 0 as tax_minor, sum(i.net_minor)::bigint as net_minor
    from vat_items i where i.source <> 'entry' and ${which} group by 1, 2, 3, 5, 6, sign(i.net_minor)`;
  const [within, after] = openOnes(of, first, 'vat_items');
  return db.query<SumRow>(sql`${grouped(within)} union all ${grouped(after)}`);
}

/** Items of a filed return, as they were on the day of filing. */
export async function filedItems(db: Queryable, returnId: number): Promise<TakenItem[]> {
  return rows(db, sql`
    select ${COLUMNS}, x.side, x.tax_minor, x.net_minor, x.is_goods, x.intra_eu, x.is_late
    from tax_return_items x join vat_items i on i.source = x.source and i.source_id = x.source_id
      join divisions d on d.code = i.division
    where x.tax_return_id = ${returnId} order by i.tax_point_on, x.source, x.source_id`);
}

/** Tax on 2300 and 1300 since a day, owed above zero: by the ledger, and by what returns take. */
export interface VatOnAccounts {
  /** Lines of the ledger that no filed return holds. */
  readonly unfiled_minor: number;
  /** The same lines as open items. */
  readonly open_minor: number;
  /** Balance of the accounts, including the postings of returns. */
  readonly balance_minor: number;
}

export async function vatOnAccounts(db: Queryable, division: VatDivisionCode, from: string): Promise<VatOnAccounts> {
  return await db.one<VatOnAccounts>(sql`
    select coalesce(sum(-e.base_amount_minor) filter (where e.kind <> 'tax_return' and not exists (
        select 1 from tax_return_items x where x.source = 'entry' and x.source_id = e.id)), 0)::bigint as unfiled_minor,
      coalesce(sum(-e.base_amount_minor), 0)::bigint as balance_minor,
      (select coalesce(sum(-i.base_amount_minor), 0)::bigint from vat_items i
        where i.division = ${division} and i.source = 'entry' and i.booked_on >= ${from} and not exists (
          select 1 from tax_return_items x where x.source = 'entry' and x.source_id = i.source_id)) as open_minor
    from posted_entries e join ledger_accounts a on a.id = e.ledger_account_id
      and a.system_key in ('vat_output', 'vat_input')
    where e.division = ${division} and e.kind not in ('opening', 'year_end_close') and e.transaction_at >= ${from}`);
}

export interface VatCheck { name: string; expected: number; actual: number; ok: boolean }

/** Each line of the accounts is an item once, and returns left there what is not filed (accounting.md 3.8). */
export async function vatChecks(db: Queryable, of: VatPeriod): Promise<VatCheck[]> {
  const found = await vatOnAccounts(db, of.division, await firstDay(db, of.division) ?? of.from);
  const check = (name: string, expected: number, actual: number): VatCheck =>
    ({ name, expected, actual, ok: expected === actual });
  return [check('items_equal_entries', found.unfiled_minor, found.open_minor),
    check('accounts_hold_unfiled', found.unfiled_minor, found.balance_minor)];
}
