/** Withholding rules, the rate of a payee on a day, and the report of a year (domain.md 3.5; X74-X76). */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { resolveWithholding, type Withholding, type WhtPayee, type WhtRule } from '#kernel/royalties/withholding.ts';
import type { Division } from '#kernel/money/division.ts';
import { backupRate } from '#kernel/tax/backup-withholding.ts';
import { isUsDivision, royaltyDocument, vendorDocument, type VendorCategory } from '#kernel/tax/year-end-forms.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import type { Queryable } from '#server/db.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage, type ListSpec } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { mentions, sql, type Sql } from '#server/sql.ts';
import { withholdingEndpoints, type WhtRule as RuleRow, type WithheldPayee } from './withholding.contract.ts';

const COLUMNS = sql`t.id, t.payer_division as division, t.income_kind, t.payee_country, t.payee_kind as kind,
  t.form, t.rate_ppm, t.description, t.valid_from, t.valid_to, t.version, t.created_at, t.updated_at`;
const SPEC: ListSpec = {
  base: sql`wht_rules t`, columns: COLUMNS, conditions: [], defaultSort: 'valid_from', defaultDirection: 'desc',
  sorts: { valid_from: sql`t.valid_from`, rate_ppm: sql`t.rate_ppm` },
};

interface PayeeRow extends Omit<WhtPayee, 'wht_override_ppm'> { wht_override_ppm: number | null }

/** The rate for a beneficial owner on the payment date; `found: false` where no rule covers him. */
export async function withholdingOf(
  db: Queryable, royaltorId: number, division: string, on: string,
): Promise<Withholding> {
  const payee = await db.maybeOne<PayeeRow>(sql`
    select residence_country, kind, tax_form_type, tax_form_expires_on, tin_last4 is not null as has_tin,
      author_by_profession, wht_override_ppm from royaltors where id = ${royaltorId}`);
  if (!payee) throw refuse('not_found');
  const rules = await db.query<Omit<WhtRule, 'rate_ppm'> & { rate_ppm: number }>(sql`
    select id, payer_division, payee_country, payee_kind, income_kind, form, rate_ppm, valid_from, valid_to
    from wht_rules where payer_division = ${division} and valid_from <= ${on}
      and (valid_to is null or valid_to >= ${on})`);
  return resolveWithholding(rules.map((rule) => ({ ...rule, rate_ppm: BigInt(rule.rate_ppm) })),
    { ...payee, wht_override_ppm: payee.wht_override_ppm === null ? null : BigInt(payee.wht_override_ppm) },
    division as Division, 'royalty', on);
}

/** Rate of backup withholding from US vendors on a day; null: no rule is in force. */
export async function backupRateOn(db: Queryable, division: string, on: string): Promise<bigint | null> {
  const rules = await db.query<{ rate_ppm: number; valid_from: string; valid_to: string | null }>(sql`
    select rate_ppm, valid_from, valid_to from wht_rules where payer_division = ${division}
      and income_kind = 'vendor'`);
  return backupRate(rules.map((rule) => ({ ...rule, rate_ppm: BigInt(rule.rate_ppm) })), on);
}

async function findRule(db: Queryable, id: number): Promise<RuleRow> {
  const row = await db.maybeOne<RuleRow>(sql`select ${COLUMNS} from wht_rules t where t.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Amounts paid to royaltors in a calendar year, in the division's own currency at the rate of each payment's day. */
const paidIn = (division: string, year: number): Sql => sql`
  from payments y join royalty_payment_conversions c on c.payment_id = y.id
  where y.kind in ('royalty', 'royalty_advance') and y.status in ('posted', 'cleared')
    and y.division = ${division} and y.paid_on >= make_date(${year}::int, 1, 1)
    and y.paid_on < make_date(${year}::int + 1, 1, 1)`;

export interface RoyaltyPaid {
  payment_id: number;
  royaltor_id: number;
  paid_on: string;
  method: string;
  status: string;
  gross_minor: number;
  withheld_minor: number;
  rate_ppm: number;
}

/**
 * The payments behind the report of a year, in the parts that have a tax rate of their own: that of the rule, else what
 * was withheld of the taxed amount, to half a percent.
 */
export function royaltiesPaid(db: Queryable, division: string, year: number): Promise<RoyaltyPaid[]> {
  return db.query<RoyaltyPaid>(sql`
    select o.payment_id, o.royaltor_id, o.paid_on, o.method, o.status, o.gross_minor, o.withheld_minor,
      coalesce(w.rate_ppm, round(coalesce(s.wht_minor::numeric / nullif(s.wht_base_minor, 0),
        o.debt_withheld_minor::numeric / o.debt_minor) * 200) * 5000)::int as rate_ppm
    from (select c.id, y.id as payment_id, y.royaltor_id, y.paid_on, y.method, y.status, c.royalty_statement_id,
        c.is_agent, c.debt_minor, c.debt_withheld_minor,
        (c.paid_functional_minor + c.withheld_functional_minor)::bigint as gross_minor,
        c.withheld_functional_minor::bigint as withheld_minor ${paidIn(division, year)}) o
      left join royalty_payment_statements s on s.payment_id = o.payment_id
        and s.royalty_statement_id = o.royalty_statement_id and not o.is_agent
      left join wht_rules w on w.id = s.wht_rule_id
    order by o.paid_on, o.id`);
}

/** Vendors with tax withheld in the year; each payment is in the division's own currency. */
async function withheldVendors(db: Queryable, division: Division, year: number): Promise<WithheldPayee[]> {
  const rows = await db.query<Omit<WithheldPayee, 'document'> & { category: VendorCategory }>(sql`
    select null::bigint as royaltor_id, v.id as vendor_id, v.number, v.name, v.legal_name,
      v.address ->> 'country_code' as residence_country, v.tax_form_type, v.tin_last4,
      v.tax_1099_category as category, o.currency, o.payments, o.paid_minor, o.withheld_minor,
      (o.paid_minor + o.withheld_minor)::bigint as gross_minor
    from (select ${currentVendor(sql`p.vendor_id`)} as vendor_id, p.currency, count(*)::int as payments,
        sum(p.amount_minor)::bigint as paid_minor, sum(p.withheld_minor)::bigint as withheld_minor from payments p
      where p.kind = 'vendor' and p.withheld_minor > 0 and p.status in ('posted', 'cleared')
        and p.division = ${division} and coalesce(p.value_on, p.paid_on) >= make_date(${year}::int, 1, 1)
        and coalesce(p.value_on, p.paid_on) < make_date(${year}::int + 1, 1, 1)
      group by 1, p.currency) o join vendors v on v.id = o.vendor_id
    order by v.name collate "und-x-icu", v.id`);
  return rows.map(({ category, ...row }) => ({ ...row, document: vendorDocument(category) }));
}

async function yearReport(db: Queryable, division: Division, year: number): Promise<WithheldPayee[]> {
  const rows = await db.query<Omit<WithheldPayee, 'document' | 'residence_country'>
    & { us_1099_type: string; residence_country: string }>(sql`
    select r.id as royaltor_id, null::bigint as vendor_id, r.number, r.name, r.legal_name, r.residence_country,
      r.tax_form_type, r.tin_last4, r.us_1099_type, d.functional_currency as currency, o.payments, o.gross_minor,
      o.withheld_minor, (o.gross_minor - o.withheld_minor)::bigint as paid_minor
    from (select y.royaltor_id, count(distinct y.id)::int as payments,
        sum(c.paid_functional_minor + c.withheld_functional_minor)::bigint as gross_minor,
        sum(c.withheld_functional_minor)::bigint as withheld_minor ${paidIn(division, year)}
      group by y.royaltor_id) o
      join royaltors r on r.id = o.royaltor_id join divisions d on d.code = ${division}
    order by r.name collate "und-x-icu", r.id`);
  return rows.map(({ us_1099_type, ...row }) => ({ ...row,
    document: royaltyDocument(division, { us_1099_type, residence_country: row.residence_country }) }));
}

/** The rate of vendors is one for all of them. */
function refuseNarrowVendorRule(of: BodyOf<typeof withholdingEndpoints.create>): void {
  if (of.income_kind !== 'vendor') return;
  if (!isUsDivision(of.division)) throw invalidField('income_kind', 'Only the US divisions withhold from vendors');
  for (const field of ['payee_country', 'kind', 'form'] as const) {
    if (of[field] !== null) throw invalidField(field, 'A rule for vendors holds for all of them');
  }
}

export const withholdingRoutes: readonly Route[] = serve(withholdingEndpoints, {
  list: (ctx, { query }) => listPage<RuleRow>(ctx.db, { ...SPEC, conditions: compact([
    query.division !== undefined && sql`t.payer_division = ${query.division}`,
    query.payee_country !== undefined && sql`t.payee_country = ${query.payee_country}`,
    query.income_kind !== undefined && sql`t.income_kind = ${query.income_kind}`,
    query.kind !== undefined && sql`t.payee_kind = ${query.kind}`,
    query.on !== undefined && sql`t.valid_from <= ${query.on} and (t.valid_to is null or t.valid_to >= ${query.on})`,
    Boolean(query.search) && mentions(sql`t.description`, query.search ?? ''),
  ]) }, query, '/api/admin/staff/accounting/wht_rules'),
  async create(ctx, { body }) {
    if (body.valid_to !== null && body.valid_to < body.valid_from) {
      throw invalidField('valid_to', 'The rule ends before it begins');
    }
    refuseNarrowVendorRule(body);
    const made = await ctx.db.maybeOne<{ id: number }>(sql`
      insert into wht_rules (payer_division, income_kind, payee_country, payee_kind, form, rate_ppm, description,
        valid_from, valid_to)
      values (${body.division}, ${body.income_kind}, ${body.payee_country}, ${body.kind}, ${body.form},
        ${body.rate_ppm}, ${body.description}, ${body.valid_from}, ${body.valid_to})
      on conflict do nothing returning id`);
    if (!made) throw conflict('wht_rule.exists', 'There is a rule for this payee from that day already. End it first.');
    const row = await findRule(ctx.db, made.id);
    await ctx.audit({ action: 'create', entity: 'wht_rule', entity_id: row.id, after: row });
    return { data: row };
  },
  async update(ctx, { params, body }) {
    const before = await findRule(ctx.db, params.id);
    if (before.version !== body.version) throw stale(before);
    const valid_to = body.valid_to === undefined ? before.valid_to : body.valid_to;
    if (valid_to !== null && valid_to < before.valid_from) {
      throw invalidField('valid_to', 'The rule ends before it begins');
    }
    await ctx.db.exec(sql`
      update wht_rules set description = ${body.description ?? before.description}, valid_to = ${valid_to},
        version = version + 1 where id = ${params.id}`);
    const row = await findRule(ctx.db, params.id);
    await ctx.audit({ action: 'update', entity: 'wht_rule', entity_id: row.id, before, after: row });
    return { data: row };
  },
  async report(ctx, { query }) {
    const lines = [...await yearReport(ctx.db, query.division, query.year),
      ...await withheldVendors(ctx.db, query.division, query.year)];
    const totals = [...Map.groupBy(lines, (line) => line.currency)].map(([currency, own]) => ({
      currency, gross_minor: own.reduce((all, line) => all + line.gross_minor, 0),
      withheld_minor: own.reduce((all, line) => all + line.withheld_minor, 0),
      paid_minor: own.reduce((all, line) => all + line.paid_minor, 0),
    }));
    return { data: { division: query.division, year: query.year, lines, totals } };
  },
});
