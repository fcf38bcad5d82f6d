/**
 * What the screens' scores must be (docs/ux-scores.csv, written by tests/journeys/scores.spec.ts): every screen of the
 * page table is scored, nothing that must be there is missing, and each screen's mean is the design's or better.
 */
import { describe, expect, it } from 'vitest';
import { ITEMS, MAIN_LISTS } from '#tests/journeys/score-items.ts';
import scores from '../../../docs/ux-scores.csv?raw';
import { pageTable } from './page-table.ts';

const GATE = 1.6;
const [head = '', ...lines] = scores.trim().split('\n');
const must = new Set<string>(ITEMS.filter(([, , kind]) => kind === 'must').map(([item]) => item));

interface Scored { screen: string; scores: { item: string; score: number }[] }
const screens: Scored[] = lines.map((line) => {
  const [screen = '', ...values] = line.split(',');
  const scores = ITEMS.flatMap(([item], at) => values[at] === '' ? [] : [{ item, score: Number(values[at]) }]);
  return { screen, scores };
});
const ofMust = ({ scores }: Scored): { item: string; score: number }[] => scores.filter(({ item }) => must.has(item));
const mean = (all: { score: number }[]): number => all.reduce((sum, one) => sum + one.score, 0) / all.length;

describe('the checklist of the design on every screen (docs/ux-scores.csv)', () => {
  it('has a line for each screen of the page table and no other', () => {
    const wanted = pageTable.filter((row) => !row.redirectTo && row.path !== '/gallery').map((row) => row.path);
    expect(head).toBe(`screen,${ITEMS.map(([item]) => item).join(',')}`);
    expect(screens.map(({ screen }) => screen).toSorted()).toEqual(wanted.toSorted());
  });

  it('asks of each screen what every screen must have, and of the main lists their views', () => {
    const everywhere = ['U13', 'U15', 'U16', 'U33', 'U34', 'U35', 'U36'];
    const unasked = screens.flatMap(({ screen, scores }) => everywhere
      .filter((item) => !scores.some((one) => one.item === item)).map((item) => `${screen} ${item}`));
    expect(unasked).toEqual([]);
    expect(MAIN_LISTS.filter((path) => !screens.some(({ screen, scores }) => screen === path
      && scores.some(({ item }) => item === 'U8')))).toEqual([]);
  });

  it('misses nothing that must be there', () => {
    expect(screens.flatMap((one) => ofMust(one).filter(({ score }) => score < 1)
      .map(({ item }) => `${one.screen} ${item}`))).toEqual([]);
  });

  it(`has a mean of at least ${GATE} on every screen`, () => {
    expect(screens.filter((one) => mean(ofMust(one)) < GATE).map(({ screen }) => screen)).toEqual([]);
  });
});
