import { describe, expect, it } from 'vitest';
import { addOnDays, entitledUntil, whyNoDownload, whyNoUse, type DownloadFacts } from './download-access.ts';

const OPEN: DownloadFacts = { phase: 'licensed', on_hold: false, opens_on: '2026-03-01',
  closes_on: entitledUntil('2026-04-30', 14), today: '2026-03-01', limit: 2, used: 0 };

describe('a file of a licence', () => {
  it.each([
    ['its first day', {}, null], ['the day before', { today: '2026-02-28' }, 'not_open'],
    ['the last day of grace', { today: '2026-05-14' }, null], ['the day after', { today: '2026-05-15' }, 'over'],
    ['the last time', { used: 1 }, null], ['once too often', { used: 2 }, 'used_up'],
    ['a signed licence', { phase: 'accepted' }, 'not_valid'], ['a cancelled one', { phase: 'cancelled' }, 'cancelled'],
    ['one on hold', { on_hold: true }, 'on_hold'], ['a closed one in its time', { phase: 'closed' }, null],
    ['no dates at all', { opens_on: null, closes_on: null }, null],
  ] as const)('on %s', (_what, change, code) => {
    expect(whyNoDownload({ ...OPEN, ...change })?.code ?? null).toBe(code);
  });

  it('says why in words', () => {
    expect(whyNoDownload({ ...OPEN, limit: 1, used: 1 })?.message).toContain('downloaded once');
    expect(whyNoDownload({ ...OPEN, today: '2026-01-01' })?.message).toContain('March 1, 2026');
  });
});

describe('an add-on of a licence', () => {
  const run = { first_performance_on: '2026-04-01', last_performance_on: '2026-04-30', ship_on: '2026-02-10' };

  it('is worked with from the shipping day, streamed from the first night, and ends so long after the last', () => {
    expect(addOnDays({ kind: 'rehearsal_tracks', grace_days: 14 }, run))
      .toEqual({ opens_on: '2026-02-10', closes_on: '2026-05-14' });
    expect(addOnDays({ kind: 'streaming_license', grace_days: 0 }, run))
      .toEqual({ opens_on: '2026-04-01', closes_on: '2026-04-30' });
    expect(addOnDays({ kind: 'streaming_license', grace_days: 3 }, { ...run, last_performance_on: null }).closes_on)
      .toBeNull();
  });

  it('ends with the licence and rests while that is on hold', () => {
    expect(whyNoUse(OPEN)).toBeNull();
    expect(whyNoUse({ ...OPEN, phase: 'cancelled' })?.message).toContain('its add-ons ended with it');
    expect(whyNoUse({ ...OPEN, on_hold: true })?.code).toBe('on_hold');
    expect(whyNoUse({ ...OPEN, today: '2026-05-15' })?.message).toBe('The time to use it ended on May 14, 2026.');
  });
});
