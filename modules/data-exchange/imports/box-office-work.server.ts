/** Imports of box-office returns: rows become reports of licences (domain.md 1.4). */
import { returnOutlook } from '#modules/licensing/box-office/box-office.public.server.ts';
import { checkRows, FileMemory, type CheckedRow } from './check-rows.server.ts';
import type { PreviewRow } from './import.contract.ts';
import { rulesOf } from './import-record.server.ts';
import type { ImportWork, JudgedRow } from './import-work.server.ts';
import { storeRows } from './store-rows.server.ts';

export const boxOfficeWork: ImportWork = {
  chunk: 1000,
  open(mapping, importId, ctx) {
    const outlook = ctx && returnOutlook(ctx);
    const rules = rulesOf(mapping);
    const memory = new FileMemory();
    return {
      async judge(db, rows) {
        const checked = await checkRows(db, rows, rules, importId, memory);
        const ready = checked.filter((row) => row.input !== null);
        const asked = await outlook?.(db, ready.map((row) => row.input!)) ?? [];
        const words = new Map(ready.map((row, n) => [row, asked[n] ?? null] as const));
        return checked.map((row) => judged(row, words.get(row) ?? null));
      },
      store: (ctx, rows, refused) => storeRows(ctx, importId, rows, rules, refused),
    };
  },
};

/** Reasons to hold the report or to ask about it, in the words of licensing itself. */
function judged(row: CheckedRow, asked: string | null): JudgedRow {
  return { row_no: row.row_no, hash: row.hash, outcome: asked === null ? row.outcome : 'questioned',
    problem: row.problem, repair: null, shown: shown(row, asked) };
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

const whichDouble = (row: CheckedRow): string => row.again ? 'Duplicate of an earlier row' : 'Imported before';
