/** Every report that the overview names stands in the page table, under its address and with its right. */
import { expect, test } from 'vitest';
import { REPORTS } from '#modules/reporting/report-list.ts';
import { pageTable } from './page-table.ts';

test.each(REPORTS)('$title opens with the right that the overview asks for', ({ href, permission }) => {
  const page = pageTable.find((one) => one.path === href);
  expect(page?.load).toBeTruthy();
  expect([page?.permission].flat()).toContain(permission);
});
