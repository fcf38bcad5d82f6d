/**
 * The pages that tests/journeys/pages.spec.ts opens: every row of the page table, since the journeys walk this very
 * list. A page that is added is opened by the next run; one that cannot be opened fails it.
 */
import { pageTable } from '#apps/web/src/page-table.ts';

export function coveredPaths(): string[] {
  return pageTable.map((page) => page.path);
}
