/**
 * The suite of `npm test` and of `npm run test:full`: the gates, the web build, and every test: node, browser,
 * journeys, and tests of the database once more on an older stand-alone PostgreSQL. The full suite asks for every page,
 * every width and every day where the other asks for one of each kind, and brings all database tests to the older
 * server. Says what did not run and why; the last line is `N passed, N failed`.
 *
 * Two rows of parts side by side: journeys wait for a page while tests of the server compute, and the demo season is
 * played, in one process, while the gates run.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { defaultDataDir } from '#server/embedded-postgres-place.ts';
import { startEmbeddedPostgres } from '#server/embedded-postgres.ts';
import { ensureChromium } from './chromium.ts';
import { runGates } from './gates.ts';
import { readPlaywrightReport, readVitestReport } from './reports.ts';
import { ensureHledger } from './system-package.ts';
import { check, exec, isStopping, ROOT, sum, type Tally } from './steps.ts';

const OLD_POSTGRES = '/usr/lib/postgresql/15/bin';
/** A database that someone works with is never a place for tests. */
const NO_DATABASE = { DATABASE_URL: '', DATABASE_URL_APP: '', DATABASE_URL_PORTAL: '', DATABASE_URL_TEST: '' };
const REPORTS = path.join(ROOT, 'test-results');
const notRun: string[] = [];
const tallies: Tally[] = [];
const failures: string[] = [];
const exists = (name: string): boolean => fs.existsSync(path.join(ROOT, name));

function filesBelow(folders: readonly string[], matches: (file: string) => boolean): string[] {
  return folders.filter(exists).flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file)).filter(matches));
}

interface VitestRun {
  title: string;
  /** Stands in front of its lines. */
  part: string;
  project?: string;
  files?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

async function runVitest({ title, part, project = 'node', files = [], env = {} }: VitestRun): Promise<void> {
  if (isStopping()) return;
  const report = path.join(REPORTS, `${title.replaceAll(/[^a-z0-9]+/gi, '-')}.json`);
  fs.rmSync(report, { force: true });
  const { code } = await exec('vitest', [
    'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files,
  ], { env, part });
  const { tally, skipped, failures: failed } = readVitestReport(report, code);
  tallies.push(tally);
  failures.push(...failed);
  if (skipped > 0) notRun.push(`${title}: ${skipped} tests skipped themselves`);
}

const isBrowserTest = (file: string): boolean => /\.browser\.test\.tsx?$/.test(file);

async function runJourneys(env: NodeJS.ProcessEnv): Promise<void> {
  if (isStopping()) return;
  const report = path.join(REPORTS, 'journeys.json');
  fs.rmSync(report, { force: true });
  const { code } = await exec('playwright', ['test', '--reporter=list,json'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }, part: 'journeys',
  });
  const { tally, skipped, failures: failed, hangs } = readPlaywrightReport(report, code);
  tallies.push(tally);
  failures.push(...failed);
  for (const line of hangs) console.log(`\nHUNG, passed in a new browser  ${line}`);
  if (skipped > 0) notRun.push(`journeys: ${skipped} skipped themselves`);
}

async function runBrowserTests(): Promise<void> {
  const browserTests = filesBelow(['packages', 'modules', 'apps', 'tests'], isBrowserTest);
  const journeys = filesBelow(['tests/journeys'], (file) => file.endsWith('.spec.ts') || file.endsWith('.journey.ts'));
  if (browserTests.length === 0 && journeys.length === 0) return;
  const browser = ensureChromium(ROOT, (message) => console.log(message));
  if (browser.executablePath === null) {
    notRun.push(`${browserTests.length} files of browser tests and ${journeys.length} of journeys: ${browser.reason}`);
    return;
  }
  console.log(`browser: ${browser.version} (${browser.executablePath})`);
  const env = { CHROMIUM: browser.executablePath };
  if (journeys.length > 0) await timed('journeys', () => runJourneys(env));
  if (browserTests.length === 0) return;
  await timed('browser tests', () => runVitest({ title: 'browser tests', part: 'browser', project: 'browser*', env }));
}

/**
 * Tests that depend on the version of PostgreSQL: functions and triggers of the ledger, locks and races, row security,
 * constraints and migrations. The other database tests run once, on the version that ships, and on the older one by
 * `npm run test:full`.
 */
const VERSION_BOUND = ['db/guards.test.ts', 'db/migrations.test.ts', 'db/row-security.test.ts',
  'modules/accounting/ledger/', 'modules/stock/stock-races.test.ts'];

/** Tests that reach PostgreSQL through the shared cluster; those of the supervisor bring a server of their own. */
function databaseTests(): string[] {
  return filesBelow(['packages', 'modules', 'apps', 'db', 'tests/derived'], (file) => file.endsWith('.test.ts')
    && !file.endsWith('.browser.test.ts')
    && /tests\/support|support\/(app|database)/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')));
}

async function runOnOlderPostgres(full: boolean): Promise<void> {
  const all = databaseTests();
  if (all.length === 0 || isStopping()) return;
  const named = process.env.DATABASE_URL_TEST;
  if (named) {
    await runVitest({ title: 'database tests on DATABASE_URL_TEST', part: 'database', files: all,
      env: { DATABASE_URL_TEST: named } });
    return;
  }
  const files = full ? all : all.filter((file) => VERSION_BOUND.some((start) => file.startsWith(start)));
  if (!fs.existsSync(path.join(OLD_POSTGRES, 'postgres'))) {
    notRun.push(`${files.length} files of database tests on PostgreSQL 15: none in ${OLD_POSTGRES}, none named in `
      + 'DATABASE_URL_TEST');
    return;
  }
  const server = await startEmbeddedPostgres({
    dataDir: path.join(defaultDataDir(ROOT), 'test-15'), durable: false, binDir: OLD_POSTGRES,
  });
  try {
    const url = server.urlFor('postgres', server.superuser);
    await runVitest({ title: 'database tests on PostgreSQL 15', part: 'older', files,
      env: { DATABASE_URL_TEST: url } });
  } finally {
    await server.stop();
  }
}

/** Measures the time each part took, to show where the time goes. */
async function timed(title: string, part: () => Promise<void>): Promise<void> {
  const began = performance.now();
  console.log(`--- ${title}`);
  await part();
  console.log(`--- ${title} took ${Math.round((performance.now() - began) / 1000)} s`);
}

/** Days of a season that are unlike most: a leap day, the first of a year, the last of a month, a Sunday. */
const DAYS = ['2027-01-01', '2027-02-28', '2027-05-30', '2028-02-29'];

async function runDays(): Promise<void> {
  for (const day of DAYS) {
    await runVitest({ title: `the season from ${day}`, part: 'days', files: ['db/demo/days.test.ts'],
      env: { ...NO_DATABASE, DEMO_DAY: day } });
  }
}

/** In the full suite also what PostgreSQL answered to every statement, against its type in the code. */
async function runNodeTests(full: boolean): Promise<void> {
  const statements = path.join(REPORTS, 'statements');
  fs.rmSync(statements, { recursive: true, force: true });
  if (!ensureHledger((message) => console.log(message))) notRun.push('comparisons of the books with hledger');
  await runVitest({ title: 'node tests', part: 'node', env: { ...NO_DATABASE, STATEMENTS: full ? statements : '' } });
  if (full && !isStopping()) {
    tallies.push(await check('types of statements', 'node', ['tools/statement-types.ts', statements]));
  }
}

async function buildWeb(): Promise<void> {
  if (exists('apps/web/index.html')) tallies.push(await check('web build', 'node', ['tools/build.ts']));
  else notRun.push('web build: there is no web application yet');
}

async function runAll(full: boolean): Promise<void> {
  fs.mkdirSync(REPORTS, { recursive: true });
  const build = buildWeb();
  const rows = await Promise.allSettled([
    (async () => {
      await timed('gates', async () => { tallies.push(...await runGates(exists)); });
      await build;
      await timed('node tests', () => runNodeTests(full));
      await timed('tests on the older PostgreSQL', () => runOnOlderPostgres(full));
      if (full) await timed('the season from other days', runDays);
    })(),
    build.then(runBrowserTests),
  ]);
  for (const row of rows) if (row.status === 'rejected') throw row.reason;
}

/** Runs everything and says how it ended, also by the exit code. */
export async function runSuite({ full }: { full: boolean }): Promise<void> {
  // Read by tests/support/full.ts and by the journeys.
  if (full) Object.assign(process.env, { TEST_FULL: '1', OPENED: '1' });
  else delete process.env.TEST_FULL;
  try {
    await runAll(full);
  } catch (error) {
    console.error(error);
    tallies.push({ passed: 0, failed: 1 });
  }
  if (isStopping()) tallies.push({ passed: 0, failed: 1 });
  if (failures.length > 0) console.log('');
  for (const line of failures) console.log(`FAILED  ${line}`);
  for (const line of notRun) console.log(`\nNOT RUN  ${line}`);
  const total = sum(tallies);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
