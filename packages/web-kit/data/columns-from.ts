/**
 * Columns of a list from a resource's declaration: those a screen writes, and after them one for each simple field that
 * has none, hidden until somebody chooses it. A new field can be shown, peeked at and exported without a line of its
 * own.
 */
import type { Field, FieldKind, Fields } from '#kit/field.ts';
import type { Column, ColumnKind } from './column.ts';

/** Fields whose value can stand in a cell without words, names or a currency from elsewhere. */
const KINDS: Partial<Record<FieldKind, ColumnKind>> = { text: 'muted', email: 'muted', url: 'muted', integer: 'number',
  date: 'date', bool: 'muted' };

/** Whether a column shows the field or changes it. */
const shows = <Row>({ id, edit }: Column<Row>, name: string): boolean => id === name || edit?.field === name;

function columnOf<Row>(name: string, field: Field): Column<Row> {
  const value = (row: Row): unknown => (row as Record<string, unknown>)[name];
  return { id: name, header: field.label, kind: KINDS[field.kind], hidden: true, cell: (row) => {
    const read = value(row);
    return typeof read === 'boolean' ? (read ? 'Yes' : 'No') : read as string | number | null;
  } };
}

/**
 * `columns` and a hidden one for every other simple field. `without`: fields that a column shows under another name.
 */
export function columnsFrom<Row>(
  fields: Fields, columns: readonly Column<Row>[], without: readonly string[] = [],
): readonly Column<Row>[] {
  const others = Object.entries(fields).filter(([name, { kind }]) => KINDS[kind] !== undefined
    && !without.includes(name) && !columns.some((column) => shows(column, name)));
  return [...columns, ...others.map(([name, field]) => columnOf<Row>(name, field))];
}
