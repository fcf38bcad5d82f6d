/** Tables as a reader sees them: each cell by the heading that stands over it, or beside it on a phone. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './visitor.ts';

export type Cells = Readonly<Record<string, string>>;

/** A row of the table, by any text in it. */
export function rowOf(page: Page, table: string, text: string): Locator {
  return page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
}

/** Cells of the only such row. */
export async function cellsOf(page: Page, table: string, text: string): Promise<Cells> {
  const row = rowOf(page, table, text);
  await expect(row).toHaveCount(1);
  return cellsIn(row);
}

export async function cellsIn(row: Locator): Promise<Cells> {
  const cells = await row.locator('td[data-label]').evaluateAll((found) => found.map((cell) =>
    [cell.getAttribute('data-label') ?? '', cell.textContent.trim()] as const));
  return Object.fromEntries(cells);
}
