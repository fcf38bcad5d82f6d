/**
 * Rows that look like a record we have are asked about: someone says the same or another one, for some rows or for all
 * of a reason. The answer is kept with the row; processing again does what it says.
 */
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { nameStandsFor } from './aliases.server.ts';
import { SIMILAR_PERSON } from './import-work.server.ts';
import { refuseWithoutRights } from './import-rights.server.ts';
import type { importEndpoints } from './import.contract.ts';
import { importToChange } from './import-record.server.ts';

/** 409 while the import works, 422 where a row is not asked about for this reason. */
export async function confirmProposals(
  ctx: Ctx, importId: number, input: BodyOf<typeof importEndpoints.confirm>,
): Promise<void> {
  const found = await importToChange(ctx.db, importId);
  refuseWithoutRights(ctx, found.model_name);
  if (found.status === 'processing') {
    throw conflict('import.status_conflict', 'This import is being worked.', { status: found.status });
  }
  const { reason_code: reason, row_nos: wanted, decision, target_id: target = null } = input;
  if (target !== null && wanted?.length !== 1) throw invalidField('target_id', 'Choose another record row by row');
  const rows = await ctx.db.query<{ row_no: number; value: string; target_id: number }>(sql`
    update import_records set decision = ${decision}, decision_target_id = ${target}
    where import_id = ${importId} and status = 'refused' and reason_code = ${reason} and proposed_id is not null
      and (${wanted === undefined} or row_no = any(${wanted ?? []}::int[]))
    returning row_no, value, coalesce(${target}::bigint, proposed_id) as target_id`);
  if (rows.length === 0 || (wanted && rows.length !== new Set(wanted).size)) {
    throw invalidField('row_nos', 'Choose rows that are asked about');
  }
  if (reason === SIMILAR_PERSON && decision === 'same') {
    for (const row of rows) await nameStandsFor(ctx, 'royaltor', row.value, row.target_id, importId);
  }
  await ctx.audit({ action: 'confirm', entity: 'import', entity_id: importId,
    after: { reason_code: reason, rows: rows.length, decision, target_id: target } });
}
