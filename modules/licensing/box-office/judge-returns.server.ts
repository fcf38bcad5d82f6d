/**
 * Judges a report: it counts, it counts with a question, or it is held and computes nothing until somebody answers.
 * Used by staff, the portal and imports (domain.md 1.4). Read-only; callers that write hold the licenses' locks.
 */
import { addDays, periodFor, type IsoDate } from '#kernel/calendar/calendar.ts';
import { coveredBy, inFuture, outsideRun, returnsOverlap, type PlannedPerformance, type ReturnPeriod }
  from '#kernel/licensing/return-days.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMinor, PPM } from '#kernel/money/money.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { RaisedQuestion, ReadyReport } from './report-types.ts';

/** A return of the licence that counts, was asked about or takes the place of another. */
export interface LiveReturn extends ReturnPeriod {
  /** null: an earlier return of the same call. */
  id: number | null;
  license_id: number;
  scope: string;
  gross_minor: number;
  paid_admissions: number | null;
  status: string;
  replaces_report_id: number | null;
  replaced_by_id: number | null;
}

export interface Judgement {
  holds: RaisedQuestion[];
  questions: RaisedQuestion[];
  /** Returns whose performances or days it shares. */
  overlaps: LiveReturn[];
  /** Days of the performances that it covers. */
  covered: IsoDate[];
}

interface Planned extends PlannedPerformance { license_id: number }
interface Limits { gross: number; attendance: number; today: IsoDate }
interface LicenseDays { planned: Planned[]; live: LiveReturn[]; first: IsoDate | null; last: IsoDate | null }

/** Knows the licences of a call, or of a whole file: returns that it has judged count for those after them. */
export class ReturnJudge {
  readonly ctx: Pick<WorkContext, 'today'>;
  private readonly days = new Map<number, LicenseDays>();
  private readonly limits = new Map<string, Limits>();

  constructor(ctx: Pick<WorkContext, 'today'>) {
    this.ctx = ctx;
  }

  /** Reads what it does not know yet of these licences. */
  async learn(db: Queryable, licenses: readonly { license_id: number; division: string }[]): Promise<void> {
    const fresh = [...new Set(licenses.map((one) => one.license_id))].filter((id) => !this.days.has(id));
    const [planned, live, runs] = [await plannedOf(db, fresh), await liveOf(db, fresh), await runsOf(db, fresh)];
    for (const id of fresh) {
      const own = planned.get(id) ?? [];
      const run = runs.get(id);
      this.days.set(id, { planned: own, live: live.get(id) ?? [],
        first: own[0]?.local_date ?? run?.first ?? null, last: own.at(-1)?.local_date ?? run?.last ?? null });
    }
    const missing = [...new Set(licenses.map((one) => one.division))].filter((code) => !this.limits.has(code));
    for (const code of missing) {
      const row = await db.one<{ gross: number; attendance: number }>(sql`
        select return_gross_limit_ppm as gross, return_attendance_limit_ppm as attendance from divisions
        where code = ${code}`);
      this.limits.set(code, { ...row, today: await this.ctx.today(code) });
    }
  }

  /** `ownId`: the return itself, where it is stored already. */
  judge(report: ReadyReport, ownId: number | null): Judgement {
    const { input, deal } = report;
    const days = this.days.get(input.license_id)!;
    const limits = this.limits.get(deal.division)!;
    const period = periodOf(report);
    const words = (of: { period_from: IsoDate; period_to: IsoDate }) => wordsOf(deal.division, of);
    const covered = coveredBy(period, days.planned);
    const overlaps = days.live.filter((one) => (ownId === null || (one.id !== ownId && one.replaced_by_id !== ownId))
      && returnsOverlap(period, one, days.planned));
    const full = fullness(report, covered);
    const run = ownRun(days, period);
    return {
      overlaps, covered: covered.map((one) => one.local_date),
      questions: [...questionsOfFullness(full, limits), ...repeatedWeek(report, days.live)],
      holds: [
        ...overlapHold(report, overlaps),
        ...(run && outsideRun(period, run) ? [{ kind: 'outside_run' as const, question:
          `The run is ${words({ period_from: run.first, period_to: run.last })}; `
            + `this report covers ${words(period)}.`,
        }] : []),
        ...(inFuture(period, days.planned, limits.today) ? [{ kind: 'in_future' as const, question:
          `The report covers ${words(period)}, which is not over yet.` }] : []),
        ...holdsOfFullness(full, limits),
        ...costsHold(report),
      ],
    };
  }

  /** From now on the return is one of those that others may overlap. */
  remember(report: ReadyReport): void {
    this.days.get(report.input.license_id)!.live.push({ ...periodOf(report), id: null, status: 'submitted',
      license_id: report.input.license_id, scope: report.input.scope, gross_minor: report.input.gross_minor,
      paid_admissions: report.takings.paid_admissions, replaces_report_id: null, replaced_by_id: null });
  }
}

function periodOf({ input }: ReadyReport): ReturnPeriod {
  return { license_venue_id: input.license_venue_id ?? null, performance_id: input.performance_id ?? null,
    period_from: input.period_from, period_to: input.period_to };
}

/** The days of a return, as its division writes them. */
export function wordsOf(division: string, of: { period_from: IsoDate; period_to: IsoDate }): string {
  return periodFor(documentLanguage(division), of.period_from, of.period_to);
}

/** The run at the return's venue, or of the licence. */
function ownRun(days: LicenseDays, period: ReturnPeriod): { first: IsoDate; last: IsoDate } | null {
  const own = days.planned.filter((one) => period.license_venue_id === null
    || one.license_venue_id === period.license_venue_id).map((one) => one.local_date);
  const first = own[0] ?? days.first;
  const last = own.at(-1) ?? days.last;
  return first === null || last === null ? null : { first, last };
}

/** Holds a report that overlaps others, except estimates, one it replaces on purpose, or if it is added to them. */
function overlapHold({ input, deal }: ReadyReport, overlaps: readonly LiveReturn[]): RaisedQuestion[] {
  const open = overlaps.filter((one) => one.status !== 'estimated' && !(one.id !== null
    && one.id === input.replaces_report_id));
  if (open.length === 0 || input.add === true) return [];
  const named = open.slice(0, 3).map((one) =>
    `${wordsOf(deal.division, one)} (${formatMinor(BigInt(one.gross_minor))})`);
  const more = open.length > named.length ? ` and ${open.length - named.length} more` : '';
  const others = open.length === 1 ? 'another report' : 'other reports';
  return [{ kind: 'overlap', question: `Its dates are already in ${others}: `
    + `${named.join(', ')}${more}.` }];
}

const WEEK_DAYS = 7;

/** The same gross and admissions as in the week before: last week's file, sent once more. */
function repeatedWeek({ input, deal, takings }: ReadyReport, live: readonly LiveReturn[]): RaisedQuestion[] {
  if (input.scope !== 'week' || input.gross_minor === 0) return [];
  const same = live.find((one) => one.scope === 'week' && one.status !== 'estimated'
    && one.period_to < input.period_from && one.period_to >= addDays(input.period_from, -WEEK_DAYS)
    && one.gross_minor === input.gross_minor && one.paid_admissions === takings.paid_admissions);
  return same === undefined ? [] : [{ kind: 'repeats_week',
    question: `Gross and admissions are the same as for ${wordsOf(deal.division, same)}. Is that right?` }];
}

/** Without the running costs nobody knows the operating profit that the royaltors share in. */
function costsHold({ input, deal }: ReadyReport): RaisedQuestion[] {
  if (!deal.shares_profit || input.scope !== 'week' || input.running_costs_minor != null) return [];
  return [{ kind: 'no_running_costs', question: 'Royaltors of this show share in a pool of the operating profit, and '
    + 'the running costs of the week are not given. Counted without them, they get their guaranteed minimum.' }];
}

interface Fullness { gross_ppm: bigint; seats_ppm: bigint; gross: string; seats: string }

/** Takings against what the performances can take, and people against their seats; 0 where nothing is known. */
function fullness({ input, takings }: ReadyReport, covered: readonly PlannedPerformance[]): Fullness {
  const potential = covered.reduce((all, one) => all + one.potential_minor, 0n);
  const known = covered.every((one) => one.potential_minor > 0n);
  const planned = covered.every((one) => one.seats > 0) ? covered.reduce((all, one) => all + one.seats, 0) : 0;
  const people = (takings.paid_admissions ?? 0) + (input.complimentary ?? 0);
  const capacities = [planned, input.capacity_available ?? 0].filter((seats) => seats > 0);
  const seats = capacities.length === 0 ? 0 : Math.min(...capacities);
  const reported = BigInt(input.capacity_ppm ?? 0);
  const counted = seats === 0 ? 0n : (BigInt(people) * PPM) / BigInt(seats);
  return {
    gross_ppm: potential > 0n && known ? (takings.gross_minor * PPM) / potential : 0n,
    seats_ppm: counted > reported ? counted : reported,
    gross: `Gross ${formatMinor(takings.gross_minor)}; gross potential ${formatMinor(potential)}`,
    seats: counted > reported
      ? `${people.toLocaleString('en-US')} admissions for ${seats.toLocaleString('en-US')} seats`
      : `${Number(reported) / 10_000}% of capacity`,
  };
}

function holdsOfFullness(full: Fullness, limits: Limits): RaisedQuestion[] {
  return [
    ...(full.gross_ppm > BigInt(limits.gross)
      ? [{ kind: 'gross_over_limit' as const, question: `${full.gross}.` }] : []),
    ...(full.seats_ppm > BigInt(limits.attendance)
      ? [{ kind: 'attendance_over_limit' as const, question: `${full.seats}.` }] : []),
  ];
}

function questionsOfFullness(full: Fullness, limits: Limits): RaisedQuestion[] {
  return [
    ...(full.gross_ppm > PPM && full.gross_ppm <= BigInt(limits.gross)
      ? [{ kind: 'gross_over_potential' as const, question: `${full.gross}. Is that right?` }] : []),
    ...(full.seats_ppm > PPM && full.seats_ppm <= BigInt(limits.attendance)
      ? [{ kind: 'capacity_over_100' as const, question: `${full.seats}. Is that right?` }] : []),
  ];
}

async function plannedOf(db: Queryable, ids: readonly number[]): Promise<Map<number, Planned[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<Omit<Planned, 'potential_minor'> & { potential_minor: number }>(sql`
    select p.id, p.license_id, p.license_venue_id, p.local_date, coalesce(b.seats, 0)::int as seats,
      coalesce(b.potential, 0)::bigint as potential_minor
    from performances p
    left join lateral (select sum(t.number_of_seats) as seats, sum(t.number_of_seats * t.price_minor) as potential
      from performance_bands t where t.performance_id = p.id) b on true
    where p.license_id = any(${[...ids]}::bigint[]) and p.status in ('planned', 'performed')
    order by p.local_date, p.id`);
  return Map.groupBy(rows.map((row) => ({ ...row, potential_minor: BigInt(row.potential_minor) })),
    (row) => row.license_id);
}

async function liveOf(db: Queryable, ids: readonly number[]): Promise<Map<number, LiveReturn[]>> {
  if (ids.length === 0) return new Map();
  return Map.groupBy(await db.query<LiveReturn>(sql`
    select id, license_id, license_venue_id, performance_id, scope, period_from, period_to, gross_minor,
      paid_admissions, status, replaces_report_id, replaced_by_id
    from box_office_reports where license_id = any(${[...ids]}::bigint[]) and not held and not added
      and status in ('submitted', 'queried', 'accepted', 'estimated') order by period_from, id`),
  (row) => row.license_id);
}

async function runsOf(db: Queryable, ids: readonly number[]): Promise<Map<number, { first: IsoDate; last: IsoDate }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; first: IsoDate; last: IsoDate }>(sql`
    select id, first_performance_on as first, last_performance_on as last from licenses
    where id = any(${[...ids]}::bigint[]) and first_performance_on is not null and last_performance_on is not null`);
  return new Map(rows.map((row) => [row.id, row]));
}
