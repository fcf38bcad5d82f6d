/** Days and instants in the order and with the clock of American and British readers. */
import { afterEach, describe, expect, it } from 'vitest';
import { setReaderLanguage } from '#kernel/text/english.ts';
import { clockWords } from '#modules/licensing/words.web.ts';
import { daySpan, formatDay, formatDeadline, formatInstant } from './date-text.tsx';
import { timeToText } from '../controls/field/time-text.ts';

const texts = () => [
  formatDay('2027-02-11'), formatDay('2027-02-11', 'short'), formatDay('2027-02-11', 'weekday'),
  formatDay('2027-02-11', 'near'), daySpan('2027-02-11', '2027-02-14'), daySpan('2027-02-27', '2027-03-02'),
  daySpan('2026-12-30', '2027-01-02'), formatInstant('2026-11-12T19:05:00Z', 'America/New_York'),
  formatInstant('2026-11-12T05:05:00Z', 'America/New_York'), timeToText('19:30'), clockWords('00:05'),
];

describe('days and times on screens', () => {
  afterEach(() => setReaderLanguage(() => 'en-US'));

  it('are American by default', () => {
    expect(texts()).toEqual(['Feb 11, 2027', 'Feb 11', 'Thu, Feb 11, 2027', 'Thu, Feb 11', 'Feb 11 to 14, 2027',
      'Feb 27 to Mar 2, 2027', 'Dec 30, 2026 to Jan 2, 2027', 'Nov 12, 2026, 2:05 PM', 'Nov 12, 2026, 12:05 AM',
      '7:30 PM', '12:05 AM']);
  });

  it('of a deadline name the zone', () => {
    expect(formatDeadline('2026-12-01T15:00:00Z', 'America/New_York')).toBe('Dec 1, 2026, 10:00 AM EST');
    expect(formatDeadline(null)).toBe('');
  });

  it('are British for readers of British English', () => {
    setReaderLanguage(() => 'en-GB');
    expect(texts()).toEqual(['11 Feb 2027', '11 Feb', 'Thu 11 Feb 2027', 'Thu 11 Feb', '11 to 14 Feb 2027',
      '27 Feb to 2 Mar 2027', '30 Dec 2026 to 2 Jan 2027', '12 Nov 2026, 2.05pm', '12 Nov 2026, 12.05am', '7.30pm',
      '12.05am']);
  });
});
