/** Interface between the import machinery and a kind: judges what rows would become, and writes them. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import type { ImportMapping, PreviewRow } from './import.contract.ts';
import type { RowProblem } from './read-cell.ts';

export interface SourceRow {
  row_no: number;
  cells: string[];
  cut_off?: boolean;
  /** Decision on a row that was asked about, and the record it means. */
  decision?: 'replace' | 'add' | 'same' | 'new' | null;
  target_id?: number | null;
}

/** One row of a preview. */
export interface JudgedRow {
  row_no: number;
  hash: string;
  outcome: 'ready' | 'duplicate' | 'questioned' | 'refused';
  problem: RowProblem | null;
  /** Correction made on import. */
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

/**
 * One file on its way through, chunk after chunk, each in its order: later rows know the earlier ones. The preview and
 * the work itself go through the same judgement, so what is shown is what happens.
 */
export interface ImportSession {
  /** Outcome of the rows. Read-only. */
  judge(db: Queryable, rows: readonly SourceRow[]): Promise<JudgedRow[]>;
  /**
   * Writes rows and their records in the caller's transaction. `refused` names rows that an earlier attempt at the same
   * chunk turned down.
   */
  store(
    ctx: WorkContext, rows: readonly SourceRow[], refused: ReadonlyMap<number, RowProblem>,
  ): Promise<ChunkCounts>;
  /**
   * Rows that were worked before this session began, and the numbers of those that were left out. Reads only; left out
   * where the database says all that is to know.
   */
  resume?(db: Queryable, rows: readonly SourceRow[], left: ReadonlySet<number>): Promise<void>;
}

export interface ImportWork {
  /** Rows of one transaction. */
  readonly chunk: number;
  open(mapping: ImportMapping, importId: number, ctx?: Pick<WorkContext, 'today'>): ImportSession;
}

/** Values of the box-office columns for a row that is no report. */
export const NO_RETURN = { period_from: null, period_to: null, show: '', venue: '', license_number: null,
  currency: null, gross_minor: null, performances: null, attendance: null } as const;

/** A person is one name among others of a row: the answer becomes another name of his, for every row to come. */
export const SIMILAR_PERSON = 'similar_person';
/** The row as a whole may be a record we have. */
export const SIMILAR_RECORD = 'similar_record';
