import { describe, expect, it } from 'vitest';
import { documentDay, isAfterToday, lastDocumentDay } from './money-day.ts';

describe('the day of money and of documents', () => {
  it('money moves today or before', () => {
    expect(['2026-11-24', '2026-11-25', '2026-11-26'].map((on) => isAfterToday(on, '2026-11-25')))
      .toEqual([false, false, true]);
  });

  it('a document may be 31 days ahead, after a question', () => {
    expect(['2026-11-25', '2026-11-26', '2026-12-26', '2026-12-27'].map((on) => documentDay(on, '2026-11-25')))
      .toEqual(['now', 'ask', 'ask', 'refused']);
    expect(lastDocumentDay('2026-11-25')).toBe('2026-12-26');
  });
});
