/** Books that should be here: how late they are stands where the state does, and the house wants them first of all. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { addDays } from '#kernel/calendar/calendar.ts';
import { staged } from '#web/controls/stage.tsx';
import { today } from '#web/data/local-day.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { inOrder } from './perusal-page.web.tsx';
import { daysLate, PerusalBadge, untilWords } from './perusal-words.web.tsx';
import type { PerusalRow } from './perusal.contract.ts';

const lent = (status: PerusalRow['status'], ago: number) => ({ status, due_back_on: addDays(today(), -ago),
  expires_at: null, returned_on: null });

test.each([['due', 27, '27 days late'], ['shipped', 1, '1 day late'], ['due', 0, 'Due back'],
  ['shipped', -3, 'Shipped'], ['returned', 27, 'Returned'], ['lost_charged', 27, 'Lost, charged']] as const)(
  '%s and due %i days ago: %s', async (status, ago, words) => {
    await staged(<PerusalBadge perusal={lent(status, ago)} />);
    await expect.element(page.getByText(words, { exact: true })).toBeVisible();
  });

test('says the day in the past once it is over, and not before', () => {
  expect(untilWords(lent('due', 2))).toBe(`was due back ${formatDay(addDays(today(), -2))}`);
  expect(untilWords(lent('due', 0))).toBe(`due back ${formatDay(today())}`);
});

test('reading on the screen is never late: it ends by itself', () => {
  expect(daysLate({ status: 'active', due_back_on: null })).toBe(0);
});

test('late books are scanned in before more time is given; otherwise the order of the table holds', () => {
  const allowed = ['extend', 'return', 'charge_lost'] as const;
  expect(inOrder({ ...lent('due', 3), allowed: [...allowed] })).toEqual(['return', 'extend', 'charge_lost']);
  expect(inOrder({ ...lent('due', 0), allowed: [...allowed] })).toEqual(allowed);
});
