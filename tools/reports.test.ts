import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'gr-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const clean = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };

it('counts tests, and a file that could not be loaded as a failure', () => {
  expect(readVitestReport(write(clean), 0)).toEqual({ tally: { passed: 3, failed: 0 }, skipped: 1 });
  const broken = { ...clean, testResults: [{ status: 'failed', assertionResults: [] }] };
  expect(readVitestReport(write(broken), 1).tally).toEqual({ passed: 3, failed: 1 });
});

it('a runner that failed without a failed test, or left no report, is a failure', () => {
  expect(readVitestReport(write(clean), 1).tally.failed).toBe(1);
  expect(readVitestReport(join(folder, 'none.json'), 0).tally).toEqual({ passed: 0, failed: 1 });
});

it('a journey that passed at the second attempt is a failure', () => {
  const report = write({ stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 0 } });
  expect(readPlaywrightReport(report, 0).tally).toEqual({ passed: 4, failed: 1 });
});
