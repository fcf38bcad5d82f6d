/**
 * Input for the calculation of a statement: per agreement or cross-collateral group, in one division and currency,
 * everything the kernel needs (domain.md 3.5). Reads only.
 */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import type { Division } from '#kernel/money/division.ts';
import type { StatementAgreement, StatementInput } from '#kernel/royalties/statement-types.ts';
import type { Carried } from '#kernel/royalties/carried.ts';
import { vatTreatment } from '#kernel/royalties/settlement.ts';
import type { Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { openingIsDue } from '#modules/catalogue/agreement/brought-forward.public.server.ts';
import { withholdingOf } from '../withholding/withholding.server.ts';

/** Months in which a royaltor's lower threshold counts (domain.md 3.6). */
const TIER2_MONTHS = [6, 12];

export interface Period {
  division: Division;
  currency: string;
  period_from: string;
  period_to: string;
}

export interface AgreementRow {
  id: number; royaltor_id: number; cross_collateral_group_id: number | null; agent_royaltor_id: number | null;
  agent_ppm: number; agent_pays: 'split_payment' | 'all_to_agent' | null; min_payout_minor: number | null;
  annual_minimum_minor: number | null;
  vat_status: 'none' | 'registered' | 'foreign_business';
  self_billing_from: string | null; self_billing_expires_on: string | null; royaltor_min_payout: number;
  min_payout_tier2_minor: number | null;
}

export interface Subject {
  agreements: AgreementRow[];
  show_royaltor_id: number | null;
  group_id: number | null;
  royaltor_id: number;
}

const AGREEMENT = sql`g.id, g.royaltor_id, g.cross_collateral_group_id, g.agent_royaltor_id, g.agent_ppm, g.agent_pays,
  g.min_payout_minor, g.annual_minimum_minor, r.vat_status, r.self_billing_from, r.self_billing_expires_on,
  r.min_payout_minor as royaltor_min_payout, r.min_payout_tier2_minor`;

/** Owner of a row of royalty_statements, with the agreements as they stand. */
export interface StatementOf {
  royaltor_id: number;
  show_royaltor_id: number | null;
  cross_collateral_group_id: number | null;
}

export async function subjectFor(db: Queryable, of: StatementOf): Promise<Subject> {
  const agreements = await db.query<AgreementRow>(sql`
    select ${AGREEMENT} from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where (g.id = ${of.show_royaltor_id} or g.cross_collateral_group_id = ${of.cross_collateral_group_id})
      and g.deleted_at is null order by g.id`);
  return { agreements, royaltor_id: of.royaltor_id, show_royaltor_id: of.show_royaltor_id,
    group_id: of.cross_collateral_group_id };
}

/** Statements of the subject `of`, in one division and currency, that end before a period and are not issued yet. */
function waitingBefore(of: Omit<StatementOf, 'royaltor_id'>, period: Omit<Period, 'period_from'>): Sql {
  return sql`m.show_royaltor_id is not distinct from ${of.show_royaltor_id}
    and m.cross_collateral_group_id is not distinct from ${of.cross_collateral_group_id}
    and m.division = ${period.division} and m.currency = ${period.currency} and m.period_to < ${period.period_to}
    and m.status in ('draft', 'calculated', 'approved')`;
}

/**
 * Agreements with anything to state: due accruals, a carried balance, a reserve, a correction, a minimum. Of a group
 * all of them, since the advance of one comes out of what another earns.
 */
export async function subjectsOf(
  db: Queryable, period: Period, royaltorIds: readonly number[] | undefined,
): Promise<Subject[]> {
  const alive = sql`g.status <> 'draft' and g.deleted_at is null and g.role <> 'house'
      and (${royaltorIds ?? null}::bigint[] is null or g.royaltor_id = any(${royaltorIds ?? null}::bigint[]))`;
  const rows = await db.query<AgreementRow>(sql`
    with stated as (
      select g.id, g.cross_collateral_group_id as group_id from show_royaltors g
      where ${alive}
      and (exists (select 1 from royalty_accruals a where a.show_royaltor_id = g.id and a.statement_id is null
          and a.due_on <= ${period.period_to} and a.division = ${period.division} and a.currency = ${period.currency})
        or exists (select 1 from royalty_adjustments j where j.show_royaltor_id = g.id and j.statement_id is null
          and (j.approved_by_id is not null or j.royalty_advance_id is not null)
          and j.on_date <= ${period.period_to} and j.division = ${period.division} and j.currency = ${period.currency})
        or exists (select 1 from royalty_reserves v where v.show_royaltor_id = g.id and v.held_minor > 0
          and v.division = ${period.division} and v.currency = ${period.currency})
        or exists (select 1 from royalty_statements m where (m.show_royaltor_id = g.id
            or m.cross_collateral_group_id = g.cross_collateral_group_id) and m.division = ${period.division}
          and m.currency = ${period.currency} and m.status <> 'void' and m.closing_minor <> 0)
        or ((g.annual_minimum_minor > 0 or (g.opening_balance_minor <> 0 and ${openingIsDue(period)}))
          and g.payer_division = ${period.division} and g.currency = ${period.currency})))
    select ${AGREEMENT} from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where ${alive} and (g.id in (select id from stated)
      or g.cross_collateral_group_id in (select group_id from stated))
    order by g.id`);
  const keys = Map.groupBy(rows, (row) => (row.cross_collateral_group_id === null ? `a${row.id}`
    : `g${row.cross_collateral_group_id}`));
  return [...keys.values()].map((agreements) => ({
    agreements, royaltor_id: agreements[0]!.royaltor_id, group_id: agreements[0]!.cross_collateral_group_id,
    show_royaltor_id: agreements[0]!.cross_collateral_group_id === null ? agreements[0]!.id : null,
  }));
}

export interface Assembled {
  input: StatementInput;
  accrual_ids: number[];
  adjustment_ids: number[];
  withholding_reason: string;
}

/**
 * The kernel's input for one subject on a period; `issueOn` is the day that expected withholding is taken of. What
 * earlier statements have calculated and not issued yet counts as done. With `own`, the id of a statement, its lines
 * are those that stand on it already.
 */
export async function assemble(
  db: Queryable, subject: Subject, period: Period, issueOn: string, own: number | null = null,
): Promise<Assembled> {
  const opening = await openingOf(db, subject, period);
  const agreements: StatementAgreement[] = [];
  const accrual_ids: number[] = [];
  const adjustment_ids: number[] = [];
  for (const [k, agreement] of subject.agreements.entries()) {
    const one = await agreementOf(db, agreement, { period, own, subject,
      opening: k === 0 ? opening : null });
    agreements.push(one);
    accrual_ids.push(...one.earnings.map((earning) => earning.id));
    adjustment_ids.push(...one.adjustments.map((adjustment) => adjustment.id));
  }
  const ids = subject.agreements.map((agreement) => agreement.id);
  const first = subject.agreements[0]!;
  const withholding = await withholdingOf(db, subject.royaltor_id, period.division, issueOn);
  return {
    accrual_ids, adjustment_ids, withholding_reason: withholding.reason,
    input: {
      period_end: period.period_to as IsoDate, agreements, advances: await advancesOf(db, ids, subject, period),
      conditions: await conditionsOf(db, ids),
      min_payout: {
        agreement_minor: first.min_payout_minor === null ? null : BigInt(first.min_payout_minor),
        royaltor_minor: BigInt(first.royaltor_min_payout), tier2_months: TIER2_MONTHS,
        tier2_minor: first.min_payout_tier2_minor === null ? null : BigInt(first.min_payout_tier2_minor),
      },
      vat: vatTreatment(period.division, first, await standardVat(db, period), period.period_to as IsoDate),
      wht_ppm: withholding.found ? withholding.rate_ppm : 0n,
      agent: first.agent_pays === null ? null : { ppm: BigInt(first.agent_ppm), pays: first.agent_pays },
    },
  };
}

async function agreementOf(
  db: Queryable, agreement: AgreementRow,
  { period, own, subject, opening }: { period: Period; own: number | null; subject: Subject; opening: bigint | null },
): Promise<StatementAgreement> {
  const free = own === null ? sql`statement_id is null` : sql`statement_id = ${own}`;
  const earnings = await db.query<{ id: number; amount_minor: number; reserve_ppm: number; recoupable: boolean }>(sql`
    select id, amount_minor, reserve_ppm, recoupable from royalty_accruals
    where show_royaltor_id = ${agreement.id} and ${free} and due_on <= ${period.period_to}
      and division = ${period.division} and currency = ${period.currency}
    order by id`);
  const adjustments = await db.query<{ id: number; amount_minor: number }>(sql`
    select id, amount_minor from royalty_adjustments where show_royaltor_id = ${agreement.id}
      and ${free} and (approved_by_id is not null or royalty_advance_id is not null)
      and on_date <= ${period.period_to} and division = ${period.division} and currency = ${period.currency}
    order by id`);
  const reserves = await db.query<{ id: number; taken_minor: number; next: number | null; parts: number[] }>(sql`
    select v.id, v.taken_minor, min(x.periods_later) filter (where x.released_statement_id is null and not exists (
        select 1 from royalty_statements m, jsonb_to_recordset(m.snapshot -> 'reserves_released')
          planned (reserve_id bigint, part int)
        where ${waitingBefore(keyOf(subject), period)} and planned.reserve_id = v.id
          and planned.part = x.periods_later)) as next,
      array_agg(x.amount_minor order by x.periods_later)::bigint[] as parts
    from royalty_reserves v join royalty_reserve_releases x on x.royalty_reserve_id = v.id
    where v.show_royaltor_id = ${agreement.id} and v.held_minor > 0 and v.division = ${period.division}
      and v.currency = ${period.currency} group by v.id order by v.id`);
  const schedule = await db.one<{ ppm: number[] }>(sql`
    select reserve_schedule_ppm as ppm from show_royaltors where id = ${agreement.id}`);
  return {
    show_royaltor_id: agreement.id, opening_balance_minor: opening ?? 0n,
    earnings: earnings.map((row) => ({ ...row, amount_minor: BigInt(row.amount_minor),
      reserve_ppm: schedule.ppm.length > 0 ? BigInt(row.reserve_ppm) : 0n })),
    // The parts were fixed when the reserve was taken: as weights of itself they come out as they were.
    reserves: reserves.flatMap((row) => (row.next === null ? [] : [{ id: row.id, taken_minor: BigInt(row.taken_minor),
      periods_since: row.next, schedule_ppm: row.parts.map(BigInt) }])),
    reserve_schedule_ppm: schedule.ppm.map(BigInt),
    adjustments: adjustments.map((row) => ({ id: row.id, amount_minor: BigInt(row.amount_minor), against: '5000' })),
    minimum: await minimumOf(db, agreement, period),
  };
}

const keyOf = (subject: Subject): Omit<StatementOf, 'royaltor_id'> =>
  ({ show_royaltor_id: subject.show_royaltor_id, cross_collateral_group_id: subject.group_id });

/**
 * The last statement before a period, issued or still to be issued: what it leaves open without what its payment takes,
 * its whole balance, and what that is carried at in the division's own currency.
 */
export async function lastBefore(
  db: Queryable, of: Omit<StatementOf, 'royaltor_id'>, period: Omit<Period, 'period_from'>,
): Promise<{ id: number; open_minor: number; closing_minor: number; carried_minor: number; period_to: string;
  is_issued: boolean } | null> {
  return db.maybeOne(sql`
    select id, closing_minor, carried_minor, period_to, issued_at is not null as is_issued,
      (closing_minor - case when status = 'paid' or payable_minor = 0 then 0
        else payable_minor + expected_wht_minor end)::bigint as open_minor
    from royalty_statements where show_royaltor_id is not distinct from ${of.show_royaltor_id}
      and cross_collateral_group_id is not distinct from ${of.cross_collateral_group_id}
      and division = ${period.division} and currency = ${period.currency} and status <> 'void'
      and period_to < ${period.period_to}
    order by period_to desc, id desc limit 1`);
}

async function openingOf(db: Queryable, subject: Subject, period: Period): Promise<bigint> {
  const last = await lastBefore(db, keyOf(subject), period);
  const since = last === null || last.is_issued ? null : last.period_to;
  return BigInt(last?.open_minor ?? 0) + (await broughtForward(db, subject, period, since)).amount_minor;
}

/**
 * Opening amounts of a statement's agreements, in the division and currency that pay them; limited to those dated after
 * `since` if a statement to that day has already taken the rest.
 */
export async function broughtForward(
  db: Queryable, of: { show_royaltor_id: number | null; group_id: number | null }, period: Omit<Period, 'period_from'>,
  since: string | null = null,
): Promise<Carried> {
  const row = await db.one<{ amount: number; carried: number }>(sql`
    select coalesce(sum(g.opening_balance_minor), 0)::bigint as amount,
      coalesce(sum(g.opening_carried_minor), 0)::bigint as carried
    from show_royaltors g where (g.id = ${of.show_royaltor_id} or g.cross_collateral_group_id = ${of.group_id})
      and ${openingIsDue(period)} and g.payer_division = ${period.division} and g.currency = ${period.currency}
      and (${since}::date is null or g.opening_on > ${since}::date)`);
  return { amount_minor: BigInt(row.amount), functional_minor: BigInt(row.carried) };
}

/** The calendar year's minimum, asked for in the period that ends it. */
async function minimumOf(
  db: Queryable, agreement: AgreementRow, period: Period,
): Promise<StatementAgreement['minimum']> {
  if (!agreement.annual_minimum_minor || !period.period_to.endsWith('-12-31')) return null;
  const year = `${period.period_to.slice(0, 4)}-01-01`;
  const before = await db.one<{ earned: number; topped: number }>(sql`
    select coalesce((select sum(a.amount_minor) from royalty_accruals a
        join royalty_statements m on m.id = a.statement_id
        where a.show_royaltor_id = ${agreement.id} and m.status <> 'void' and m.period_to >= ${year}
          and m.period_to < ${period.period_to}), 0)::bigint as earned,
      coalesce((select sum(top_up_minor) from royalty_statements where show_royaltor_id = ${agreement.id}
        and status <> 'void' and period_to >= ${year} and period_to < ${period.period_to}), 0)::bigint as topped`);
  return { minimum_minor: BigInt(agreement.annual_minimum_minor), earned_before_minor: BigInt(before.earned),
    topped_up_before_minor: BigInt(before.topped) };
}

/** Advances that are not recouped, less what earlier statements that are not issued yet will recoup. */
async function advancesOf(db: Queryable, agreementIds: readonly number[], subject: Subject, period: Period):
Promise<StatementInput['advances']> {
  const rows = await db.query<{ id: number; show_royaltor_id: number; paid_on: string; unrecouped_minor: number }>(sql`
    select * from (
      select v.id, v.show_royaltor_id, v.paid_on, (v.unrecouped_minor - coalesce((
        select sum(planned.amount_minor) from royalty_statements m,
          jsonb_to_recordset(m.snapshot -> 'recoupments') planned (advance_id bigint, amount_minor bigint)
        where ${waitingBefore(keyOf(subject), period)} and planned.advance_id = v.id), 0))::bigint as unrecouped_minor
      from royalty_advances v
      where v.show_royaltor_id = any(${[...agreementIds]}::bigint[]) and v.status = 'paid' and v.unrecouped_minor > 0
        and v.paid_on <= ${period.period_to} and v.division = ${period.division} and v.currency = ${period.currency}) a
    where unrecouped_minor > 0 order by paid_on, id`);
  return rows.map((row) => ({ ...row, unrecouped_minor: BigInt(row.unrecouped_minor) }));
}

async function conditionsOf(db: Queryable, agreementIds: readonly number[]): Promise<StatementInput['conditions']> {
  return db.query<StatementInput['conditions'][number]>(sql`
    select c.requires_show_royaltor_id, c.explanation, not exists (select 1 from royalty_advances a
      where a.show_royaltor_id = c.requires_show_royaltor_id and a.status = 'paid' and a.unrecouped_minor > 0) as met
    from agreement_payment_conditions c where c.show_royaltor_id = any(${[...agreementIds]}::bigint[]) order by c.id`);
}

/** Standard rate of the division's home country at the end of the period; 0 where it has none. */
async function standardVat(db: Queryable, period: Period): Promise<bigint> {
  const row = await db.maybeOne<{ rate_ppm: number }>(sql`
    select r.rate_ppm from tax_rates r join tax_codes c on c.id = r.tax_code_id join divisions d on d.code = c.division
    where c.division = ${period.division} and c.kind = 'standard' and r.jurisdiction = d.home_country
      and r.valid_from <= ${period.period_to} and (r.valid_to is null or r.valid_to >= ${period.period_to})
    order by r.valid_from desc limit 1`);
  return BigInt(row?.rate_ppm ?? 0);
}
