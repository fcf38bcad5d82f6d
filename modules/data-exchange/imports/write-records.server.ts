/** Result of every row, kept in the transaction that did it; a row worked again takes its own place. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { RowProblem } from './read-cell.ts';
import type { ChunkCounts } from './import-work.server.ts';

export interface RowRecord {
  row_no: number;
  cells: readonly string[];
  /** SHA-256 in hex. */
  hash: string;
  status: 'imported' | 'duplicate' | 'questioned' | 'refused';
  problem: Pick<RowProblem, 'reason_code' | 'reason'> & Partial<RowProblem> | null;
  entity: string | null;
  entity_id: number | null;
  label?: string | null;
}

export async function writeRecords(db: Queryable, importId: number, records: readonly RowRecord[]): Promise<void> {
  const of = <T>(pick: (one: RowRecord) => T): T[] => records.map(pick);
  const kept = (one: RowRecord): boolean => one.status === 'refused' || one.status === 'questioned';
  await db.exec(sql`
    insert into import_records as r (import_id, row_no, status, row_hash, cells, reason_code, reason, field, value,
      entity, entity_id, label, proposed_id)
    select ${importId}, u.row_no, u.status, decode(u.hash, 'hex'),
      case when u.cells is null then null else array(select e from jsonb_array_elements_text(u.cells)
        with ordinality x (e, n) order by n) end,
      u.reason_code, u.reason, u.field, u.value, u.entity, u.entity_id, u.label, u.proposed_id
    from unnest(${of((one) => one.row_no)}::int[], ${of((one) => one.status)}::text[],
      ${of((one) => one.hash)}::text[], ${of((one) => (kept(one) ? JSON.stringify(one.cells) : null))}::jsonb[],
      ${of((one) => one.problem?.reason_code ?? null)}::text[], ${of((one) => one.problem?.reason ?? null)}::text[],
      ${of((one) => one.problem?.field ?? null)}::text[], ${of((one) => one.problem?.value ?? null)}::text[],
      ${of((one) => (one.entity_id === null ? null : one.entity))}::text[], ${of((one) => one.entity_id)}::bigint[],
      ${of((one) => one.label ?? one.problem?.proposed?.label ?? null)}::text[],
      ${of((one) => one.problem?.proposed?.id ?? null)}::bigint[])
      u (row_no, status, hash, cells, reason_code, reason, field, value, entity, entity_id, label, proposed_id)
    on conflict (import_id, row_no) do update set status = excluded.status, cells = excluded.cells,
      reason_code = excluded.reason_code, reason = excluded.reason, field = excluded.field, value = excluded.value,
      entity = excluded.entity, entity_id = excluded.entity_id, label = excluded.label,
      proposed_id = excluded.proposed_id,
      -- An answer belongs to its question: a row that asks another one waits again.
      decision = case when excluded.proposed_id is null then r.decision end,
      decision_target_id = case when excluded.proposed_id is null then r.decision_target_id end`);
}

export function countsOf(records: readonly RowRecord[]): ChunkCounts {
  const count = (status: RowRecord['status']): number => records.filter((one) => one.status === status).length;
  return { imported: count('imported') + count('questioned'), duplicate: count('duplicate'),
    questioned: count('questioned'), refused: count('refused') };
}
