/** A sentence about the ledger that the database can contradict. */
import type { Sql } from '#server/sql.ts';

export interface Invariant {
  key: string;
  /** Invariant, as a sentence. */
  title: string;
  /** Rows that break it. */
  violations: Sql;
}
