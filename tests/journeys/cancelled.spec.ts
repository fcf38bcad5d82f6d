/**
 * Story 4, it will not happen, in the browser: Hugh sees what cancelling costs before he asks; Theo approves a waiver,
 * Maria sees its effect and cancels without it; the credit is refunded by a payment run of two people and a BACS file.
 * Portal, office, file and ledger say the figures of tests/support/society.ts: 1,050.00 goes back, 150.00 stays.
 */
import type { Page } from '@playwright/test';
import { readBacs } from '#tests/support/bank-files.ts';
import { FULL } from '#tests/support/full.ts';
import { openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const BOOKS = '/api/admin/staff/accounting';
const REASON = 'The hall is closed';

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

const main = (page: Page) => page.getByRole('main');

async function askToCancel({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/performances`);
  await page.getByRole('button', { name: 'Ask to cancel' }).click();
  const dialog = page.getByRole('dialog');
  for (const words of ['Credited 875.00', 'Kept 150.00', 'We keep GBP 150.00', 'GBP 175.00 of tax',
    'GBP 1,050.00 that you paid stands to your credit']) await expect(dialog).toContainText(words);
  await dialog.getByLabel(/^Why/).fill(REASON);
  await dialog.getByRole('button', { name: 'Send the request' }).click();
  await expect(dialog).toHaveCount(0);
}

async function openCancelling({ page }: Visitor, production: string): Promise<void> {
  await open(page, `${production}/transactions`);
  await page.getByRole('button', { name: /More|Actions/ }).first().click();
  await page.getByRole('menuitem', { name: 'Cancel' }).click();
  await expect(sums(page)).toContainText('150.00');
}

const sums = (page: Page) => page.getByRole('dialog').getByRole('row').filter({ hasText: 'Sum' });

async function approveWaiver({ page }: Visitor): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve a waiver' }).click();
  await dialog.getByLabel(/^Amount waived/).fill('10.00');
  await dialog.getByLabel(/^Reason for the waiver/).fill('A member died');
  await dialog.getByRole('button', { name: 'Approve waiver' }).click();
  await expect(dialog).toContainText('You approved that GBP 10.00 is waived. Another person has to cancel');
}

async function cancel({ page }: Visitor): Promise<void> {
  const dialog = page.getByRole('dialog');
  const waiver = dialog.getByRole('checkbox', { name: 'Waive GBP 10.00, approved by Theo Marsh: A member died' });
  await waiver.check();
  await expect(sums(page)).toContainText('140.00');
  await waiver.uncheck();
  await expect(sums(page)).toContainText('150.00');
  await dialog.getByLabel('Reason').last().fill(REASON);
  await dialog.getByRole('button', { name: 'Cancel production' }).click();
  await expect(main(page).getByRole('row').filter({ hasText: 'Credit note' }).first()).toBeVisible();
}

/** Each receipt with money left on it; a second person approves. */
async function refund(maria: Visitor, theo: Visitor, customer: number): Promise<void> {
  const { data } = await maria.get(`${BOOKS}/payments?customer_id=${customer}`);
  for (const receipt of data.filter((one: Body) => one.unapplied_minor > 0)) {
    const { page } = maria;
    await open(page, `/admin/accounts-receivable/payments/${receipt.id}`);
    await page.getByRole('button', { name: /^More/ }).first().click();
    await page.getByRole('menuitem', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).fill(REASON);
    await dialog.getByRole('button', { name: /^Refund GBP/ }).click();
    await expect(dialog).toHaveCount(0);
  }
  const { data: refunds } = await maria.get(`${BOOKS}/payments?customer_id=${customer}&kind=refund`);
  for (const one of refunds) {
    await open(theo.page, `/admin/accounts-receivable/payments/${one.id}`);
    await theo.page.getByRole('button', { name: /^Approve/ }).click();
    const dialog = theo.page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Approve/ }).click();
    await expect(dialog).toHaveCount(0);
  }
}

/** Answers the address of the run, whose file is written. */
async function payOut(maria: Visitor, theo: Visitor): Promise<string> {
  const { page } = maria;
  await open(page, '/admin/accounts-payable/payment-runs/create');
  await choose(page, page, 'Bank account', '4958');
  await choose(page, page, 'Method', 'BACS');
  await page.getByRole('textbox', { name: /^Value date/ }).fill('08/24/2026');
  await page.getByRole('textbox', { name: /^Value date/ }).blur();
  await settled(page);
  await expect(main(page)).toContainText('Maidstone Operatic Society');
  await page.getByRole('button', { name: 'Create run, GBP 1,050.00' }).click();
  await expect(page).toHaveURL(/\/payment-runs\/\d+$/);
  const address = new URL(page.url()).pathname;
  await open(theo.page, address);
  await theo.page.getByRole('button', { name: 'Approve GBP 1,050.00' }).click();
  await expect(theo.page.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
  await open(page, address);
  await page.getByRole('button', { name: 'Write the file' }).click();
  await expect(main(page)).toContainText('File for the bank');
  await expect(main(page)).toContainText('GBP 1,050.00');
  return address;
}

async function play(house: House, enter: (name: string) => Promise<Visitor>): Promise<void> {
  const { licence, house: customer } = house.facts as Record<'licence' | 'house', number>;
  const production = `/admin/customers/${customer}/productions/${licence}`;
  const [hugh, theo, maria] = [await enter('hugh'), await enter('theo'), await enter('maria')];
  await askToCancel(hugh, `/customer/${customer}/productions/${licence}`);
  await openCancelling(theo, production);
  await approveWaiver(theo);
  await openCancelling(maria, production);
  await cancel(maria);
  await open(hugh.page, `/customer/${customer}/transactions`);
  await expect(main(hugh.page)).toContainText('1,050.00');

  await refund(maria, theo, customer);
  const run = await payOut(maria, theo);
  const file = await maria.context.request.get(`${BOOKS}/payment_runs/${/\d+$/.exec(run)![0]}/file`);
  const bacs = readBacs((await file.body()).toString());
  expect(bacs.payments.reduce((all, one) => all + one.minor, 0)).toBe(105_000);

  await house.ask({ ask: 'now', at: '2026-08-24T10:00:00Z' });
  await house.ask({ ask: 'job', name: 'post-payment-runs' });
  const later = await enter('maria');
  await open(later.page, run);
  await expect(main(later.page)).toContainText('Posted');
  const { data: trial } = await later.get(`${BOOKS}/trial_balance?division=UK&as_of=2026-12-31`);
  const closing = (code: string): number => trial.rows.find((row: Body) => row.code === code)?.closing_minor ?? 0;
  expect(['1000', '1100', '2160', '2200', '2300', '4100'].map(closing)).toEqual([15_000, 0, 0, 0, 0, -15_000]);
}

for (const [on, viewport] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a production is called off, credited and refunded on ${on}`, async ({ browser }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/cancelled.test.ts tells the story in every suite.');
    const house = await openHouse('society');
    try {
      await play(house, (name) => house.enter(browser, name, { viewport }));
    } finally {
      await house.close();
    }
  });
}
