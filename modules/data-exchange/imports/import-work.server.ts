/** What the machinery of imports asks of a kind: what rows would become, and to make it so. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import type { ImportMapping, PreviewRow } from './import.contract.ts';
import type { RowProblem } from './read-cell.ts';

export interface SourceRow {
  row_no: number;
  cells: string[];
  cut_off?: boolean;
  /** What someone said about a row that was asked about, and which record it is. */
  decision?: 'replace' | 'add' | 'same' | 'new' | null;
  target_id?: number | null;
}

/** One row of a preview. */
export interface JudgedRow {
  row_no: number;
  hash: string;
  outcome: 'ready' | 'duplicate' | 'questioned' | 'refused';
  problem: RowProblem | null;
  /** What is put right on the way in. */
  repair: string | null;
  /** It is a record that is there, and says something else of it. */
  changed?: boolean;
  shown: PreviewRow;
}

export interface ChunkCounts {
  imported: number;
  duplicate: number;
  questioned: number;
  refused: number;
}

/** One file being looked at, chunk after chunk: later rows know the earlier ones. Reads only. */
export type Judge = (db: Queryable, rows: readonly SourceRow[]) => Promise<JudgedRow[]>;

export interface ImportWork {
  /** Rows of one transaction. */
  readonly chunk: number;
  judge(mapping: ImportMapping, importId: number): Judge;
  /**
   * Writes rows and their records in the caller's transaction. `refused` names rows that an earlier attempt at the same
   * chunk turned down.
   */
  store(
    ctx: WorkContext, importId: number, rows: readonly SourceRow[], mapping: ImportMapping,
    refused: ReadonlyMap<number, RowProblem>,
  ): Promise<ChunkCounts>;
}

/** What a row of no return shows in the columns of returns. */
export const NO_RETURN = { period_from: null, period_to: null, show: '', venue: '', license_number: null,
  currency: null, gross_minor: null, performances: null, attendance: null } as const;

/** A person is one name among others of a row: the answer becomes another name of his, for every row to come. */
export const SIMILAR_PERSON = 'similar_person';
/** The row as a whole may be a record we have. */
export const SIMILAR_RECORD = 'similar_record';
