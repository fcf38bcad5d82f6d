/** Counts from the test runners' own reports. A runner that fails without a failed test counts as one failure. */
import { existsSync, readFileSync } from 'node:fs';
import type { Tally } from './steps.ts';

interface Counted {
  tally: Tally;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

function settle(passed: number, failed: number, skipped: number, code: number): Counted {
  return { tally: { passed, failed: code !== 0 && failed === 0 ? 1 : failed }, skipped };
}

export function readVitestReport(file: string, code: number): Counted {
  if (!existsSync(file)) return settle(0, 1, 0, code);
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  // A file that could not be loaded has no failed test of its own.
  const broken = report.testResults.filter((result) => result.status === 'failed'
    && !result.assertionResults.some((test) => test.status === 'failed')).length;
  const skipped = report.numPendingTests + report.numTodoTests;
  return settle(report.numPassedTests, report.numFailedTests + broken, skipped, code);
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** A journey that needed a second attempt is a failure: nobody waits for luck. */
export function readPlaywrightReport(file: string, code: number): Counted {
  if (!existsSync(file)) return settle(0, 1, 0, code);
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as PlaywrightReport;
  return settle(stats.expected, stats.unexpected + stats.flaky, stats.skipped, code);
}
