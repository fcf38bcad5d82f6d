/** Materials and BOMs of licences as they are answered, and the counts of a production that quantities follow. */
import { refuse } from '#kit/errors.ts';
import { diffDays } from '#kernel/calendar/calendar.ts';
import { returnsDueOn } from '#kernel/licensing/clocks.ts';
import type { Division } from '#kernel/money/division.ts';
import type { ProductionFacts } from '#kernel/materials/explode.ts';
import { lineShipsOn, weeksOf } from '#kernel/materials/ship-dates.ts';
import type { Queryable } from '#server/db.ts';
import { empty, sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';
import type { LicenseBomRow, LicenseMaterialRow } from './license-material.contract.ts';

export const materialColumns = sql`t.id, t.license_id, t.license_bom_id, b.name as bom_name, t.material_id,
  t.item_number, t.name, t.type, t.fulfilment, t.quantity, t.template_quantity, t.included_in_package,
  t.unit_price_minor, case when t.included_in_package then 0 else t.unit_price_minor * t.quantity end as extended_minor,
  l.currency, t.return_required, t.ship_group, t.lead_days, l.ship_on, l.first_performance_on,
  l.last_performance_on, l.division,
  case when t.return_required then l.return_due_on end as returns_on, t.substituted_for_id,
  instead.name as substituted_for_name, t.note, t.sort, t.version, t.created_at, t.updated_at`;
export const materialJoins = sql`join licenses l on l.id = t.license_id
  left join license_boms b on b.id = t.license_bom_id left join materials instead on instead.id = t.substituted_for_id`;

/** As stored: the day it leaves follows (withDates). */
export type Dated = Omit<LicenseMaterialRow, 'ships_on'> & { ship_on: string | null; division: Division;
  first_performance_on: string | null; last_performance_on: string | null };

/**
 * The day a line leaves follows from its group and the dates of the licence. Until the run has ended the licence has no
 * return date of its own: that of its contract counts.
 */
export function withDates<T extends Dated>(row: T): T & { ships_on: string | null } {
  const promised = row.return_required && row.last_performance_on !== null
    ? returnsDueOn(row.last_performance_on, row.division) : null;
  return { ...row, ships_on: lineShipsOn(row, row.first_performance_on, row.ship_on),
    returns_on: row.returns_on ?? promised };
}

export async function findMaterial(
  db: Queryable, licenseId: number, id: number, lock = false,
): Promise<LicenseMaterialRow> {
  const row = await db.maybeOne<Dated>(sql`
    select ${materialColumns} from license_materials t ${materialJoins}
    where t.id = ${id} and t.license_id = ${licenseId} ${lock ? sql`for update of t` : empty}`);
  if (!row) throw refuse('not_found');
  return withDates(row);
}

/** Materials of several licences, in the order of each. */
export async function materialsOf(db: Queryable, licenseIds: readonly number[]): Promise<LicenseMaterialRow[]> {
  const rows = await db.query<Dated>(sql`
    select ${materialColumns} from license_materials t ${materialJoins} where t.license_id = any (${[...licenseIds]})
    order by t.license_id, t.sort, t.id`);
  return rows.map(withDates);
}

export const bomColumns = sql`t.id, t.license_id, coalesce(l.license_number, l.number) as license_number,
  cu.name as customer_name, l.customer_id, l.phase, s.show_code, s.title as show_title, t.name,
  t.source_bom_template_id, bt.name as source_name, t.source_version,
  (select max(v.template_version) from bom_template_versions v where v.bom_template_id = t.source_bom_template_id)
    as current_version,
  t.cast_size, t.venues, t.weeks, t.performances, t.optional_material_ids,
  (select count(*) from license_materials m where m.license_bom_id = t.id) as line_count, t.note, t.version,
  t.created_at, t.updated_at`;
export const bomJoins = sql`join licenses l on l.id = t.license_id join customers cu on cu.id = l.customer_id
  join shows s on s.id = l.show_id left join bom_templates bt on bt.id = t.source_bom_template_id`;

export function bomsOf(db: Queryable, licenseIds: readonly number[]): Promise<LicenseBomRow[]> {
  return db.query<LicenseBomRow>(sql`
    select ${bomColumns} from license_boms t ${bomJoins} where t.license_id = any (${[...licenseIds]})
    order by t.license_id, t.id`);
}

export async function findBom(db: Queryable, licenseId: number, id: number, lock = false): Promise<LicenseBomRow> {
  const row = await db.maybeOne<LicenseBomRow>(sql`
    select ${bomColumns} from license_boms t ${bomJoins}
    where t.id = ${id} and t.license_id = ${licenseId} ${lock ? sql`for update of t` : empty}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** Null cast: nobody has said yet. */
export async function factsOf(
  db: Queryable, license: License,
): Promise<Omit<ProductionFacts, 'cast'> & { cast: number | null }> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*) as count from license_venues where license_id = ${license.id}`);
  return { cast: license.cast_size, venues: count, performances: license.number_of_performances,
    weeks: weeksOf(license.first_performance_on, license.last_performance_on, diffDays) };
}

const OPEN = ['draft', 'expired', 'declined'];
const RUNNING = [...OPEN, 'sent', 'accepted', 'licensed', 'in_production'];

/** While nothing is offered, what is charged may change; later only what costs nothing; after the run nothing. */
export function refuseLate(license: License, charges: boolean): void {
  if (!RUNNING.includes(license.phase)) {
    throw refuse('phase_conflict', 'The run is over: its materials no longer change.');
  }
  if (charges && !OPEN.includes(license.phase)) {
    throw refuse('phase_conflict',
      'This would change the price of an offer that is out. Take the offer back first, or include it in the package.');
  }
}
