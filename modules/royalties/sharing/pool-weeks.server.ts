/**
 * Weeks with a royalty pool (domain.md 3.5): the returns of a license in one week are one, whichever venue they come
 * from, and a return that takes the place of another counts instead of it. Load under the lock of the shows.
 */
import { startOfWeek, type DayOfWeek } from '#kernel/calendar/calendar.ts';
import type { PoolFigures, PoolWeeks as Figures } from '#kernel/royalties/pool-share.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { ShowAgreements } from './agreements.server.ts';
import type { LineFacts } from './line-facts.server.ts';

interface Return {
  id: number; license_id: number; period_from: string; week_start: number | null; gross_minor: number;
  running_costs_minor: number | null; replaced_by_id: number | null; shared: boolean;
}

export class PoolWeeks {
  private readonly returns: ReadonlyMap<number, Return>;
  private readonly counted = new Map<string, Set<number>>();

  private constructor(rows: readonly Return[]) {
    this.returns = new Map(rows.map((row) => [row.id, row]));
    const shared = new Set(rows.filter((row) => row.shared).map((row) => row.id));
    for (const row of rows) {
      if (shared.has(row.id) && !(row.replaced_by_id !== null && shared.has(row.replaced_by_id))) {
        this.ofWeek(row).add(row.id);
      }
    }
  }

  static async load(
    db: Queryable, facts: ReadonlyMap<number, LineFacts>, shows: ReadonlyMap<number, ShowAgreements>,
  ): Promise<PoolWeeks> {
    const pooled = [...facts.values()].filter((line) => line.box_office_report_id !== null
      && shows.get(line.show_id)?.parties.some((party) => party.terms.some((term) => term.basis === 'pool_points')));
    if (pooled.length === 0) return new PoolWeeks([]);
    return new PoolWeeks(await db.query<Return>(sql`
      select b.id, b.license_id, b.period_from, l.week_start, b.net_minor as gross_minor, b.running_costs_minor,
        b.replaced_by_id, exists (select 1 from royalty_allocations a where a.box_office_report_id = b.id
          and a.role = 'line') as shared
      from box_office_reports b join licenses l on l.id = b.license_id
      where b.license_id = any(${[...new Set(pooled.map((line) => line.license_id))]}::bigint[]) and b.scope = 'week'
        and b.status <> 'expected' order by b.id`));
  }

  /** The week that the line bills, before it and with it; null where it bills none. The line counts from now on. */
  take(line: LineFacts): Figures | null {
    const own = line.box_office_report_id === null ? undefined : this.returns.get(line.box_office_report_id);
    if (!own) return null;
    const week = this.ofWeek(own);
    const before = this.figures(week);
    for (const id of week) if (this.returns.get(id)?.replaced_by_id === own.id) week.delete(id);
    week.add(own.id);
    return { before, now: this.figures(week)! };
  }

  private ofWeek(row: Return): Set<number> {
    const key = `${row.license_id}/${startOfWeek(row.period_from, (row.week_start ?? 1) as DayOfWeek)}`;
    const week = this.counted.get(key) ?? new Set<number>();
    this.counted.set(key, week);
    return week;
  }

  private figures(week: ReadonlySet<number>): PoolFigures | null {
    if (week.size === 0) return null;
    const rows = [...week].map((id) => this.returns.get(id)!);
    const costs = rows.map((row) => row.running_costs_minor);
    return {
      gross_minor: rows.reduce((all, row) => all + BigInt(row.gross_minor), 0n),
      running_costs_minor: costs.includes(null) ? null : costs.reduce((all: bigint, cost) => all + BigInt(cost!), 0n),
    };
  }
}
