/** The export of a report whose rows are all on screen: `<DataTable readPage={useLoadedRows(rows)} />`. */
import type { ReadPage } from '#web/data/export-button.tsx';
import { useMay } from './current-user.ts';

/** undefined without the right to export. Before the rows are there nothing is read (the button is off so long). */
export function useLoadedRows<Row>(rows: readonly Row[] | undefined): ReadPage<Row> | undefined {
  const mayExport = useMay()('export.download');
  if (!mayExport) return undefined;
  const held = rows ?? [];
  return () => Promise.resolve({ rows: held, pages: 1, total: held.length });
}
