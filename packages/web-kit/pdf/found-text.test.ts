import { describe, expect, it } from 'vitest';
import { findIn, piecesOf, textOf, type TextRun } from './found-text.ts';

const runs: TextRun[] = [
  { str: 'Performance ', hasEOL: false }, { str: 'licence', hasEOL: true }, { str: '', hasEOL: true },
  { str: 'agreement for the Performance', hasEOL: false },
];

describe('words in the pages of a PDF', () => {
  const page = textOf(runs);

  it('are found whatever their capitals, on every page, in their order', () => {
    expect(findIn([page, 'no', 'performance'], 'PERFORMANCE'))
      .toEqual([{ page: 0, at: 0, length: 11 }, { page: 0, at: 39, length: 11 }, { page: 2, at: 0, length: 11 }]);
  });

  it('are found over the end of a line, and marked in each of its runs', () => {
    const [find] = findIn(['Performance licence agreement'], ' licence  agreement ');
    expect(find).toEqual({ page: 0, at: 12, length: 17 });
    expect(piecesOf([{ str: 'Performance licence', hasEOL: true }, { str: 'agreement', hasEOL: false }], find!))
      .toEqual([{ run: 0, from: 12, to: 19 }, { run: 1, from: 0, to: 9 }]);
  });

  it('nothing is found for nothing', () => {
    expect(findIn([page], '   ')).toEqual([]);
    expect(findIn([page], 'royalty')).toEqual([]);
  });

  it('a find inside one run touches no other', () => {
    expect(piecesOf(runs, { at: 39, length: 11 })).toEqual([{ run: 3, from: 18, to: 29 }]);
  });
});
