/** The EU division's other returns: one-stop shop by member state and rate, and the EC sales list. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { parseRate } from '#kernel/money/exchange.ts';
import { nextRailDay } from '#kernel/payment-files/rail-days.ts';
import { divHalfAway, minorToDecimal } from '#kernel/money/money.ts';
import { conflict } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { isOtherMember, type VatPeriod } from './vat-items.server.ts';

interface OssRow {
  state: string; rate_ppm: number; currency: string; corrects: string | null; base: number; tax: number;
}

/** Day by which the credited invoice `o`, or the invoice `v` itself, belongs to a return. */
const PERIOD_OF_ORIGINAL = sql`coalesce(least(o.issued_on, o.tax_point_on), least(v.issued_on, v.tax_point_on))`;

/**
 * Last day of the returns that were filed when the document `v` was posted. They stay as they were filed: a document of
 * an earlier day is a correction in the return after them (Directive 2006/112/EC art. 369g(4), Implementing Regulation
 * 282/2011 art. 61).
 */
const FILED = sql`join transactions p on p.id = v.transaction_id left join lateral (
  select max(r.period_to) as through from tax_returns r
  where r.division = v.division and r.state is null and r.status = 'filed' and r.filed_at <= p.posted_at) f on true`;

/** The day by which a document counts: its own, or the one after the filed returns. */
const countsOn = (day: Sql): Sql => sql`greatest(${day}, f.through + 1)`;

const RATE_SCALE = 10_000_000_000n;
export const OSS_HEAD = ['Member state', 'Rate %', 'Corrects quarter', 'Currency', 'Taxable', 'VAT', 'Taxable EUR',
  'VAT EUR', 'ECB rate', 'Rate of'];

/**
 * ECB rate of the last day of the period, or of the next publication (Directive 2006/112/EC art. 369h(2)). The ECB
 * publishes on every day of TARGET: a later rate is no next publication where the one of such a day is not imported.
 */
async function ossRate(db: Queryable, currency: string, to: string): Promise<{ rate: string; on: string } | null> {
  if (currency === 'EUR') return null;
  const published = nextRailDay('sepa', to);
  const found = await db.maybeOne<{ rate: string; on_date: string }>(sql`
    select rate::text as rate, on_date from exchange_rates where base = 'EUR' and quote = ${currency}
      and source = 'ecb' and kind = 'daily' and on_date between ${to} and ${published} order by on_date limit 1`);
  if (!found) {
    throw conflict('fx.no_rate', `The ECB rate of ${currency} on ${dateInWords(published)} is missing. Import it `
      + 'under Accounting, Exchange rates.');
  }
  return { rate: found.rate, on: found.on_date };
}

/**
 * Sales by member state of the consumer and rate; what a credit note takes back, and a sale that was found after its
 * quarter was filed, name the quarter that they correct.
 */
export async function ossRows(db: Queryable, of: VatPeriod): Promise<string[][]> {
  const found = await db.query<OssRow>(sql`
    select left(l.jurisdiction, 2) as state, l.rate_ppm, v.currency,
      case when ${PERIOD_OF_ORIGINAL} < ${of.from} then to_char(${PERIOD_OF_ORIGINAL}, 'YYYY"-Q"Q') end as corrects,
      sum(case v.kind when 'credit_note' then -l.base_minor else l.base_minor end)::bigint as base,
      sum(case v.kind when 'credit_note' then -l.tax_minor else l.tax_minor end)::bigint as tax
    from invoice_tax_lines l join invoices v on v.id = l.invoice_id and v.transaction_id is not null
      join tax_codes c on c.id = l.tax_code_id and c.kind = 'oss'
      left join invoices o on o.id = v.credits_invoice_id ${FILED}
    where v.division = ${of.division}
      and ${countsOn(sql`least(v.issued_on, v.tax_point_on)`)} between ${of.from} and ${of.to}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4 nulls first`);
  const rows: string[][] = [];
  for (const row of found) {
    const rate = await ossRate(db, row.currency, of.to);
    const euros = (minor: number): string => minorToDecimal(rate === null ? BigInt(minor)
      : divHalfAway(BigInt(minor) * RATE_SCALE, parseRate(rate.rate)));
    rows.push([row.state, String(row.rate_ppm / 10_000), row.corrects ?? '', row.currency,
      minorToDecimal(BigInt(row.base)), minorToDecimal(BigInt(row.tax)), euros(row.base), euros(row.tax),
      rate?.rate ?? '', rate?.on ?? '']);
  }
  return rows;
}

export const EC_HEAD = ['Country', 'VAT number', 'Kind', 'Corrects', 'Value EUR'];

interface EcRow {
  number: string; country: string | null; goods: boolean; corrects: string | null; value: number; home: string;
}

/**
 * Reverse-charged services and untaxed goods to businesses of other member states, by number and kind, net of credits:
 * what ES1 and E1 count. A credit of an earlier period, and a sale found after it was filed, are rows of their own.
 * Greek numbers carry EL; of British ones those of Northern Ireland are listed, for goods.
 */
export async function ecSalesRows(db: Queryable, of: VatPeriod): Promise<string[][]> {
  const found = await db.query<EcRow>(sql`
    select upper(regexp_replace(v.customer_vat_number, '[^A-Za-z0-9]', '', 'g')) as number, d.home_country as home,
      i.partner_country as country, i.is_goods as goods,
      case when ${PERIOD_OF_ORIGINAL} < ${of.from} then to_char(${PERIOD_OF_ORIGINAL}, 'YYYY-MM') end as corrects,
      sum(i.net_minor)::bigint as value
    from vat_items i join divisions d on d.code = i.division join invoices v on v.id = i.invoice_id
      left join invoices o on o.id = v.credits_invoice_id ${FILED}
    where i.division = ${of.division} and i.source = 'invoice_line' and i.is_reverse_charge
      and v.customer_vat_number is not null
      and ${countsOn(sql`i.tax_point_on`)} between ${of.from} and ${of.to}
    group by 1, 2, 3, 4, 5 order by 1, 4, 5 nulls first`);
  return found.filter((row) => isOtherMember(row.country, row.home, row.goods)).map((row) => [
    row.number.startsWith('GR') ? 'EL' : row.number.slice(0, 2), row.number.slice(2),
    row.goods ? 'Goods' : 'Services', row.corrects ?? '', minorToDecimal(BigInt(row.value))]);
}
