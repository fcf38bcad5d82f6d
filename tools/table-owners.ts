/**
 * Writes to tables of other modules, and reads that their owner does not offer (`db/migrations/owners.txt`,
 * `db/migrations/readers.txt`). `node tools/table-owners.ts` or a gate; `node tools/table-owners.ts --write` writes the
 * readers as they are today, for a change that adds one on purpose.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOwners } from './schema/render.ts';
import { ROOT } from './steps.ts';

type Owners = ReadonlyMap<string, string>;

const READERS = `${ROOT}/db/migrations/readers.txt`;
const NOTICE = `# Tables that their owner offers to other modules, and the modules whose statements read them. Others
# are the owner's own: ask a function of its .public.server.ts. Removing a reader is always good; a new one
# is a decision. \`node tools/table-owners.ts --write\` writes the file.
`;
/** One table or several, each with its alias: "from shows s, venues v". */
const LISTS = /\b(?:from|join)\s+((?:only )?[a-z_]+(?: +(?:as )?[a-z]\w*)?(?:\s*,\s*[a-z_]+(?: +[a-z]\w*)?)*)/g;
/** Statements on a table whose name is computed: the names stand on lines that speak of tables. */
const COMPUTED = /\b(?:insert into|update|delete from)\s+\$\{(?:name\()?/;

/** Tables of other modules that a file of `module` writes, as 'stock writes shows of catalogue'. */
export function foreignWrites(module: string, text: string, owners: Owners): string[] {
  const written = [...text.matchAll(/\b(?:insert into|update|delete from)\s+(?:only )?([a-z_]+)\b/g),
    ...text.matchAll(/\b(?:crud|sealedDetails|doubtBank)\b[^;'`]{0,80}\btable: '([a-z_]+)'/g),
    ...(COMPUTED.test(text) ? text.matchAll(/(?<=table.*)'([a-z_]+)'/gi) : [])];
  return foreign(module, written.map(([, table = '']) => table), owners)
    .map((table) => `${module} writes ${table} of ${owners.get(table)}`);
}

/** Tables of other modules that the statements in a file of `module` read. */
export function foreignReads(module: string, text: string, owners: Owners): string[] {
  return foreign(module, sqlTexts(text).flatMap(tablesRead), owners);
}

function foreign(module: string, tables: readonly string[], owners: Owners): string[] {
  return [...new Set(tables)].filter((table) => owners.has(table) && owners.get(table) !== module).sort();
}

/** Names behind `from` and `join`, and a fragment's own at its beginning: "licenses l join customers c on ...". */
function tablesRead(text: string): string[] {
  const lists = [...text.matchAll(LISTS)].map(([, list = '']) => list);
  const [, start = ''] = /^\s*([a-z_]+)(?:\s+[a-z]\w{0,3})?\s*(?:$|(?:left |cross |inner )?join\b)/.exec(text) ?? [];
  return [start, ...lists.flatMap((list) => list.split(',').map((one) =>
    one.trim().replace(/^only /, '').split(/\s/)[0] ?? ''))];
}

/** Texts of the `sql` templates of a file, nested ones apart; a value is a blank. */
export function sqlTexts(text: string): string[] {
  const found: string[] = [];
  /** Reads a template from behind its backtick; answers the place behind its end. */
  const template = (start: number, isSql: boolean): number => {
    let own = '';
    let at = start;
    while (at < text.length && text[at] !== '`') {
      if (text.startsWith('${', at)) {
        at = value(at + 2);
        own += ' ? ';
      } else {
        own += text[at];
        at += text[at] === '\\' ? 2 : 1;
      }
    }
    if (isSql) found.push(own);
    return at + 1;
  };
  /** Reads code from behind `${`; answers the place behind its brace. */
  const value = (start: number): number => {
    let at = start;
    for (let depth = 1; depth > 0 && at < text.length;) {
      if (text[at] === '`') {
        at = template(at + 1, /\bsql(?:<[^`]*>)?$/.test(text.slice(Math.max(0, at - 80), at)));
        continue;
      }
      depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
      at += 1;
    }
    return at;
  };
  const opening = /\bsql`/g;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    opening.lastIndex = template(match.index + match[0].length, true);
  }
  return found;
}

/** `table: reader, reader`, one table a line. */
export function readReaders(text: string): Map<string, string[]> {
  return new Map(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).map((line) => {
    const [table = '', readers = ''] = line.split(':');
    return [table, readers.split(',').map((one) => one.trim())];
  }));
}

export interface TableUse {
  files: number;
  writes: string[];
  /** Readers of each foreign table, both in order. */
  readers: Map<string, string[]>;
}

/** Uses of foreign tables by the product's modules, tests left out. */
export function tableUse(owners: Owners): TableUse {
  const files = globSync('modules/*/**/*.ts', { cwd: ROOT }).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const writes = new Set<string>();
  const readers = new Map<string, Set<string>>();
  for (const file of files) {
    const module = file.split('/')[1] ?? '';
    const text = readFileSync(`${ROOT}/${file}`, 'utf8');
    for (const write of foreignWrites(module, text, owners)) writes.add(write);
    for (const table of foreignReads(module, text, owners)) {
      readers.set(table, (readers.get(table) ?? new Set()).add(module));
    }
  }
  return { files: files.length, writes: [...writes].sort(),
    readers: new Map([...readers].sort().map(([table, modules]) => [table, [...modules].sort()])) };
}

/** Reads that are not offered, and offers that nobody takes. */
export function unofferedReads(use: TableUse['readers'], offered: TableUse['readers'], owners: Owners): string[] {
  const missing = [...use].flatMap(([table, modules]) => modules
    .filter((module) => !offered.get(table)?.includes(module))
    .map((module) => `${module} reads ${table}, which ${owners.get(table)} does not offer it`));
  const idle = [...offered].flatMap(([table, modules]) => modules
    .filter((module) => !use.get(table)?.includes(module))
    .map((module) => `${module} no longer reads ${table}: take it out of readers.txt`));
  return [...missing, ...idle];
}

export const loadOwners = (): Owners => readOwners(readFileSync(`${ROOT}/db/migrations/owners.txt`, 'utf8'));
export const loadReaders = (): Map<string, string[]> => readReaders(readFileSync(READERS, 'utf8'));

function main(): void {
  const owners = loadOwners();
  const use = tableUse(owners);
  if (process.argv.includes('--write')) {
    const lines = [...use.readers].map(([table, modules]) => `${table}: ${modules.join(', ')}\n`);
    writeFileSync(READERS, NOTICE + lines.join(''));
  }
  const reads = unofferedReads(use.readers, loadReaders(), owners);
  console.log([...use.writes, ...reads].join('\n'));
  console.log(`${use.writes.length} foreign writes, ${reads.length} reads not offered`);
  process.exitCode = use.writes.length + reads.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
