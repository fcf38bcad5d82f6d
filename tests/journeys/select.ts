/** A value of a select, by what is typed into its search. */
import type { Locator, Page } from '@playwright/test';

export async function choose(page: Page, within: Page | Locator, label: string, text: string): Promise<void> {
  await within.getByLabel(label, { exact: true }).click();
  await page.getByRole('combobox').last().fill(text);
  await page.getByRole('option', { name: text }).first().click();
}
