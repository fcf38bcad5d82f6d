/**
 * The catalog without an account, on a phone: from the country to dates, price and the way to apply. Neither cookie nor
 * storage, one small script, and the same answers without it.
 */
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { faultsOfAxe } from './axe.ts';
import { expect, givePassword, PEOPLE, test } from './visitor.ts';
import { zoomingFields } from './widths.ts';

const PHONE = { viewport: { width: 390, height: 844 } };
const SCRIPT_LIMIT = 130 * 1000;

async function toFirstShow(page: Page): Promise<void> {
  await page.goto('/shows');
  await page.getByLabel('Country of the performances').selectOption('US');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page).toHaveURL(/\/shows\?country=US$/);
  await page.getByLabel('Title or author').fill('Lamplighter');
  await page.getByRole('button', { name: 'Find shows' }).click();
  await page.getByRole('link', { name: /Lamplighter/ }).click();
  await expect(page).toHaveURL(/\/shows\/LAMPLIGHT\?country=US$/);
}

async function askPrice(page: Page): Promise<string> {
  await page.getByLabel('Seats', { exact: true }).fill('300');
  await page.getByLabel('Average ticket (USD)').fill('25');
  await page.getByLabel('Performances', { exact: true }).fill('4');
  await page.getByRole('button', { name: 'Estimate the price' }).click();
  const sum = page.getByRole('row', { name: /Before tax/ });
  await expect(sum).toBeVisible();
  return sum.innerText();
}

async function fits(page: Page): Promise<void> {
  expect(await faultsOfAxe(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  expect(await zoomingFields(page), 'fields a phone zooms into').toEqual([]);
}

test('a visitor finds a show, asks for dates and price, and applies: no cookie, little script', async ({ browser }) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  let script = 0;
  page.on('response', (answer) => {
    if (answer.request().resourceType() !== 'script') return;
    void answer.body().then((body) => { script += brotliCompressSync(body).length; }).catch(() => undefined);
  });
  await page.goto('/shows');
  await fits(page);
  await toFirstShow(page);
  await fits(page);
  const price = await askPrice(page);
  expect(page.url()).toMatch(/country=US$/);
  const year = new Date().getFullYear() + 2;
  await page.getByLabel('First performance').fill(`${year}-04-01`);
  await page.getByLabel('Last performance').fill(`${year}-04-03`);
  await page.getByLabel('ZIP code of the venue').fill('00000');
  await page.getByRole('button', { name: 'Check dates' }).click();
  await expect(page.locator('#dates').getByRole('status')).toHaveText(/^(Free|Ask us|Not available)/);
  await fits(page);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  expect(script).toBeLessThan(SCRIPT_LIMIT);
  process.stdout.write(`script of the public pages: ${script} bytes brotli\n`);

  const plain = await browser.newContext({ ...PHONE, javaScriptEnabled: false });
  const bare = await plain.newPage();
  await toFirstShow(bare);
  expect(await askPrice(bare)).toBe(price);
  await plain.close();

  await page.getByRole('link', { name: 'Apply', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await givePassword(page, PEOPLE.customer);
  await page.getByRole('link', { name: 'Apply for Astoria Community Players' }).click();
  await expect(page).toHaveURL(/\/customer\/\d+\/shows\/apply\/\d+/);
  await context.close();
});

test('contact, terms and privacy fit a phone, in both schemes', async ({ browser }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ ...PHONE, colorScheme });
    const page = await context.newPage();
    for (const path of ['/contact', '/terms?country=GB', '/privacy', '/shows?country=GB',
      '/shows/LAMPLIGHT?country=GB']) {
      await page.goto(path);
      await fits(page);
    }
    await context.close();
  }
});
