/** Imports of box-office returns: rows become reports of licences (domain.md 1.4). */
import { checkRows, FileMemory, type CheckedRow } from './check-rows.server.ts';
import type { PreviewRow } from './import.contract.ts';
import { rulesOf } from './import-record.server.ts';
import type { ImportWork, JudgedRow } from './import-work.server.ts';
import { storeRows } from './store-rows.server.ts';

export const boxOfficeWork: ImportWork = {
  chunk: 1000,
  open(mapping, importId) {
    const rules = rulesOf(mapping);
    const memory = new FileMemory();
    return {
      judge: async (db, rows) => (await checkRows(db, rows, rules, importId, memory)).map(judged),
      store: (ctx, rows, refused) => storeRows(ctx, importId, rows, rules, refused),
    };
  },
};

function judged(row: CheckedRow): JudgedRow {
  const asked = row.outcome === 'ready' ? question(row) : null;
  return { row_no: row.row_no, hash: row.hash, outcome: asked === null ? row.outcome : 'questioned',
    problem: row.problem, repair: null, shown: shown(row, asked) };
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

function shown(row: CheckedRow, asked: string | null): PreviewRow {
  const { read } = row;
  return {
    row_no: row.row_no, title: '', detail: '', period_from: read?.period_from ?? null,
    period_to: read?.period_to ?? null,
    show: read?.show ?? '', venue: read?.venue ?? '', license_number: row.place?.number ?? null,
    currency: read?.currency ?? null, gross_minor: read?.gross_minor ?? null, performances: read?.performances ?? null,
    attendance: read?.attendance ?? null, outcome: asked ? 'questioned' : row.outcome,
    reason: row.problem?.reason ?? asked ?? (row.outcome === 'duplicate' ? whichDouble(row) : null),
  };
}

const whichDouble = (row: CheckedRow): string => row.again ? 'Stands in the file before' : 'Imported before';
