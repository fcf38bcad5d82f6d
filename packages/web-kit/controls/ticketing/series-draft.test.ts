import { expect, test } from 'vitest';
import { NEW_SERIES, rowsOfSeries, toggled } from './series-draft.ts';

const run = { ...NEW_SERIES, from: '2027-03-11', to: '2027-03-13' };

test('a weekly run is evenings and matinees of the chosen weekdays', () => {
  expect(rowsOfSeries({ ...run, matinees: [6] })).toEqual({ rows: [
    { local_date: '2027-03-11', local_time: '19:30', type: 'public' },
    { local_date: '2027-03-12', local_time: '19:30', type: 'public' },
    { local_date: '2027-03-13', local_time: '14:00', type: 'matinee' },
    { local_date: '2027-03-13', local_time: '19:30', type: 'public' }] });
});

test('a run without weekdays, days or a time says what is missing', () => {
  expect(rowsOfSeries({ ...run, evenings: [] })).toMatchObject({ text: 'Choose at least one weekday' });
  expect(rowsOfSeries({ ...run, to: null })).toMatchObject({ text: 'Enter the first and the last day' });
  expect(rowsOfSeries({ ...run, evening_time: null })).toMatchObject({
    text: 'Enter a time for each kind of performance' });
});

test('a weekday is chosen and taken back', () => {
  expect(toggled([4, 6], 5, true)).toEqual([4, 5, 6]);
  expect(toggled([4, 5], 5, false)).toEqual([4]);
});
