/**
 * The golden thread in the browser (issue 2): a house applies, is quoted, signs and pays, and its licence is executed;
 * another whose week was played reports it, staff accepts it, the authors' share is there and the books balance.
 */
import type { Page } from '@playwright/test';
import { PEOPLE, expect, settled, signIn, test, type Visitor } from './visitor.ts';

const STAFF = '/api/admin/staff';

/** The number in the address after `before`. */
function idIn(page: Page, before: string): number {
  return Number(new RegExp(`${before}/(\\d+)`).exec(page.url())?.[1]);
}

/** Two nights in the calendar of the application that nobody else holds. */
async function chooseNights(page: Page): Promise<void> {
  const free = page.getByRole('button', { name: /, free$/ });
  for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Later months' }).click();
  await settled(page);
  await free.nth(3).click();
  await free.nth(3).click();
  await expect(page.getByRole('button', { name: /, your night$/ })).toHaveCount(2);
}

async function applyFor(page: Page, title: string): Promise<number> {
  await page.getByRole('link', { name: 'Shows', exact: true }).first().click();
  await page.getByLabel('Search by title or author').fill(title);
  // Rows move up while the search is answered: a click in that moment meets another one.
  await expect(page).toHaveURL(/[?&]search=/);
  await settled(page);
  await page.getByRole('link', { name: new RegExp(title) }).first().click();
  await page.getByRole('link', { name: 'Apply for this show' }).click();
  await chooseNights(page);
  await page.getByRole('button', { name: 'Continue to tickets' }).click();
  await page.getByLabel(/^Seats/).fill('200');
  // Above the limit of automatic offers: staff decide.
  await page.getByLabel(/^Price/).fill('250.00');
  await page.getByRole('button', { name: 'Continue to production' }).click();
  await page.getByLabel('Cast size').fill('12');
  await page.getByRole('button', { name: 'Continue to review' }).click();
  await page.getByRole('button', { name: 'Hand in the application' }).click();
  await expect(page).toHaveURL(/\/applications\/\d+$/);
  return idIn(page, 'applications');
}

/** From the application to an offer on its way; answers the quote's id. */
async function quoteAndSend(page: Page, applicationId: number): Promise<number> {
  await page.goto(`/admin/applications/${applicationId}/information`);
  await page.getByRole('button', { name: 'Start review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start review' }).click();
  await page.getByRole('button', { name: 'Approve and quote' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create quote' }).click();
  await expect(page).toHaveURL(/\/admin\/quotes\/\d+\/venues/);
  const quoteId = idIn(page, 'quotes');
  await page.goto(`/admin/quotes/${quoteId}/documents`);
  await settled(page);
  const price = page.getByRole('button', { name: 'Price', exact: true });
  if (await price.isVisible()) await price.click();
  await page.getByText('Generate', { exact: true }).click();
  await page.getByRole('button', { name: 'Make the offer' }).click();
  await page.getByRole('button', { name: /^Send offer of [\d,.]+$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByRole('button', { name: 'Record signature' })).toBeVisible();
  return quoteId;
}

async function signOffer(page: Page, house: number, licenseId: number): Promise<void> {
  await page.goto(`/customer/${house}/productions/${licenseId}/quote`);
  await page.getByLabel('Your full name').fill('Ruth Alderman');
  await page.getByLabel('Your title').fill('Producer');
  await page.getByRole('checkbox', { name: /^I have read the offer and its terms/ }).check();
  await page.getByRole('button', { name: /^Sign for / }).click();
  await expect(page.getByText('Signed by Ruth Alderman')).toBeVisible();
}

/** Records in full what the signature has asked for. */
async function recordPayments(staff: Visitor, licenseId: number): Promise<void> {
  const { page } = staff;
  const { data } = await staff.get(`${STAFF}/invoices?license_id=${licenseId}&per_page=100`);
  const asked = (data as { id: number; balance_minor: number }[]).filter((one) => one.balance_minor > 0);
  expect(asked.length, 'invoices asked for by the signature').toBeGreaterThan(0);
  for (const invoice of asked) {
    await page.goto(`/admin/accounts-receivable/invoices/${invoice.id}`);
    await page.getByRole('button', { name: 'Record payment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill('Bank line 118');
    await dialog.getByRole('button', { name: /^Record / }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0);
  }
}

async function expectBalanced(page: Page, division: string): Promise<void> {
  await page.goto(`/admin/accounting/trial-balance?division=${division}`);
  await expect(page.getByText(/^\d+ checks passed$/)).toBeVisible();
}

test('a house applies, is quoted, signs and pays, and its licence is executed', async ({ browser, visitor }) => {
  test.setTimeout(180_000);
  const context = await browser.newContext();
  const portal = await context.newPage();
  const staff = await visitor('admin');
  await signIn(portal, PEOPLE.customer);
  await expect(portal).toHaveURL(/\/customer\/\d+$/);
  const house = idIn(portal, 'customer');

  const applicationId = await applyFor(portal, 'The Importance of Being Earnest');
  const licenseId = await quoteAndSend(staff.page, applicationId);
  await signOffer(portal, house, licenseId);
  await recordPayments(staff, licenseId);

  await staff.page.goto(`/admin/customers/${house}/productions/${licenseId}/checklist`);
  await expect(staff.page.getByText('Licensed', { exact: true }).first()).toBeVisible();
  await portal.goto(`/customer/${house}/productions/${licenseId}/overview`);
  await expect(portal.getByText('Licensed', { exact: true }).first()).toBeVisible();
  await staff.page.goto(`/admin/customers/${house}/productions/${licenseId}/transactions`);
  await settled(staff.page);
  await expectBalanced(staff.page, 'US');
  await context.close();
});

interface Expected { id: number; license_id: number; customer_id: number; period_from: string; division: string }

test('a played week is reported, accepted and shared with the authors', async ({ browser, visitor }) => {
  test.setTimeout(180_000);
  const staff = await visitor('admin');
  const today = new Date().toISOString().slice(0, 10);
  const { data } = await staff.get(`${STAFF}/box_office_reports?status=expected&per_page=100`);
  const due = (data as (Expected & { customer_name: string; due_on: string })[])
    .filter((one) => one.customer_name === 'Calder Touring Company' && one.due_on < today)
    .toSorted((a, b) => b.due_on.localeCompare(a.due_on))[0]!;
  const before = await accrualsOf(staff, due.license_id);

  const context = await browser.newContext();
  const portal = await context.newPage();
  await signIn(portal, 'producer@calder.example');
  await expect(portal).toHaveURL(new RegExp(`/customer/${due.customer_id}$`));
  await portal.goto(`/customer/${due.customer_id}/productions/${due.license_id}/box-office`);
  await portal.getByRole('button', { name: /^Report .*\d/ }).first().click();
  const nights = portal.getByRole('group');
  await expect(nights.first()).toBeVisible();
  for (let night = 0; night < await nights.count(); night += 1) {
    await nights.nth(night).getByLabel('Seats sold').fill('180');
    await nights.nth(night).getByLabel('Gross receipts').fill('9,000.00');
  }
  await portal.getByLabel('Your full name').fill('Niall Calder');
  await portal.getByRole('button', { name: 'Certify and send' }).click();
  await expect(portal.getByText('With us').or(portal.getByText('We have a question')).first()).toBeVisible();

  const { page } = staff;
  await page.goto(`/admin/customers/${due.customer_id}/productions/${due.license_id}/box-office`);
  await page.getByRole('row').filter({ hasText: 'Submitted' }).getByRole('link').or(
    page.getByRole('row').filter({ hasText: 'Submitted' })).first().click();
  await page.getByRole('button', { name: /^Accept [\d,.]+$/ }).click();
  await expect(page.getByRole('button', { name: /^Accept / })).toHaveCount(0);
  expect(await accrualsOf(staff, due.license_id), 'shares of the authors').toBeGreaterThan(before);
  await expectBalanced(page, due.division);
  await context.close();
});

async function accrualsOf(staff: Visitor, licenseId: number): Promise<number> {
  return (await staff.get(`${STAFF}/royalty_accruals?license_id=${licenseId}`)).meta.total as number;
}
