/** Rows left out: grouped by what is wrong, with what was probably meant, handed back as a file, decided upon. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { FileAnswer, WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { REASON_HEAD, ROW_HEAD } from '../reading/csv-rows.server.ts';
import { csvStream } from '#server/csv.ts';
import type { ImportMapping, ProblemGroup } from './import.contract.ts';
import { importToChange, storedImport } from './import-record.server.ts';
import { suggestRoyaltors, suggestShows, suggestVenues } from './match-names.server.ts';

const GROUPS = 60;
/** Groups that get suggestions: each costs a search of the catalogue. */
const SUGGESTED = 20;
/** Reasons that are about one name; the others are one group whatever the cell says. */
const BY_VALUE = ['unknown_show', 'unknown_venue', 'unknown_royaltor', 'ambiguous_show', 'ambiguous_venue',
  'ambiguous_royaltor', 'unknown_currency', 'unknown_license', 'no_license', 'unknown_category', 'unknown_warehouse'];

/** Largest groups first. */
export async function problemGroups(db: Queryable, importId: number): Promise<ProblemGroup[]> {
  if (!await storedImport(db, importId)) throw refuse('not_found');
  const groups = await db.query<Omit<ProblemGroup, 'suggestions'>>(sql`
    select reason_code, max(field) as field, value, (array_agg(reason order by row_no))[1] as reason,
      count(*) as count, min(row_no) as first_row, bool_or(proposed_id is not null) as asked,
      count(decision) filter (where proposed_id is not null) as decided
    from (select reason_code, field, reason, row_no, proposed_id, decision,
        case when reason_code = any(${BY_VALUE}::text[]) then value end as value
      from import_records where import_id = ${importId} and status = 'refused') r
    group by reason_code, value order by count(*) desc, min(row_no) limit ${GROUPS}`);
  return Promise.all(groups.map(async (group, n) => ({ ...group,
    suggestions: n < SUGGESTED && group.value ? await suggestions(db, group.reason_code, group.value) : [] })));
}

async function suggestions(db: Queryable, code: string, value: string): Promise<ProblemGroup['suggestions']> {
  if (code === 'unknown_show' || code === 'ambiguous_show') return suggestShows(db, value);
  if (code === 'unknown_venue' || code === 'ambiguous_venue') return suggestVenues(db, value);
  if (code === 'unknown_royaltor' || code === 'ambiguous_royaltor') return suggestRoyaltors(db, value);
  return [];
}

/** Stores the decision on second reports for a period; the rows are processed with the remaining rows. */
export async function decideSecondReturns(
  ctx: WorkContext, importId: number, input: { row_nos: readonly number[]; decision: 'replace' | 'add' },
): Promise<void> {
  const found = await importToChange(ctx.db, importId);
  if (found.status === 'processing') {
    throw conflict('import.status_conflict', 'This import is being worked.', { status: found.status });
  }
  const wanted = [...new Set(input.row_nos)];
  const changed = await ctx.db.exec(sql`
    update import_records set decision = ${input.decision}
    where import_id = ${importId} and row_no = any(${wanted}::int[]) and status = 'refused'
      and reason_code = 'second_return'`);
  if (changed !== wanted.length) throw invalidField('row_nos', 'Choose rows that are a second return for a period');
  await ctx.audit({ action: 'decide', entity: 'import', entity_id: importId,
    after: { rows: wanted.length, decision: input.decision } });
}

const PAGE = 2000;

/** The rows as they came, with their number and the reason in two more columns; corrected, they are imported again. */
export async function downloadRecords(
  ctx: WorkContext, importId: number, status: 'refused' | 'questioned',
): Promise<FileAnswer> {
  const found = await storedImport(ctx.db, importId);
  if (!found) throw refuse('not_found');
  const mapping: ImportMapping = found.mapping;
  const width = mapping.header.length;
  async function* rows(): AsyncGenerator<unknown[]> {
    let after = 0;
    for (;;) {
      const page = await ctx.db.query<{ row_no: number; cells: string[] | null; reason: string }>(sql`
        select row_no, cells, reason from import_records
        where import_id = ${importId} and status = ${status} and row_no > ${after} order by row_no limit ${PAGE}`);
      for (const row of page) {
        const cells = Array.from({ length: Math.max(width, row.cells?.length ?? 0) }, (_, n) => row.cells?.[n] ?? '');
        yield [...cells, row.row_no, row.reason];
      }
      if (page.length < PAGE) return;
      after = page.at(-1)!.row_no;
    }
  }
  return { filename: `import-${importId}-${status}.csv`, content_type: 'text/csv; charset=utf-8',
    content: csvStream([...mapping.header, ROW_HEAD, REASON_HEAD], rows()) };
}
