/** Payments and payees of a year, as the kernel makes forms of them. Whole tax ids stay in memory. */
import { yearEndForms, isUsDivision, payeeKey, type FormDraft, type YearEnd, type YearEndPayee, type YearEndPayment,
  type YearEndThreshold } from '#kernel/tax/year-end-forms.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Address } from '#kit/field.ts';
import { royaltiesPaid } from '#modules/royalties/royalties.public.server.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { unseal } from '#server/secret.ts';
import { sql } from '#server/sql.ts';
import { thresholdsOf } from './year-end-rules.server.ts';

export interface YearOf { division: Division; year: number }

/** A tax id as it was entered, and in the shape in which two are compared. */
export interface TaxId { text: string; last4: string }
export const plainTaxId = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

export interface YearFacts extends YearEnd {
  payees: ReadonlyMap<string, YearEndPayee>;
  payments: readonly YearEndPayment[];
  tax_ids: ReadonlyMap<string, TaxId>;
  /** Numbers of royaltors and vendors. */
  accounts: ReadonlyMap<string, string>;
}

type PayeeRow = Pick<YearEndPayee, 'id' | 'name' | 'country' | 'tax_form' | 'category' | 'legal_kind'> & {
  kind: 'royaltor' | 'vendor'; number: string; address: Address | null; tin_encrypted: Buffer | null;
  tin_key_id: string | null;
  tin_last4: string | null };

/** null where it was sealed with another key: to be entered again. */
function openTaxId(ctx: WorkContext, row: PayeeRow): TaxId | null {
  const { tin_encrypted: bytes, tin_key_id: key_id, tin_last4: last4 } = row;
  if (bytes === null || key_id === null || last4 === null) return null;
  try {
    return { text: unseal(ctx.ports.settings, `${row.kind}:${row.id}:tin`, { bytes, key_id }), last4 };
  } catch {
    ctx.ports.log('error', 'A tax id cannot be opened', { payee: payeeKey(row) });
    return null;
  }
}

/** A merged vendor is reported with the one it was merged into, unless a form of the year names it already. */
const REPORTED_VENDOR = sql`case when exists (
    select 1 from year_end_forms f join year_end_filings n on n.id = f.filing_id
    where 'vendor:' || p.vendor_id = any (f.members) and n.division = p.division
      and n.tax_year = extract(year from coalesce(p.value_on, p.paid_on)))
  then p.vendor_id else ${currentVendor(sql`p.vendor_id`)} end`;

/** Of vendors: the day on which the payment was posted, at the rate of that day. */
function vendorPayments(ctx: WorkContext, { division, year }: YearOf) {
  return ctx.db.query<Omit<YearEndPayment, 'gross_minor' | 'withheld_minor' | 'rate_ppm' | 'payee'>
    & { vendor_id: number; gross_minor: number; withheld_minor: number }>(sql`
    select p.id as payment_id, ${REPORTED_VENDOR} as vendor_id, p.method, p.status,
      coalesce(p.value_on, p.paid_on) as paid_on,
      (round(p.amount_minor * coalesce(p.functional_rate, 1)) + p.withheld_minor)::bigint as gross_minor,
      p.withheld_minor::bigint as withheld_minor
    from payments p
    where p.direction = 'out' and p.kind = 'vendor' and p.status in ('posted', 'cleared')
      and p.division = ${division} and p.deleted_at is null
      and coalesce(p.value_on, p.paid_on) >= make_date(${year}::int, 1, 1)
      and coalesce(p.value_on, p.paid_on) < make_date(${year}::int + 1, 1, 1)
    order by paid_on, p.id`);
}

async function paymentsOf(ctx: WorkContext, of: YearOf): Promise<YearEndPayment[]> {
  const royalties = await royaltiesPaid(ctx.db, of.division, of.year);
  const vendors = isUsDivision(of.division) ? await vendorPayments(ctx, of) : [];
  return [
    ...royalties.map(({ royaltor_id, gross_minor, withheld_minor, rate_ppm, ...row }) => ({ ...row,
      payee: `royaltor:${royaltor_id}`, gross_minor: BigInt(gross_minor), withheld_minor: BigInt(withheld_minor),
      rate_ppm: BigInt(rate_ppm) })),
    ...vendors.map(({ vendor_id, gross_minor, withheld_minor, ...row }) => ({ ...row, payee: `vendor:${vendor_id}`,
      gross_minor: BigInt(gross_minor), withheld_minor: BigInt(withheld_minor), rate_ppm: 0n })),
  ];
}

function payeesOf(ctx: WorkContext, keys: readonly string[]): Promise<PayeeRow[]> {
  const ids = (kind: string): number[] => [...new Set(keys.filter((key) => key.startsWith(`${kind}:`)))]
    .map((key) => Number(key.slice(kind.length + 1)));
  return ctx.db.query<PayeeRow>(sql`
    select 'royaltor' as kind, id, coalesce(legal_name, name) as name, number, address, residence_country as country,
      tax_form_type as tax_form, us_1099_type as category, kind as legal_kind, tin_encrypted, tin_key_id, tin_last4
    from royaltors where id = any(${ids('royaltor')}::bigint[])
    union all
    select 'vendor', id, coalesce(legal_name, name), number, address, address ->> 'country_code', tax_form_type,
      tax_1099_category, null, tin_encrypted, tin_key_id, tin_last4
    from vendors where id = any(${ids('vendor')}::bigint[])`);
}

export async function yearFacts(ctx: WorkContext, of: YearOf): Promise<YearFacts> {
  const payments = await paymentsOf(ctx, of);
  const rows = await payeesOf(ctx, payments.map((payment) => payment.payee));
  const tax_ids = new Map(rows.flatMap((row) => {
    const found = openTaxId(ctx, row);
    return found === null ? [] : [[payeeKey(row), found] as const];
  }));
  const payees = rows.map((row) => {
    const taxId = tax_ids.get(payeeKey(row));
    return { kind: row.kind, id: row.id, name: row.name, address: row.address, country: row.country,
      tax_form: row.tax_form, category: row.category, legal_kind: row.legal_kind,
      tax_id: taxId === undefined ? null : plainTaxId(taxId.text) } as YearEndPayee;
  });
  const thresholds = (await thresholdsOf(ctx.db)).map((row): YearEndThreshold => ({ ...row,
    threshold_minor: BigInt(row.threshold_minor) }));
  return { ...yearEndForms({ division: of.division, year: of.year, payees, payments, thresholds }), payments, tax_ids,
    payees: new Map(payees.map((payee) => [payeeKey(payee), payee])),
    accounts: new Map(rows.map((row) => [payeeKey(row), row.number])) };
}

/** Page on which tax form, tax id and address of a payee are entered. */
export function payeeHref(key: string): string {
  const [kind, id] = key.split(':');
  return `/admin/${kind}s/${id}`;
}

export const draftsOf = (facts: YearEnd, form: string): FormDraft[] => facts.forms.filter((one) => one.form === form);
