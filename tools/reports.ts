/** Counts from the test runners' own reports. A runner that fails without a failed test counts as one failure. */
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT, type Tally } from './steps.ts';

interface SuiteReport {
  tally: Tally;
  skipped: number;
  /** One text per failure, `file > test` and the first line of its message: said again at the end of a long run. */
  failures: string[];
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name?: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName?: string; failureMessages?: string[] }[];
  }[];
}

const firstLine = (text = ''): string => text.trim().split('\n')[0]!.slice(0, 300);

/** Of a property, also its seed and the case that broke it: without them nobody meets the failure again. */
function messageOf(text = ''): string {
  const lines = text.trim().split('\n').map((line) => line.trim());
  const told = lines.slice(1).filter((line) => /^(\{ seed: |Counterexample: )/.test(line));
  return [firstLine(text), ...told.map((line) => line.slice(0, 3_000))].join(' ');
}

/** Actual result of a failed expectation: the lines of its comparison that were not expected, without colors. */
function received(text = ''): string {
  const plain = stripVTControlCharacters(text);
  const lines = plain.split('\n').filter((line) => /^\+ (?!Received)/.test(line)).map((line) => line.slice(1).trim());
  return lines.filter((line) => /\w/.test(line)).slice(0, 3).join(' ').slice(0, 600);
}

function settle(passed: number, failures: string[], skipped: number, code: number): SuiteReport {
  const named = code !== 0 && failures.length === 0
    ? [`the runner ended with code ${code} and named no test`] : failures;
  return { tally: { passed, failed: named.length }, skipped, failures: named };
}

const noReport = (file: string): SuiteReport =>
  settle(0, [`no report was written to ${path.relative(ROOT, file)}`], 0, 1);

export function readVitestReport(file: string, code: number): SuiteReport {
  if (!existsSync(file)) return noReport(file);
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const failures = report.testResults.filter((result) => result.status === 'failed').flatMap((result) => {
    const name = path.relative(ROOT, result.name ?? '');
    const failed = result.assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be loaded has no failed test of its own.
    if (failed.length === 0) return [`${name}: ${firstLine(result.message)}`];
    return failed.map((test) => `${name} > ${test.fullName}: ${messageOf(test.failureMessages?.[0])}`);
  });
  return settle(report.numPassedTests, failures, report.numPendingTests + report.numTodoTests, code);
}

interface PlaywrightSuite {
  title: string;
  specs: { title: string; ok: boolean; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightTest {
  status: string;
  results: { status?: string; error?: { message?: string; location?: { line: number } };
    errors?: { message?: string }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; skipped: number };
  suites: PlaywrightSuite[];
}

/**
 * Nothing was found wrong, but the time ran out: no wait of a journey takes an eighth of it (playwright.config.ts), so
 * the browser hung. The second attempt is in a new one.
 */
const hung = ({ status, results }: PlaywrightTest): boolean => status === 'flaky' && results.every((result, index) =>
  index === results.length - 1 || (result.status === 'timedOut'
    && !(result.errors ?? []).some(({ message }) => message?.includes('expect('))));

/** Target a click waited for, and the last obstacle: without them a timeout says nothing. */
function waitedFor(text = ''): string {
  const log = stripVTControlCharacters(text).split('Call log:')[1] ?? '';
  const lines = log.split('\n').map((line) => line.replace(/^[\s-]*/, '').trim()).filter((line) => /\w/.test(line));
  return [...new Set([lines[0], lines.at(-1)])].filter(Boolean).join(' … ').slice(0, 400);
}

/**
 * Results of the chosen tests of a suite: `file > group > test (line N): ` and for each message its first line, the
 * actual result and the target waited for.
 */
function endsOf(suite: PlaywrightSuite, under: string, chosen: (test: PlaywrightTest) => boolean): string[] {
  const name = under ? `${under} > ${suite.title}` : suite.title;
  const own = suite.specs.flatMap((spec) => spec.tests.filter(chosen).map(({ results }) => {
    const failed = results.find((result) => result.error);
    const messages = failed?.errors ?? [failed?.error ?? {}];
    const said = messages.slice(0, 3).map(({ message }) =>
      [firstLine(message), received(message), waitedFor(message)].filter(Boolean).join(': '));
    const line = failed?.error?.location?.line;
    return `${name} > ${spec.title}${line ? ` (line ${line})` : ''}: ${said.join(' | ')}`;
  }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => endsOf(inner, name, chosen))];
}

/** A journey that failed and passed at the second attempt is a failure: nobody waits for luck. */
const isFailure = (test: PlaywrightTest): boolean =>
  test.status === 'unexpected' || (test.status === 'flaky' && !hung(test));

/** `hangs`: the journeys whose browser hung, and which passed in a new one. They count as passed. */
export function readPlaywrightReport(file: string, code: number): SuiteReport & { hangs: string[] } {
  if (!existsSync(file)) return { ...noReport(file), hangs: [] };
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  const ends = (chosen: (test: PlaywrightTest) => boolean) => suites.flatMap((suite) => endsOf(suite, '', chosen));
  const hangs = ends(hung);
  return { ...settle(stats.expected + hangs.length, ends(isFailure), stats.skipped, code), hangs };
}
