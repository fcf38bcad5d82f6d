/** Days as people type them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bookPeriodInWords } from './calendar.ts';
import { dateFromText, dateToText } from './date-text.ts';

describe('dates', () => {
  const today = '2026-11-21';
  test.each([
    ['3/12/2027', '2027-03-12'], ['03/12/27', '2027-03-12'], ['3/12', '2026-03-12'], ['Mar 12, 2027', '2027-03-12'],
    ['12 March 2027', '2027-03-12'], ['2027-03-12', '2027-03-12'], ['2/29/2028', '2028-02-29'],
    ['sept. 1', '2026-09-01'],
  ])('%s is %s', (text, date) => { expect(dateFromText(text, today)).toBe(date); });

  test.each([['2/29/2027'], ['13/1/2027'], ['31 foo 2027'], ['0/0/0'], ['tomorrow'], ['3/12/202']])(
    '%s is no date', (text) => { expect(dateFromText(text, today)).toBeUndefined(); },
  );

  test.each([
    ['3/12/2027', '2027-12-03'], ['25/12', '2026-12-25'], ['12.3.27', '2027-03-12'], ['2027-03-12', '2027-03-12'],
  ])('%s is %s to a British reader', (text, date) => { expect(dateFromText(text, today, 'en-GB')).toBe(date); });

  test.each(['en-US', 'en-GB'] as const)('every day reads back from its text on screen, %s', (language) => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
    fc.assert(fc.property(day, (at) => {
      const date = at.toISOString().slice(0, 10);
      expect(dateFromText(dateToText(date, language), today, language)).toBe(date);
    }));
  });
});

test('a period of the books is a month in words, the thirteenth the adjustments of its year', () => {
  expect([202_410, 202_401, 202_412, 202_413].map(bookPeriodInWords)).toEqual(['October 2024', 'January 2024',
    'December 2024', 'Adjustments of 2024']);
});
