/**
 * Every screen scored by the design's checklist (docs/ux-scores.csv). Asked for only, since it takes half an hour:
 * `SCORES=docs/ux-scores.csv playwright test scores.spec` writes the scores and SCORES with `.notes` what was found.
 * apps/web/src/ux-scores.test.ts holds what they must be.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pageTable } from '#apps/web/src/page-table.ts';
import { addressOf } from './places.ts';
import { ITEMS, type Scores } from './score-items.ts';
import { scoresOf } from './scores.ts';
import { expect, readerOf, test } from './visitor.ts';

const file = process.env.SCORES;
const HEAD = `screen,${ITEMS.map(([item]) => item).join(',')}`;

const linesOf = (): string[] =>
  existsSync(file!) ? readFileSync(file!, 'utf8').split('\n').slice(1).filter(Boolean) : [];

/** In the order of the page table, whichever worker looked at a screen; again if another one wrote meanwhile. */
function write(path: string, scores: Scores): void {
  const line = [path, ...ITEMS.map(([item]) => scores[item] ?? '')].join(',');
  do {
    const lines = new Map(linesOf().map((one) => [one.slice(0, one.indexOf(',')), one]));
    lines.set(path, line);
    const order = pageTable.flatMap((row) => lines.get(row.path) ?? []);
    writeFileSync(file!, `${[HEAD, ...order].join('\n')}\n`);
  } while (!linesOf().includes(line));
}

test.describe('scores', () => {
  test.skip(file === undefined, 'asked for only: SCORES names the file');
  for (const row of pageTable) {
    if (row.redirectTo || row.path === '/gallery') continue;
    test(row.path, async ({ visitor }) => {
      const address = await addressOf(await visitor('admin'), row);
      const { page } = await visitor(readerOf(row));
      const notes: string[] = [];
      const scores = await scoresOf({ page, row, address, notes });
      write(row.path, scores);
      if (notes.length > 0) appendFileSync(`${file}.notes`, `${row.path}\n  ${notes.join('\n  ')}\n`);
      expect(Object.keys(scores).length).toBeGreaterThan(4);
    });
  }
});
