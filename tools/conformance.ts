/**
 * `npm run -s conformance` (and `-- --json`): counts the rows of the specification that the product satisfies.
 *
 * Pages come from the page tables and count when tests/derived/covered-pages.ts lists them: the list that the derived
 * page test walks, so a page that is listed and does not open fails `npm test`. Calls are endpoints that are declared
 * in a contract and mounted by the server; their queries, bodies and content types are compared with the schemas.
 * Permissions are the values that a call, a page or a handler demands. Entities have the calls of
 * conformance-entities.ts, and their fields stand in the schemas of these. States, rules, constants and messages count
 * by their id in the title of a test. SHARED_SPEC names the folder of the lists.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { PageRow } from '#kit/page.ts';
import { PERMISSIONS, PLACEHOLDER_PERMISSION } from '#kit/permission.ts';
import { shapeOfCall, type CallShape } from './conformance-calls.ts';
import { ENTITY_CALLS, ENTITY_FILES, FIELD_NAMES, WITHOUT_SHAPE } from './conformance-entities.ts';
import { countConformance, type Conformance, type Product, type Spec, type SpecRow } from './conformance-count.ts';
import { ROOT } from './steps.ts';
import { idsOfTests } from './test-titles.ts';

const FILES: Record<keyof Spec, string> = {
  pages: 'routes', calls: 'api', permissions: 'permissions', states: 'states', rules: 'rules', constants: 'constants',
  messages: 'messages', pages_added: 'routes-added', calls_added: 'api-added', entities: 'entities',
};
const TESTS = '{packages,modules,apps,db,tools,tests}/**/*.{test,spec,journey}.{ts,tsx}';

function readSpec(folder: string): Spec {
  if (!existsSync(folder)) throw new Error(`The lists of the specification are not in ${folder}; set SHARED_SPEC.`);
  const read = (name: string): SpecRow[] => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as SpecRow[];
  const entries = Object.entries(FILES).map(([key, name]) => [key, read(name)] as const);
  return Object.fromEntries(entries) as unknown as Spec;
}

async function importAll(pattern: string): Promise<Record<string, unknown>[]> {
  const files = globSync(pattern, { cwd: ROOT }).sort();
  return Promise.all(files.map((file) =>
    import(pathToFileURL(join(ROOT, file)).href) as Promise<Record<string, unknown>>));
}

function isPageRow(value: unknown): value is PageRow {
  return typeof value === 'object' && value !== null && 'path' in value && 'area' in value && 'title' in value;
}

async function readPages(): Promise<PageRow[]> {
  const tables = [...await importAll('modules/**/*.pages.ts'), ...await importAll('apps/web/**/*.pages.ts')];
  return tables.flatMap((table) => Object.values(table)).filter(Array.isArray).flat().filter(isPageRow);
}

const hasScreen = (row: PageRow): boolean => row.load !== undefined || row.redirectTo !== undefined;

async function readCoveredPaths(): Promise<Set<string>> {
  const [list] = await importAll('tests/derived/covered-pages.ts') as { coveredPaths?: () => readonly string[] }[];
  return new Set(list?.coveredPaths?.() ?? []);
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;

const keyOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;

/** Endpoints of the contracts that the server mounts: a contract without a handler is a promise only. */
async function readCalls(): Promise<CallShape[]> {
  const contracts = [...await importAll('modules/**/*.contract.ts'), ...await importAll('packages/contract/auth.ts')];
  const groups = contracts.flatMap((contract) => Object.values(contract))
    .filter((value): value is object => typeof value === 'object' && value !== null);
  const endpoints = [...groups, ...groups.flatMap((group) => Object.values(group) as unknown[])].filter(isEndpoint);
  const declared = new Set(endpoints.map(keyOf));
  const { routes } = await import('#apps/server/src/routes.ts');
  return routes.map((route) => route.endpoint).filter((one) => declared.has(keyOf(one))).map(shapeOfCall);
}

/** Values that handlers ask for by themselves, as the right to change a name or an address of another person. */
function readHandlerPermissions(): Set<string> {
  const text = globSync('modules/**/*.server.ts', { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  return new Set(PERMISSIONS.filter((value) => text.includes(`'${value}'`)));
}

function readEntityWords(): Record<string, ReadonlySet<string>> {
  return Object.fromEntries(Object.entries(ENTITY_FILES).map(([entity, files]) => {
    const text = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    return [entity, new Set(text.match(/\b\w+\b/g))];
  }));
}

async function readProduct(): Promise<Product> {
  const tests = globSync(TESTS, { cwd: ROOT }).filter((file) => !file.startsWith('tools/test-titles.test'));
  const pages = await readPages();
  const calls = await readCalls();
  const ofPages = pages.flatMap((row) => [row.permission ?? [], row.also ?? []].flat(2));
  return {
    pagePaths: new Set(pages.filter(hasScreen).map((row) => row.path)),
    coveredPaths: await readCoveredPaths(),
    calls,
    permissions: new Set([...calls.flatMap((call) => call.permissions), ...ofPages, ...readHandlerPermissions(),
      PLACEHOLDER_PERMISSION]),
    entityCalls: ENTITY_CALLS, entityWords: readEntityWords(), fieldNames: FIELD_NAMES,
    withoutShape: new Set(WITHOUT_SHAPE),
    testIds: new Set(tests.flatMap((file) => idsOfTests(file, readFileSync(join(ROOT, file), 'utf8')))),
  };
}

function print(result: Conformance): void {
  for (const [list, { have, want, missing, open }] of Object.entries(result)) {
    const areas = Object.entries(open).map(([area, rows]) => `${rows} ${area}`).join(', ');
    console.log(`${list.padEnd(13)} ${String(have).padStart(4)} of ${want}${areas && `; open: ${areas}`}`);
    for (const row of missing.slice(0, 10)) console.log(`    missing ${row}`);
    if (missing.length > 10) console.log(`    and ${missing.length - 10} more (--json lists all)`);
  }
}

const spec = readSpec(resolve(process.env.SHARED_SPEC ?? join(ROOT, '../shared/spec')));
const result = countConformance(spec, await readProduct());
if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 2));
else print(result);
// Modules of the server may hold timers; the count is done.
process.exit(0);
