/**
 * What a file will become, before anything is written: the same checks as the work itself, over every row, in chunks.
 * Rows are not kept: counts, the first rows and the first problems are.
 */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import { checkRows, type CheckedRow, type SourceRow } from './check-rows.server.ts';
import { FIELD_FACTS, IMPORT_FIELDS } from './import-field.contract.ts';
import type { ImportMapping, ImportPreview } from './import.contract.ts';
import { rulesOf, storedImport } from './import-record.server.ts';
import { ownCells } from './own-cells.ts';
import { CHUNK } from './work-imports.server.ts';

const SHOWN_ROWS = 12;
const SHOWN_PROBLEMS = 100;
/** Hexadecimal digits of a row's hash that tell rows of one file apart. */
const SHORT_HASH = 20;

/** Reads only. 409 is not among its answers: a finished import is previewed as it would be read again. */
export async function previewImport(ctx: WorkContext, id: number): Promise<ImportPreview> {
  const found = await storedImport(ctx.db, id);
  if (!found) throw refuse('not_found');
  const { mapping } = found;
  const missing = missingFields(mapping);
  const preview: ImportPreview = { mapping, rows_total: found.rows_total, missing, rows: [],
    counts: { ready: 0, questioned: 0, duplicate: 0, refused: 0 }, reasons: [], problems: [] };
  if (missing.length > 0) return preview;
  const tally = new Tally(preview);
  let chunk: SourceRow[] = [];
  const check = async (): Promise<void> => {
    tally.add(await checkRows(ctx.db, chunk, rulesOf(mapping), id));
    chunk = [];
  };
  for await (const row of sheetRows(await ctx.ports.files.get(found.storage_key), mapping)) {
    if (row.row_no <= mapping.header_row) continue;
    chunk.push({ ...row, cells: ownCells(row.cells, mapping.header.length) });
    if (chunk.length === CHUNK) await check();
  }
  if (chunk.length > 0) await check();
  return tally.result();
}

/** Fields that every row needs and that neither a column nor a constant feeds. */
export function missingFields(mapping: ImportMapping): ImportPreview['missing'] {
  const byNumber = mapping.columns.license_number !== undefined || mapping.constants.license_number;
  return IMPORT_FIELDS.filter((field) => {
    const needed = field === 'period_from' ? mapping.report_scope === 'run'
      : FIELD_FACTS[field].required && !(byNumber && (field === 'show' || field === 'venue'));
    return needed && mapping.columns[field] === undefined && !mapping.constants[field];
  }).map((field) => ({ field, text: `${FIELD_FACTS[field].label}: choose its column` }));
}

class Tally {
  readonly preview: ImportPreview;
  readonly reasons = new Map<string, number>();
  readonly seen = new Set<string>();

  constructor(preview: ImportPreview) {
    this.preview = preview;
  }

  add(rows: readonly CheckedRow[]): void {
    for (const row of rows) {
      const short = row.hash.slice(0, SHORT_HASH);
      if (row.outcome === 'ready' && this.seen.has(short)) row.outcome = 'duplicate';
      this.seen.add(short);
      this.count(row);
      if (this.preview.rows.length < SHOWN_ROWS) this.preview.rows.push(shown(row));
      if (row.problem && this.preview.problems.length < SHOWN_PROBLEMS) {
        const { field, value, reason_code, reason } = row.problem;
        const at = field === null ? undefined : this.preview.mapping.columns[field];
        this.preview.problems.push({ row_no: row.row_no, field, value, reason_code, reason,
          column: at === undefined ? null : this.preview.mapping.header[at] ?? null });
      }
    }
  }

  count(row: CheckedRow): void {
    const { counts } = this.preview;
    counts[row.outcome] += 1;
    if (row.outcome === 'ready' && question(row)) counts.questioned += 1;
    if (row.problem) this.reasons.set(row.problem.reason_code, (this.reasons.get(row.problem.reason_code) ?? 0) + 1);
  }

  result(): ImportPreview {
    this.preview.reasons = [...this.reasons].map(([reason_code, count]) => ({ reason_code, count }))
      .sort((a, b) => b.count - a.count);
    return this.preview;
  }
}

/** The two questions that a file can raise (domain.md 1.4). */
function question(row: CheckedRow): string | null {
  const { read } = row;
  if (!read) return null;
  const none = (read.performances ?? 0) === 0 && read.gross_minor > 0;
  const over = (read.capacity_ppm ?? 0) > 1_000_000
    || (read.capacity !== null && read.attendance !== null && read.attendance > read.capacity);
  if (none) return 'Takings without a performance: asked about';
  return over ? 'More than the capacity: asked about' : null;
}

function shown(row: CheckedRow): ImportPreview['rows'][number] {
  const { read } = row;
  const asked = row.outcome === 'ready' ? question(row) : null;
  return {
    row_no: row.row_no, period_from: read?.period_from ?? null, period_to: read?.period_to ?? null,
    show: read?.show ?? '', venue: read?.venue ?? '', license_number: row.place?.number ?? null,
    currency: read?.currency ?? null, gross_minor: read?.gross_minor ?? null, performances: read?.performances ?? null,
    attendance: read?.attendance ?? null, outcome: asked ? 'questioned' : row.outcome,
    reason: row.problem?.reason ?? asked ?? (row.outcome === 'duplicate' ? 'Imported before' : null),
  };
}
