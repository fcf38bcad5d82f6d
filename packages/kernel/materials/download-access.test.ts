import { describe, expect, it } from 'vitest';
import { whyNoDownload, type DownloadFacts } from './download-access.ts';

const OPEN: DownloadFacts = { phase: 'licensed', on_hold: false, opens_on: '2026-03-01',
  last_performance_on: '2026-04-30', today: '2026-03-01', limit: 2, used: 0 };

describe('a file of a licence', () => {
  it.each([
    ['its first day', {}, null], ['the day before', { today: '2026-02-28' }, 'not_open'],
    ['the last day of grace', { today: '2026-05-14' }, null], ['the day after', { today: '2026-05-15' }, 'over'],
    ['the last time', { used: 1 }, null], ['once too often', { used: 2 }, 'used_up'],
    ['a signed licence', { phase: 'accepted' }, 'not_valid'], ['a cancelled one', { phase: 'cancelled' }, 'cancelled'],
    ['one on hold', { on_hold: true }, 'on_hold'], ['a closed one in its time', { phase: 'closed' }, null],
    ['no dates at all', { opens_on: null, last_performance_on: null }, null],
  ] as const)('on %s', (_what, change, code) => {
    expect(whyNoDownload({ ...OPEN, ...change })?.code ?? null).toBe(code);
  });

  it('says why in words', () => {
    expect(whyNoDownload({ ...OPEN, limit: 1, used: 1 })?.message).toContain('downloaded once');
    expect(whyNoDownload({ ...OPEN, today: '2026-01-01' })?.message).toContain('1 March 2026');
  });
});
