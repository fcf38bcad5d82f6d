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

it('says of a property the seed and the case that broke it', () => {
  const message = 'Error: Property failed after 12 tests\n{ seed: 7, path: "11:0", endOnFailure: true }\n'
    + 'Counterexample: [{"minor":9}]\nShrunk 1 time(s)\n  at check (a.js:1)';
  const failed = { ...clean, numFailedTests: 1, testResults: [{ name: `${ROOT}/db/a.test.ts`, status: 'failed',
    assertionResults: [{ status: 'failed', fullName: 'any walk', failureMessages: [message] }] }] };
  expect(readVitestReport(write(failed), 1).failures).toEqual(['db/a.test.ts > any walk: '
    + 'Error: Property failed after 12 tests { seed: 7, path: "11:0", endOnFailure: true } '
    + 'Counterexample: [{"minor":9}]']);
});

it('a runner that failed without a failed test, or left no report, is a failure', () => {
  expect(readVitestReport(write(clean), 1).tally.failed).toBe(1);
  expect(readVitestReport(join(folder, 'none.json'), 0).tally).toEqual({ passed: 0, failed: 1 });
});

type Attempt = { status: string; error?: { message: string }; errors?: { message: string }[] };
const attempt = (status: string, ...messages: string[]): Attempt => {
  const errors = messages.map((message) => ({ message }));
  return { status, errors, ...(errors[0] && { error: errors[0] }) };
};
const passed = attempt('passed');

function journeys(...first: Attempt[]): string {
  const specs = [{ title: 'sells', ok: true, tests: [{ status: 'flaky', results: [...first, passed] }] },
    { title: 'pays', ok: true, tests: [{ status: 'expected', results: [passed] }] }];
  return write({ stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 0 },
    suites: [{ title: 'b.spec.ts', specs: [], suites: [{ title: 'a house', specs }] }] });
}

it('a journey that passed at the second attempt is a failure', () => {
  expect(readPlaywrightReport(journeys(attempt('failed', 'Timed out\nat b')), 0)).toEqual({
    tally: { passed: 4, failed: 1 }, skipped: 0, hangs: [], failures: ['b.spec.ts > a house > sells: Timed out'] });
});

it('a timeout is named with what was waited for, what stood in its way last, and its line', () => {
  const message = 'TimeoutError: locator.click: Timeout 30000ms exceeded.\nCall log:\n'
    + "\u001B[2m  - waiting for getByRole('menuitem', { name: 'Sign out' })\u001B[22m\n"
    + '\u001B[2m    - locator resolved to <a>\u001B[22m\n\u001B[2m    - element is not stable\u001B[22m\n';
  const failed = { status: 'failed', errors: [{ message }], error: { message, location: { line: 7 } } };
  const report = { stats: { expected: 0, skipped: 0 }, suites: [{ title: 'b.spec.ts', specs: [
    { title: 'signs out', ok: false, tests: [{ status: 'unexpected', results: [failed, failed] }] }] }] };
  expect(readPlaywrightReport(write(report), 1).failures).toEqual(['b.spec.ts > signs out (line 7): TimeoutError: '
    + "locator.click: Timeout 30000ms exceeded.: waiting for getByRole('menuitem', { name: 'Sign out' }) … "
    + 'element is not stable']);
});

it('a journey whose browser hung is named with where, and counts by its second attempt', () => {
  const hang = attempt('timedOut', 'Test timeout of 240000ms exceeded.', 'page.evaluate: Test ended.\nat b');
  expect(readPlaywrightReport(journeys(hang), 0)).toEqual({ tally: { passed: 5, failed: 0 }, skipped: 0, failures: [],
    hangs: ['b.spec.ts > a house > sells: Test timeout of 240000ms exceeded. | page.evaluate: Test ended.'] });
});

it('what had found something wrong before its time ran out is a failure', () => {
  const slow = attempt('timedOut', 'expect(received).toEqual(expected)', 'Test timeout of 240000ms exceeded.');
  expect(readPlaywrightReport(journeys(slow), 0)).toMatchObject({ tally: { passed: 4, failed: 1 }, hangs: [] });
});

it('what was found instead of nothing is named', () => {
  const found = attempt('failed', 'Error: axe, light\n\nexpect(received).toEqual(expected)\n\n- Expected  - 1\n'
    + '\u001B[31m+ Received  + 3\u001B[39m\n\n- Array []\n\u001B[31m+ Array [\u001B[39m\n'
    + '\u001B[31m+   "color-contrast at #root",\u001B[39m\n\u001B[31m+ ]\u001B[39m\n');
  expect(readPlaywrightReport(journeys(found), 0).failures).toEqual([
    'b.spec.ts > a house > sells: Error: axe, light: Array [ "color-contrast at #root",']);
});
