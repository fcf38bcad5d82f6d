/** A value of a select, by what is typed into its search. */
import { expect, type Locator, type Page } from '@playwright/test';

export async function choose(page: Page, within: Page | Locator, label: string, text: string): Promise<void> {
  // The label of what must be filled in ends with a mark.
  await within.getByLabel(new RegExp(`^${label}`)).first().click();
  const list = page.getByRole('listbox').last();
  await expect(list.getByRole('option').first()).toBeVisible();
  await page.keyboard.type(text);
  await list.getByRole('option', { name: text }).first().click();
}
