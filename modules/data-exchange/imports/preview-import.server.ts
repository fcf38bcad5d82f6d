/**
 * Preview of a file before anything is written: the same checks as the import itself, over every row, in chunks.
 * Keeps the counts, up to SHOWN_ROWS rows and the first problems, whatever the length of the file.
 */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import type { JudgedRow, SourceRow } from './import-work.server.ts';
import type { ImportMapping, ImportPreview, ImportReading } from './import.contract.ts';
import { columnNotes } from './import-field.contract.ts';
import { storedImport } from './import-record.server.ts';
import { IMPORT_KINDS, type ImportModel } from './kinds/import-kind.contract.ts';
import { ownCells } from './own-cells.ts';
import { IMPORT_WORKS } from './works.server.ts';

/** Limit of rows in the browser (frontend.md 3). */
const SHOWN_ROWS = 10_000;
const SHOWN_PROBLEMS = 100;

/** Reads only. 409 is not among its answers: a finished import is previewed as it would be read again. */
export async function previewImport(ctx: WorkContext, id: number): Promise<ImportPreview> {
  const found = await storedImport(ctx.db, id);
  if (!found) throw refuse('not_found');
  const { mapping } = found;
  const missing = missingFields(found.model_name, mapping);
  const preview: ImportPreview = { mapping, rows_total: found.rows_total, missing, ...columnNotes(mapping), rows: [],
    counts: { ready: 0, questioned: 0, duplicate: 0, changed: 0, unchanged: 0, refused: 0 }, reasons: [], repairs: [],
    changes: [], problems: [] };
  if (missing.length > 0) return preview;
  const tally = new Tally(preview);
  const work = IMPORT_WORKS[found.model_name];
  const session = work.open(mapping, id, ctx);
  let chunk: SourceRow[] = [];
  const check = async (): Promise<void> => {
    tally.add(await session.judge(ctx.db, chunk));
    chunk = [];
  };
  for await (const row of sheetRows(await ctx.ports.files.get(found.storage_key), mapping)) {
    if (row.row_no <= mapping.header_row) continue;
    chunk.push({ ...row, cells: ownCells(row.cells, mapping.header.length) });
    if (chunk.length === work.chunk) await check();
  }
  if (chunk.length > 0) await check();
  return tally.result();
}

/** Fields that every row needs and that neither a column nor a constant feeds. */
export function missingFields(model: ImportModel, mapping: ImportMapping): ImportPreview['missing'] {
  const byNumber = mapping.columns['license_number'] !== undefined || mapping.constants['license_number'];
  const missing = Object.entries(IMPORT_KINDS[model].fields).filter(([field, facts]) => {
    const needed = field === 'period_from' ? mapping.report_scope === 'run'
      : facts.required && !(model === 'box_office_reports' && byNumber && (field === 'show' || field === 'venue'));
    return needed && mapping.columns[field] === undefined && !mapping.constants[field];
  }).map(([field, facts]) => ({ field, text: `${facts.label}: choose its column` }));
  return [...missing, ...mapping.readings.filter(({ setting }) => mapping[setting] === null).map(undecided)];
}

/** "Date: 08/11/2026 can be read in more than one way". Its readings stand beside the choice. */
function undecided({ setting, options }: ImportReading): ImportPreview['missing'][number] {
  const [first] = options[0]?.samples ?? [];
  const what = setting === 'date_format' ? 'a date format' : 'a number format';
  return { field: first?.field ?? '',
    text: `${first ? `${first.column}: ${first.text}` : 'The file'} can be read in more than one way. Choose ${what}` };
}

type PreviewRow = ImportPreview['rows'][number];

class Tally {
  readonly preview: ImportPreview;
  readonly reasons = new Map<string, number>();
  readonly repairs = new Map<string, number>();
  readonly ready: PreviewRow[] = [];
  /** Questions, doubles and what is left out: of a long file these are shown before those that are simply ready. */
  readonly other: PreviewRow[] = [];

  constructor(preview: ImportPreview) {
    this.preview = preview;
  }

  add(rows: readonly JudgedRow[]): void {
    for (const row of rows) {
      this.count(row);
      const column = this.columnOf(row.problem?.field ?? null);
      const kept = row.outcome === 'ready' ? this.ready : this.other;
      if (kept.length < SHOWN_ROWS) kept.push({ ...row.shown, column, value: row.problem?.value ?? null });
      if (row.changed && this.preview.changes.length < SHOWN_PROBLEMS) {
        this.preview.changes.push({ row_no: row.row_no, title: row.shown.title, text: row.shown.reason ?? '' });
      }
      if (row.problem && this.preview.problems.length < SHOWN_PROBLEMS) {
        this.preview.problems.push({ row_no: row.row_no, column, ...row.problem });
      }
    }
  }

  columnOf(field: string | null): string | null {
    const at = field === null ? undefined : this.preview.mapping.columns[field];
    return at === undefined ? null : this.preview.mapping.header[at] ?? null;
  }

  count(row: JudgedRow): void {
    const { counts } = this.preview;
    counts[row.outcome === 'questioned' ? 'ready' : row.outcome] += 1;
    if (row.outcome === 'questioned') counts.questioned += 1;
    if (row.changed) counts.changed += 1;
    if (row.shown.outcome === 'unchanged') counts.unchanged += 1;
    if (row.problem) tick(this.reasons, row.problem.reason_code);
    if (row.repair !== null) tick(this.repairs, row.repair);
  }

  result(): ImportPreview {
    this.preview.rows = [...this.other, ...this.ready.slice(0, SHOWN_ROWS - this.other.length)]
      .sort((a, b) => a.row_no - b.row_no);
    this.preview.reasons = oftenFirst(this.reasons);
    this.preview.repairs = oftenFirst(this.repairs);
    return this.preview;
  }
}

function tick(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

function oftenFirst(counts: ReadonlyMap<string, number>): { reason_code: string; count: number }[] {
  return [...counts].map(([reason_code, count]) => ({ reason_code, count })).sort((a, b) => b.count - a.count);
}
