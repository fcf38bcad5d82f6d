// cspell:disable -- names of the system catalogue
/** `db/schema.sql` and `docs/domain/data-model.md` as text, from the catalogue of a freshly migrated database. */
import type { SchemaEntry } from './catalogue.ts';

export interface ColumnRow {
  table_name: string;
  name: string;
  type: string;
  required: boolean;
  /** Table that the column names a row of. */
  refers_to: string | null;
  /** Values that a check allows, separated by commas. */
  allowed: string | null;
  comment: string | null;
}

export interface TableRow {
  name: string;
  comment: string | null;
}

const NOTICE = '-- Written by `npm run schema`. Do not edit: write a migration and run the command again.';

/** Everything of a table stands together; what belongs to no table comes first. */
export function renderSchema(entries: readonly SchemaEntry[]): string {
  const tables = new Map<string | null, SchemaEntry[]>();
  for (const entry of entries) tables.set(entry.table, [...(tables.get(entry.table) ?? []), entry]);
  const own = tables.get(null) ?? [];
  tables.delete(null);
  const names = [...tables.keys()].sort() as string[];
  return [NOTICE, ...own.map(statementOf), ...names.map((name) => renderTable(tables.get(name)!))].join('\n\n')
    + '\n';
}

function renderTable(entries: readonly SchemaEntry[]): string {
  const [table, columns, rest] = [
    entries.filter(({ name }) => name.startsWith('table ')), entries.filter(({ name }) => name.startsWith('column ')),
    entries.filter(({ name }) => !/^(?:table|column) /.test(name)),
  ];
  return [...table.map((one) => one.statement), ...columns.map((one) => `  ${one.statement}`), ...rest.map(statementOf)]
    .join('\n');
}

/** Trailing blanks in the text of views and functions would be lost in editors. */
function statementOf({ statement }: SchemaEntry): string {
  return `${statement.replaceAll(/[ \t]+$/gm, '')};`;
}

export const COLUMNS = `
  select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required,
    (select min(confrelid::regclass::text) from pg_constraint where conrelid = c.oid and contype = 'f'
      and conkey = array[a.attnum]) as refers_to,
    (select string_agg(distinct v[1], ', ') from pg_constraint k,
      regexp_matches(pg_get_constraintdef(k.oid), '''([^'']+)''::text', 'g') v
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[') as allowed,
    col_description(c.oid, a.attnum) as comment
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

export const TABLES = `select relname as name, obj_description(oid, 'pg_class') as comment from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;

export const TYPES = `select typname as name, obj_description(oid, 'pg_type') as comment from pg_type
  where typtype = 'd' and typnamespace = 'public'::regnamespace order by typname`;

/** Reads `owners.txt`: `module: table, table, ...`, continued on indented lines. */
export function readOwners(text: string): Map<string, string> {
  const owners = new Map<string, string>();
  for (const block of text.replaceAll(/^#.*\n/gm, '').split(/\n(?=\S)/)) {
    const [owner = '', tables = ''] = block.split(':');
    for (const table of tables.split(',').map((name) => name.trim()).filter((name) => name !== '')) {
      const before = owners.get(table);
      if (before) throw new Error(`${table} has two owners: ${before} and ${owner}`);
      owners.set(table, owner.trim());
    }
  }
  return owners;
}

/** Ends what people write of the data model; the rest is generated. */
const MARKER = /^<!-- Everything below .*-->\n/m;

/** @param before the file as it is: what stands above the marker is kept. */
export function renderDataModel(
  before: string, tables: readonly TableRow[], columns: readonly ColumnRow[], types: readonly TableRow[],
  owners: ReadonlyMap<string, string>,
): string {
  const marker = MARKER.exec(before);
  if (!marker) throw new Error('docs/domain/data-model.md has no line that starts the generated part');
  const modules = [...new Set(owners.values())].sort();
  return before.slice(0, marker.index + marker[0].length) + '\n' + [
    '## Types',
    ['| Type | Meaning |', '| --- | --- |', ...types.map(({ name, comment }) => `| \`${name}\` | ${cell(comment)} |`)]
      .join('\n'),
    ...modules.flatMap((module) => [`## Tables of ${module}`,
      ...tables.filter(({ name }) => owners.get(name) === module)
        .map((table) => renderModelTable(table, columns.filter((column) => column.table_name === table.name)))]),
  ].join('\n\n') + '\n';
}

function renderModelTable(table: TableRow, columns: readonly ColumnRow[]): string {
  const rows = columns.map((column) => {
    const type = column.refers_to === null ? column.type : `${column.type} of ${column.refers_to}`;
    const words = [column.comment, column.allowed === null ? null : `One of: ${column.allowed}.`]
      .filter((part) => part !== null).join(' ');
    return `| \`${column.name}\` | ${type}${column.required ? '' : ', or null'} | ${cell(words)} |`;
  });
  return [`### ${table.name}`, '', table.comment ?? '', '', '| Column | Type | Meaning |', '| --- | --- | --- |',
    ...rows].join('\n');
}

const cell = (text: string | null): string => (text ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
