/** Items of a VAT return: open items up to the end of its period, or those frozen by a filed return. */
import type { VatItem } from '#kernel/tax/vat-return.ts';
import { EU_COUNTRIES } from '#kernel/tax/determine.ts';
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

/** Another member state than home, by country or the prefix of a VAT number: those call Greece EL. */
export function isOtherMember(country: string | null, home: string): boolean {
  const code = country === 'EL' ? 'GR' : country;
  return code !== null && code !== home && EU_COUNTRIES.has(code);
}

function takenOf(row: ItemRow): TakenItem {
  const { partner_country, is_reverse_charge, home_country, ...item } = row;
  return { ...item, tax_minor: BigInt(row.tax_minor), net_minor: BigInt(row.net_minor),
    base_amount_minor: BigInt(row.base_amount_minor),
    intra_eu: row.intra_eu ?? (is_reverse_charge && isOtherMember(partner_country, home_country)) };
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

/**
 * Items that no filed return holds, with a tax point up to the end of the period; earlier ones are late. Nothing
 * booked before the first filed return (before this one, where none is filed). No tax point is later than its booking,
 * so after the period only documents with an earlier one are looked at.
 */
async function openOnes(db: Queryable, { division, from, to }: VatPeriod): Promise<Sql> {
  const first = await firstDay(db, division) ?? from;
  return sql`(
    select * from vat_items where division = ${division} and booked_on between ${first} and ${to}
    union all
    select * from vat_items where division = ${division} and booked_on >= ${first} and booked_on > ${to}
      and tax_point_on <= ${to} and invoice_id = any (array(select v.id from invoices v
        where v.division = ${division} and v.issued_on > ${to} and v.tax_point_on <= ${to}))) i
    join divisions d on d.code = ${division}
    where not exists (select 1 from tax_return_items x where x.source = i.source and x.source_id = i.source_id)`;
}

export async function openItems(db: Queryable, of: VatPeriod): Promise<TakenItem[]> {
  return rows(db, sql`
    select ${COLUMNS}, i.side, i.tax_minor, i.net_minor, i.is_goods, null as intra_eu,
      i.tax_point_on < ${of.from} as is_late
    from ${await openOnes(db, of)} order by i.tax_point_on, i.source, i.source_id`);
}

/** Items that count in the same boxes, summed. */
export interface VatSum extends VatItem { readonly items: number; readonly is_late: boolean }

/** Sums of open items, with the same boxes: what is zero is never summed with what is not. */
export async function openSums(db: Queryable, of: VatPeriod): Promise<VatSum[]> {
  const found = await db.query<Pick<ItemRow, 'side' | 'tax_minor' | 'net_minor' | 'is_goods' | 'is_late'
    | 'home_country' | 'partner_country' | 'is_reverse_charge'> & { items: number }>(sql`
    select i.side, i.is_goods, i.tax_point_on < ${of.from} as is_late, i.partner_country, i.is_reverse_charge,
      d.home_country, count(*) as items,
      sum(i.tax_minor)::bigint as tax_minor, sum(i.net_minor)::bigint as net_minor
    from ${await openOnes(db, of)} group by 1, 2, 3, 4, 5, 6, sign(i.tax_minor), sign(i.net_minor)`);
  return found.map(({ partner_country, is_reverse_charge, home_country, ...row }) => ({ ...row,
    tax_minor: BigInt(row.tax_minor), net_minor: BigInt(row.net_minor),
    intra_eu: is_reverse_charge && isOtherMember(partner_country, home_country) }));
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
