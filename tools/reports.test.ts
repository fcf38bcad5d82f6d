import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './reports.ts';
import { ROOT } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'gr-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const clean = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0, testResults: [] };

it('counts tests, and a file that could not be loaded as a failure', () => {
  expect(readVitestReport(write(clean), 0)).toEqual({ tally: { passed: 3, failed: 0 }, skipped: 1, failures: [] });
  const broken = { ...clean, testResults: [{ name: `${ROOT}/a.test.ts`, status: 'failed',
    message: 'No such module\nat x', assertionResults: [] }] };
  expect(readVitestReport(write(broken), 1)).toMatchObject({
    tally: { passed: 3, failed: 1 }, failures: ['a.test.ts: No such module'] });
});

it('names every failed test with the first line of its message', () => {
  const failed = { ...clean, numFailedTests: 1, testResults: [{ name: `${ROOT}/db/a.test.ts`, status: 'failed',
    assertionResults: [{ status: 'passed', fullName: 'one' },
      { status: 'failed', fullName: 'group two', failureMessages: ['expected 1 to be 2\n  at a.test.ts'] }] }] };
  expect(readVitestReport(write(failed), 1)).toMatchObject({
    tally: { passed: 3, failed: 1 }, failures: ['db/a.test.ts > group two: expected 1 to be 2'] });
});

it('a runner that failed without a failed test, or left no report, is a failure', () => {
  expect(readVitestReport(write(clean), 1).tally.failed).toBe(1);
  expect(readVitestReport(join(folder, 'none.json'), 0).tally).toEqual({ passed: 0, failed: 1 });
});

it('a journey that passed at the second attempt is a failure', () => {
  const test = (status: string) => ({ status, results: [{ error: { message: 'Timed out\nat b' } }, {}] });
  const specs = [{ title: 'sells', ok: true, tests: [test('flaky')] },
    { title: 'pays', ok: true, tests: [test('expected')] }];
  const report = write({ stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 0 },
    suites: [{ title: 'b.spec.ts', specs: [], suites: [{ title: 'a house', specs }] }] });
  expect(readPlaywrightReport(report, 0)).toEqual({ tally: { passed: 4, failed: 1 }, skipped: 0,
    failures: ['b.spec.ts > a house > sells: Timed out'] });
});
