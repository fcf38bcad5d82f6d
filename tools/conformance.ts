/**
 * `npm run -s conformance` (and `-- --json`): counts the rows of the specification that the product satisfies.
 *
 * Pages come from the page tables and count when tests/derived/covered-pages.ts lists them: the list that the derived
 * page test walks, so a page that is listed and does not open fails `npm test`. Calls are endpoints that are declared
 * in a contract and mounted by the server. Permissions are the values the contract knows. States, rules, constants and
 * messages count by their id in the title of a test. SHARED_SPEC names the folder of the lists.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { PageRow } from '#kit/page.ts';
import { PERMISSIONS, PLACEHOLDER_PERMISSION } from '#kit/permission.ts';
import { countConformance, type Conformance, type Product, type Spec, type SpecRow } from './conformance-count.ts';
import { ROOT } from './steps.ts';
import { idsOfTests } from './test-titles.ts';

const FILES: Record<keyof Spec, string> = {
  pages: 'routes', calls: 'api', permissions: 'permissions', states: 'states', rules: 'rules', constants: 'constants',
  messages: 'messages', pages_added: 'routes-added', calls_added: 'api-added',
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

async function readPages(): Promise<Set<string>> {
  const tables = [...await importAll('modules/**/*.pages.ts'), ...await importAll('apps/web/**/*.pages.ts')];
  const rows = tables.flatMap((table) => Object.values(table)).filter(Array.isArray).flat().filter(isPageRow);
  return new Set(rows.filter((row) => row.load !== undefined || row.redirectTo !== undefined).map((row) => row.path));
}

async function readCoveredPaths(): Promise<Set<string>> {
  const [list] = await importAll('tests/derived/covered-pages.ts') as { coveredPaths?: () => readonly string[] }[];
  return new Set(list?.coveredPaths?.() ?? []);
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;

const keyOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`;

/** Endpoints of the contracts that the server mounts: a contract without a handler is a promise only. */
async function readCalls(): Promise<Set<string>> {
  const contracts = [...await importAll('modules/**/*.contract.ts'), ...await importAll('packages/contract/auth.ts')];
  const groups = contracts.flatMap((contract) => Object.values(contract))
    .filter((value): value is object => typeof value === 'object' && value !== null);
  const endpoints = [...groups, ...groups.flatMap((group) => Object.values(group) as unknown[])].filter(isEndpoint);
  const declared = new Set(endpoints.map(keyOf));
  const { routes } = await import('#apps/server/src/routes.ts');
  return new Set(routes.map((route) => keyOf(route.endpoint)).filter((key) => declared.has(key)));
}

async function readProduct(): Promise<Product> {
  const tests = globSync(TESTS, { cwd: ROOT }).filter((file) => !file.startsWith('tools/test-titles.test'));
  return {
    pagePaths: await readPages(),
    coveredPaths: await readCoveredPaths(),
    calls: await readCalls(),
    permissions: new Set([...PERMISSIONS, PLACEHOLDER_PERMISSION]),
    testIds: new Set(tests.flatMap((file) => idsOfTests(file, readFileSync(join(ROOT, file), 'utf8')))),
  };
}

function print(result: Conformance): void {
  for (const [list, { have, want, missing }] of Object.entries(result)) {
    console.log(`${list.padEnd(12)} ${String(have).padStart(4)} of ${want}`);
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
