/** Late items of a checklist: a task due today is not late, and nothing is once the license is over. */
import { expect, it } from 'vitest';
import type { ChecklistRow } from './checklist.contract.ts';
import { countLate } from './late-items.web.ts';

const item = (due_on: string | null, status: ChecklistRow['status'] = 'open') =>
  ({ due_on, status }) as unknown as ChecklistRow;
const items = [item('2026-11-24'), item('2026-11-25'), item(null), item('2026-11-01', 'done'),
  item('2026-11-01', 'waived')];

it('counts what is open after its day', () => {
  expect(countLate(items, 'accepted', '2026-11-25')).toBe(1);
  expect(countLate(items, 'accepted', '2026-11-26')).toBe(2);
});

it.each(['closed', 'declined', 'cancelled', 'expired'])('counts nothing once a licence is %s', (phase) => {
  expect(countLate(items, phase, '2026-11-26')).toBe(0);
});
