import { expect, it } from 'vitest';
import { ANSWER_WORDS, stepsOf } from './run-acts.web.ts';

const all = { cancel: true, reject: true, decide: true };
const labels = (status: string, run: 'approved' | 'exported' | 'posted', acts = all, paid: string | null = null) =>
  stepsOf({ status, paid_anyway_on: paid }, { status: run }, acts).map((step) => step.label);

it('offers the refusal of the bank beside taking out as soon as the bank has the file', () => {
  expect(labels('approved', 'exported')).toEqual(['Take out', 'Rejected by bank']);
  expect(labels('approved', 'approved')).toEqual(['Take out']);
  expect(labels('approved', 'exported', { ...all, cancel: false })).toEqual(['Rejected by bank']);
  expect(labels('approved', 'exported', { ...all, reject: false })).toEqual(['Take out']);
  expect([labels('posted', 'posted'), labels('cleared', 'posted'), labels('void', 'posted')])
    .toEqual([['Record return'], ['Record return'], []]);
  expect(labels('void', 'posted', all, '2026-11-26')).toEqual(['Decide']);
});

it('names the files that answer a run, and none for a wire', () => {
  expect([ANSWER_WORDS.ach?.includes('NACHA'), ANSWER_WORDS.sepa?.includes('pain.002'),
    ANSWER_WORDS.bacs?.includes('pain.002'), ANSWER_WORDS.wire]).toEqual([true, true, false, null]);
});
