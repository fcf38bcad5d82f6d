/**
 * Fields of a list's rows that its columns show: each column is asked for its cells over rows that record the fields
 * read from them. So the file holds the content of the screen, and no list declares its columns twice.
 */
import { headingOf } from '#kit/heading.ts';
import { wholeHeader, type Column } from './column.ts';

/** A list as the server knows it: its address below /api/admin/ and its query without paging. */
export interface ExportSource { model_name: string; filter: Readonly<Record<string, unknown>> }

export interface ExportField { field: string; header: string }

/** Fields of no use in a file: link targets and the version. */
const SILENT = /^(id|version)$|_id$|_file_name$|^href$/;

const CURRENCY = 'currency';

function readBy<Row>(column: Column<Row>, rows: readonly Row[]): string[] {
  const read = new Set<string>();
  for (const row of rows) {
    const noting = new Proxy(row as object, { get(target, name, receiver) {
      if (typeof name === 'string' && Object.hasOwn(target, name)) read.add(name);
      return Reflect.get(target, name, receiver) as unknown;
    } });
    void column.cell(noting as Row);
  }
  return [...read].filter((field) => !SILENT.test(field));
}

/** A cell that hands the whole row to a component reads nothing itself: then the column's own name tells. */
function namedBy<Row>({ id, sort }: Column<Row>, row: object): string[] {
  const names = [id, `${id}_minor`, `${id}_name`, ...(typeof sort === 'string' ? [sort] : [])];
  return names.filter((name) => Object.hasOwn(row, name)).slice(0, 1);
}

/** Fields in the order of the columns on screen, each once; amounts are followed by their currency. */
export function exportFields<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): ExportField[] {
  const first = rows[0] as object | undefined;
  if (first === undefined) return [];
  const found = new Map<string, string>();
  for (const column of columns) {
    if (column.kind === 'actions' || column.header === '') continue;
    const read = readBy(column, rows);
    const fields = read.length > 0 ? read : namedBy(column, first);
    const own = fields.filter((field) => field !== CURRENCY);
    own.forEach((field, at) => {
      if (!found.has(field)) found.set(field, at === 0 ? wholeHeader(column) : headingOf(field));
    });
    const amount = fields.some((field) => field.endsWith('_minor'));
    if ((amount || own.length === 0) && Object.hasOwn(first, CURRENCY) && !found.has(CURRENCY)) {
      found.set(CURRENCY, headingOf(CURRENCY));
    }
  }
  return [...found].map(([field, header]) => ({ field, header }));
}
