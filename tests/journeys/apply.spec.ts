/**
 * A school's weekend (stories.md 1, applying): Thursday to Saturday at 7:30 PM and a Saturday matinee at lower prices,
 * with an archival recording. The connection is lost on the way, and nothing that was typed with it.
 */
import type { Page } from '@playwright/test';
import { addDays, dayOfWeek } from '#kernel/calendar/calendar.ts';
import { FULL } from '#tests/support/full.ts';
import { expect, settled, test, type Body } from './visitor.ts';

const SIZES = [{ name: 'a phone', width: 390, height: 844 }, { name: 'a desk', width: 1280, height: 900 }];

/** A Thursday about seven months on; each size its own. */
function thursday(size: number): string {
  const day = addDays(new Date().toISOString().slice(0, 10), 200 + size * 28);
  return addDays(day, (4 - dayOfWeek(day) + 7) % 7);
}

async function chooseWeekend(page: Page, first: string): Promise<void> {
  await page.getByRole('button', { name: 'Enter a weekly run' }).click();
  await page.getByRole('textbox', { name: 'First day' }).fill(first);
  await page.getByRole('textbox', { name: 'Last day' }).fill(addDays(first, 2));
  await page.getByRole('group', { name: 'Matinees' }).getByRole('checkbox', { name: 'Sat' }).check();
  await page.getByRole('button', { name: 'Add four performances' }).click();
  await expect(page.getByRole('heading', { name: 'Four performances' })).toBeVisible();
}

async function enterPrices(page: Page): Promise<void> {
  await page.getByLabel('Seats', { exact: true }).fill('370');
  await page.getByLabel('Price', { exact: true }).fill('12.00');
  await page.getByRole('button', { name: 'Other prices for matinees' }).click();
  await page.getByLabel('Price, matinees').fill('8.00');
  await page.getByLabel('Price, matinees').blur();
}

for (const [index, size] of SIZES.entries()) {
  test(`a school applies for its weekend on ${size.name}`, async ({ visitor }) => {
    test.skip(!FULL, 'In the full suite: first-musical.spec.ts applies on a phone in every suite.');
    const { page, context, get, send } = await visitor('customer');
    await page.setViewportSize(size);
    const { data: me } = await get('/api/users/me');
    const house: number = me.customers[0].id;
    const { data: shows } = await get(`/api/customers/${house}/shows?per_page=100`);
    const show: Body = shows[0];
    const first = thursday(index);
    await page.goto(`/customer/${house}/shows/apply/${show.id}`);
    await settled(page);
    await expect(page.getByText('the price appears here')).toBeVisible();
    await chooseWeekend(page, first);
    await page.getByRole('button', { name: 'Continue to tickets' }).click();
    await expect(page.getByText('Saved, you can finish later')).toBeVisible();
    await context.setOffline(true);
    await enterPrices(page);
    await expect(page.getByText('Waiting for the connection')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('Saved, you can finish later')).toBeVisible();
    await page.getByRole('button', { name: 'Continue to production' }).click();
    await page.getByLabel('Cast size').fill('24');
    await page.getByRole('checkbox', { name: 'Archival recording' }).check();
    await page.getByRole('button', { name: 'Continue to review' }).click();
    await expect(page.getByText('2:00 PM, matinee')).toBeVisible();
    await page.getByRole('button', { name: 'Hand in the application' }).click();
    await expect(page).toHaveURL(/\/applications\/\d+$/);
    const id = Number(/\d+$/.exec(page.url())?.[0]);
    const path = `/api/customers/${house}/license-applications/${id}`;
    const { data: row } = await get(path);
    expect(row.license_venues[0].performances.map((one: Body) => [one.local_date, one.local_time, one.type])).toEqual([
      [first, '19:30', 'public'], [addDays(first, 1), '19:30', 'public'], [addDays(first, 2), '14:00', 'matinee'],
      [addDays(first, 2), '19:30', 'public']]);
    await expect(page.getByText(row.number).first()).toBeVisible();
    await expect(page.getByText('Seats, matinees: 370 at USD 8.00')).toBeVisible();
    await page.goto(`/customer/${house}`);
    await expect(page.getByRole('link', { name: new RegExp(row.number) })).toBeVisible();
    await send('PUT', `${path}/status`, { event: 'withdraw', version: row.version });
  });
}
