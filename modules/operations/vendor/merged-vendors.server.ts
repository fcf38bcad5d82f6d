/**
 * Vendors entered twice, as other contexts read them. Bills, payments and postings keep the vendor that they were
 * entered under; a reader of one vendor takes along those merged into it.
 */
import { sql, type Sql } from '#server/sql.ts';

/** Id of the vendor that counts for `id`: itself, or the one it was merged into. */
export const currentVendor = (id: Sql): Sql => sql`(
  select coalesce(m.merged_into_id, m.id) from vendors m where m.id = ${id})`;

/** Ids of the vendor and of those merged into it, for `in`. */
export const vendorAndMerged = (id: number | Sql): Sql => sql`(
  select m.id from vendors m where ${id} in (m.id, m.merged_into_id))`;
