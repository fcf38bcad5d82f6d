/** Counts from the test runners' own reports. A runner that fails without a failed test counts as one failure. */
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { ROOT, type Tally } from './steps.ts';

interface Counted {
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

function settle(passed: number, failures: string[], skipped: number, code: number): Counted {
  const named = code !== 0 && failures.length === 0
    ? [`the runner ended with code ${code} and named no test`] : failures;
  return { tally: { passed, failed: named.length }, skipped, failures: named };
}

const noReport = (file: string): Counted => settle(0, [`no report was written to ${path.relative(ROOT, file)}`], 0, 1);

export function readVitestReport(file: string, code: number): Counted {
  if (!existsSync(file)) return noReport(file);
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  const failures = report.testResults.filter((result) => result.status === 'failed').flatMap((result) => {
    const name = path.relative(ROOT, result.name ?? '');
    const failed = result.assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be loaded has no failed test of its own.
    if (failed.length === 0) return [`${name}: ${firstLine(result.message)}`];
    return failed.map((test) => `${name} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  });
  return settle(report.numPassedTests, failures, report.numPendingTests + report.numTodoTests, code);
}

interface PlaywrightSuite {
  title: string;
  specs: { title: string; ok: boolean; tests: { status: string; results: { error?: { message?: string } }[] }[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport {
  stats: { expected: number; skipped: number };
  suites: PlaywrightSuite[];
}

/** A journey that needed a second attempt is a failure: nobody waits for luck. */
function failedJourneys(suite: PlaywrightSuite, under: string): string[] {
  const name = under ? `${under} > ${suite.title}` : suite.title;
  const own = suite.specs.flatMap((spec) => spec.tests
    .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
    .map(({ results }) => `${name} > ${spec.title}: ${
      firstLine(results.find((result) => result.error)?.error?.message)}`));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failedJourneys(inner, name))];
}

export function readPlaywrightReport(file: string, code: number): Counted {
  if (!existsSync(file)) return noReport(file);
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  return settle(stats.expected, suites.flatMap((suite) => failedJourneys(suite, '')), stats.skipped, code);
}
