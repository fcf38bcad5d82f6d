/** Definition of a table column, in the terms a screen uses. */
import type { ReactNode } from 'react';

/**
 * Looks of a column: `title` names the row (weight 500, the row's link), `text`, `muted` a party, `code` a number or
 * code (faint, tabular), `number` and `money` right aligned, `date`, `badge`, `actions` (no heading shown, never a
 * row click).
 */
export type ColumnKind = 'title' | 'text' | 'muted' | 'code' | 'number' | 'money' | 'date' | 'badge' | 'actions';

export type EditValue = string | number | null;

/** A value of a list that is changed where it stands (U10). Never of what is posted, issued or signed. */
export interface ColumnEdit<Row> {
  /** Its name in the update's body, where the server's error about it stands too. */
  field: string;
  as: 'text' | 'number' | 'money' | 'date' | 'select';
  /** `money` in minor units, `date` as YYYY-MM-DD. */
  value: (row: Row) => EditValue;
  /** May be empty: null then. */
  optional?: boolean | undefined;
  options?: readonly { value: string; label: string }[] | undefined;
  /** false: this row cannot be changed now. */
  when?: ((row: Row) => boolean) | undefined;
}

/** Saves such values; throws the refusal of the server. */
export interface RowEdits<Row> {
  /** Answers the row as saved, for the undo. */
  save: (row: Row, changes: Readonly<Record<string, EditValue>>, idempotencyKey: string) => Promise<Row>;
  /** Reads the list again, because somebody else was faster. */
  reread: () => Promise<unknown>;
}

export interface Column<Row> {
  /** Unique in the table; also the name remembered by the column chooser. */
  id: string;
  header: string;
  kind?: ColumnKind | undefined;
  /** The cell. For `money` answer minor units, for `date` the wire's text: the table formats both. */
  cell: (row: Row) => ReactNode | bigint;
  /** Changed in its cell by whoever may; the table needs `edits` for it. */
  edit?: ColumnEdit<Row> | undefined;
  /** `true`: sortable by `id`; a text: the name of sort_by on the wire. */
  sort?: boolean | string | undefined;
  /** px; 150 (SPEC.md 9, C78) unless given. */
  width?: number | undefined;
  /** Not shown until chosen. */
  hidden?: boolean | undefined;
  /** Cannot be hidden. */
  fixed?: boolean | undefined;
  /** Cell of the totals row; for `money` minor units. */
  total?: ReactNode | bigint;
  /** Leaves a narrow list after the others (`true`) or with them; sums and states do unless told. */
  hideLast?: boolean | undefined;
  /** Says little more than the others: leaves a narrow list even where nobody can bring it back. */
  optional?: boolean | undefined;
}

/** Headings that are short for narrow columns of figures. */
const WHOLE: Readonly<Record<string, string>> = { 'Cur.': 'Currency', 'No.': 'Number', Perfs: 'Performances',
  'Perfs.': 'Performances', Qty: 'Quantity' };

/** The heading in a whole word, where there is room for one: on cards, in a peek, in the chooser, in a file. */
export function wholeHeader({ header }: { header: string }): string {
  return WHOLE[header] ?? header;
}

/** Name of the sort by this column in the API; undefined where it cannot be sorted by. */
export function sortName({ sort, id }: Pick<Column<never>, 'sort' | 'id'>): string | undefined {
  return sort === true ? id : sort || undefined;
}

/** SPEC.md 9 (C78, S104). */
export const COLUMN_WIDTH = 150;
