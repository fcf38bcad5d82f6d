/** Texts behind the typed fields: money, percent, numbers, times, email entries, file rules. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  minorFromText, minorToEdit, minorToText, numberFromText, scaledFromText, scaledToText,
} from './decimal-text.ts';
import { commitEntry, isEmail } from './email-entry.ts';
import { limitText, MAX_FILE_BYTES, refusal } from './file-rules.ts';
import { shiftTime, timeFromText, timeToText } from './time-text.ts';

describe('money', () => {
  test('text in, minor units out', () => {
    expect(minorFromText('1,234.5', false)).toBe(123_450);
    expect(minorFromText('$ 0.29', false)).toBe(29);
    expect(minorFromText('.5', false)).toBe(50);
    expect(minorFromText('5.', false)).toBe(500);
    expect(minorFromText('(12.00)', true)).toBe(-1200);
    expect(minorFromText('', false)).toBeNull();
    for (const text of ['1.234', 'ten', '1e3', '--5', '10000000000.01', '-1']) {
      expect(minorFromText(text, false)).toBeUndefined();
    }
  });

  test('both forms of every amount read back as the amount', () => {
    fc.assert(fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (minor) => {
      expect(minorFromText(minorToEdit(minor), true)).toBe(minor);
      expect(minorFromText(minorToText(minor), true)).toBe(minor);
    }));
  });
});

describe('percent and numbers', () => {
  test('8.875% is 88,750 ppm', () => {
    expect(scaledFromText('8.875', 4)).toBe(88_750);
    expect(scaledFromText('12.5%', 4)).toBe(125_000);
    expect(scaledToText(88_750, 4)).toBe('8.875');
    expect(scaledToText(0, 4)).toBe('0');
    expect(scaledFromText('0.00001', 4)).toBeUndefined();
    expect(scaledFromText('.', 4)).toBeUndefined();
  });

  test('every scaled value reads back', () => {
    fc.assert(fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 6 }), (value, decimals) => {
      expect(scaledFromText(scaledToText(value, decimals), decimals)).toBe(value);
    }));
  });

  test('[R13] numbers are parsed as decimals, an empty text is null', () => {
    expect(numberFromText('12.5', 2)).toBe(12.5);
    expect(numberFromText('1,200', 0)).toBe(1200);
    expect(numberFromText('', 2)).toBeNull();
    expect(numberFromText('12.5', 0)).toBeUndefined();
  });
});

describe('times', () => {
  test.each([
    ['7:30 PM', '19:30'], ['730p', '19:30'], ['19:30', '19:30'], ['7 pm', '19:00'], ['12 am', '00:00'],
    ['12pm', '12:00'],
  ])('%s is %s', (text, time) => { expect(timeFromText(text)).toBe(time); });
  test.each([['25:00'], ['7:60'], ['13 pm'], ['noon']])('%s is no time', (text) => {
    expect(timeFromText(text)).toBeUndefined();
  });
  test('every minute reads back; a shift stays on the clock', () => {
    fc.assert(fc.property(fc.nat(1439), fc.integer({ min: -3000, max: 3000 }), (minute, shift) => {
      const time = shiftTime('00:00', minute);
      expect(timeFromText(timeToText(time))).toBe(time);
      expect(shiftTime(shiftTime(time, shift), -shift)).toBe(time);
    }));
  });
});

describe('email entries', () => {
  test('[R1] addresses and what is none', () => {
    for (const text of ['a@b.example', 'first.last+tag@sub.domain.org']) expect(isEmail(text)).toBe(true);
    const none = ['a', 'a@b', 'a@@b.c', 'a b@c.d', '@b.c', 'a@b..c', 'a@-b.com'];
    for (const text of none) expect(isEmail(text)).toBe(false);
  });

  test('[R15] [R16] [R17] committing twice adds nothing, whatever the spaces and case', () => {
    const emails = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map((n) => `p${n}@x.example`), { maxLength: 8 });
    fc.assert(fc.property(emails, fc.constantFrom(' ', ', ', ';', '\n'), (list, gap) => {
      const once = commitEntry([], `${gap}${list.join(gap)}${gap}`);
      expect(once).toEqual({ emails: list, rest: '', error: '' });
      expect(commitEntry(once.emails, list.join(gap).toUpperCase()).emails).toEqual(list);
    }));
  });
});

test('files: type and limit are refused in words', () => {
  const limits = { types: ['.pdf', '.png'], maxBytes: MAX_FILE_BYTES };
  expect(limitText(limits)).toBe('PDF or PNG, up to 25 MiB');
  expect(refusal({ name: 'Rider.PDF', size: 5 }, limits)).toBe('');
  expect(refusal({ name: 'x.exe', size: 5 }, limits)).toBe('x.exe is not taken: PDF or PNG, up to 25 MiB');
  expect(refusal({ name: 'x.pdf', size: MAX_FILE_BYTES + 1 }, limits)).toBe('x.pdf is 25.0 MiB; the limit is 25 MiB');
  expect(refusal({ name: 'x.pdf', size: MAX_FILE_BYTES }, limits)).toBe('');
  expect(refusal({ name: 'x.pdf', size: 0 }, limits)).toBe('x.pdf is empty');
});

test('files: a workbook where a CSV is wanted is told the way there, and refused elsewhere like any other', () => {
  const limits = { types: ['.csv', '.txt'], maxBytes: MAX_FILE_BYTES };
  expect(refusal({ name: 'Takings.XLSX', size: 5 }, limits))
    .toBe('Takings.XLSX is a workbook: save its sheet as CSV (UTF-8) in your spreadsheet, then choose that file');
  expect(refusal({ name: 'x.ods', size: 5 }, { ...limits, types: ['.pdf'] }))
    .toBe('x.ods is not taken: PDF, up to 25 MiB');
});
