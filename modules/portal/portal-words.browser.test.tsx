import { expect, test } from 'vitest';
import { dueText } from './portal-words.web.ts';

test.each([
  ['2026-11-24', 'By Tue, Nov 24'], ['2026-12-21', 'By Dec 21'], ['2027-01-21', 'By Jan 21, 2027'],
  ['2026-11-21', 'Due today'], ['2026-11-20', 'Was due Nov 20'], ['2025-07-06', 'Was due Jul 6, 2025'], [null, ''],
])('on November 21, 2026 what is due on %s reads %s', (day, words) => {
  expect(dueText(day, '2026-11-21')).toBe(words);
});
