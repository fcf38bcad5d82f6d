/** The export of a report whose rows are all on screen: `<DataTable readPage={useLoadedRows(rows)} />`. */
import type { ReadPage } from '#web/data/export-button.tsx';
import { useMay } from './current-user.ts';

/** undefined without the right to export, and while there are no rows. */
export function useLoadedRows<Row>(rows: readonly Row[] | undefined): ReadPage<Row> | undefined {
  const mayExport = useMay()('export.download');
  if (!mayExport || !rows) return undefined;
  return () => Promise.resolve({ rows, pages: 1, total: rows.length });
}
