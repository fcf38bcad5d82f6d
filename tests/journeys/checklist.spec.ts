/**
 * A screen of each kind by the design's checklist (U1 to U38), as far as a browser can see it: what must be there is
 * there. It belongs to `npm run test:full`; alone: `TEST_FULL=1 playwright test checklist.spec`. EVERY_SCREEN=1 asks
 * each screen of the page table, which takes half an hour.
 */
import { pageTable } from '#apps/web/src/page-table.ts';
import { scoresOf } from './checklist.ts';
import { EVERYWHERE, ITEMS, MAIN_LISTS, type Item } from './checklist-items.ts';
import { kindOf, oneOfEach } from './frames.ts';
import { addressOf } from './places.ts';
import { expect, readerOf, test } from './visitor.ts';

const MUST: ReadonlySet<string> = new Set(ITEMS.filter(([, , kind]) => kind === 'must').map(([item]) => item));
/** Of a screen: the mean over what must be there, where 1 works and 2 is as the design asks. */
const LEAST_MEAN = 1.6;
const wordsOf = (item: string): string => `${item} ${ITEMS.find(([known]) => known === item)?.[1] ?? ''}`;

const screens = pageTable.filter((row) => !row.redirectTo && row.path !== '/gallery');
const ofEachKind = new Set(oneOfEach(screens, kindOf));
const isAsked = (row: (typeof screens)[number]): boolean =>
  process.env.EVERY_SCREEN !== undefined || ofEachKind.has(row) || MAIN_LISTS.includes(row.path);

test.describe('the checklist of the design', () => {
  for (const row of screens.filter(isAsked)) {
    test(row.path, async ({ visitor }) => {
      const address = await addressOf(await visitor('admin'), row);
      const { page } = await visitor(readerOf(row));
      const notes: string[] = [];
      const scores = await scoresOf({ page, row, address, notes });
      const asked: readonly Item[] = MAIN_LISTS.includes(row.path) ? [...EVERYWHERE, 'U8'] : EVERYWHERE;
      expect.soft(asked.filter((item) => !(item in scores)).map(wordsOf), 'not asked for').toEqual([]);
      const must = Object.entries(scores).filter(([item]) => MUST.has(item));
      const missing = must.filter(([, score]) => score === 0);
      expect.soft(missing.map(([item]) => wordsOf(item)), notes.join('\n')).toEqual([]);
      const mean = must.reduce((sum, [, score]) => sum + score, 0) / must.length;
      expect(mean, notes.join('\n')).toBeGreaterThanOrEqual(LEAST_MEAN);
    });
  }
});
