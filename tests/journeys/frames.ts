/** Kinds of pages, where `npm test` opens one of each. */
import type { PageRow } from '#kit/page.ts';

/** Pages without a frame stand for themselves; within a frame a record has more around its screen than a list. */
export const frameOf = ({ area, path }: PageRow): string =>
  /^\/(account|select|set-up)/.test(path) ? path
    : `${area}, ${path.includes('/:') ? 'with a record' : 'without a record'}`;

/** '/admin/plays/:/materials' for '/admin/plays/:id/materials/:materialId'. */
export const kindOf = ({ path }: PageRow): string => path.replaceAll(/:\w+/g, ':').split('/').slice(0, -1).join('/');

/**
 * Rows with another address for the screen of a record that is among them: a play and a musical, a quote and the
 * production it became. Every other pair keeps its second address, so both kinds of address are opened.
 */
export function twinsOf<Row extends PageRow>(rows: readonly Row[]): Set<Row> {
  const screens = Map.groupBy(rows.filter(({ load, path }) => load && path.includes('/:')), ({ load }) => String(load));
  return new Set([...screens.values()].flatMap((same, place) => same.filter((_row, k) => k !== place % same.length)));
}

/** The first row of each kind. */
export const oneOfEach = <Row extends PageRow>(rows: readonly Row[], kindOf: (row: Row) => string): Row[] =>
  [...new Map(rows.toReversed().map((row) => [kindOf(row), row])).values()].toReversed();
