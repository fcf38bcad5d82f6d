/**
 * Story 5, the check that bounced, in the browser as far as the bank: three checks are put on a slip and deposited, the
 * statement matches the slip as one line, one check comes back with a charge that is billed on, and the statement
 * matches both. The customer sees 1,025.00 due in the portal. The card that pays it, and the payout, are told by
 * tests/stories/bounced-check.test.ts, since they need jobs.
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { ofx, type Line } from './ofx.ts';
import { choose } from './select.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';
const BOOKS = `${STAFF}/accounting`;
/** Minor units: the check that comes back, and the two beside it on the slip. */
const CHECKS = [100_000, 30_000, 20_000] as const;
const FEE = 2_500;

interface Desk { customer: number; bank: Body; receipts: Body[] }

/** A bank account, three invoices, and a check for each. */
async function setUp({ get, send }: Visitor, customer: Visitor, key: string, day: string): Promise<Desk> {
  const { data: me } = await customer.get('/api/users/me');
  const house: number = me.customers[0].id;
  const others: number[] = (await get(`${STAFF}/customers?per_page=100`)).data.filter((row: Body) =>
    row.default_division === 'US' && row.default_currency === 'USD' && row.id !== house)
    .slice(0, 2).map((row: Body) => row.id);
  const { data: bank } = await send('POST', `${BOOKS}/banks`, { name: `Slip Bank ${key}`, country: 'US' });
  const { data: account } = await send('POST', `${BOOKS}/bank_accounts`, { bank_id: bank.id, division: 'US',
    currency: 'USD', name: `Slips ${key}` });
  const receipts: Body[] = [];
  for (const [at, customer_id] of [house, ...others].entries()) {
    const { data: draft } = await send('POST', `${STAFF}/invoices`, { customer_id, license_id: null, division: 'US',
      currency: 'USD',
      items: [{ kind: 'fee', description: 'License fee', item_class: 'fee', net_minor: CHECKS[at] }] });
    const { data: invoice } = await send('POST', `${STAFF}/invoices/${draft.id}/issue`, { version: draft.version });
    receipts.push((await send('POST', `${BOOKS}/payments`, { customer_id, division: 'US', currency: 'USD',
      amount_minor: CHECKS[at], method: 'check', received_on: day, reference: `Check ${key}${at}`,
      duplicate_confirmed: true, apply_to: [{ invoice_id: invoice.id, amount_minor: CHECKS[at] }] })).data);
  }
  return { customer: house, bank: account, receipts };
}

async function deposit(page: Page, { bank, receipts }: Desk): Promise<string> {
  await page.goto('/admin/banking/deposit-slips/create');
  await settled(page);
  await choose(page, page, 'Bank account', bank.name);
  const items = page.getByRole('group', { name: 'Checks and cash' }).getByRole('checkbox');
  await expect(items.first()).toBeVisible();
  for (const item of await items.all()) {
    const label = await item.evaluate((one: HTMLInputElement) => one.labels?.[0]?.textContent ?? '');
    if (!receipts.some((one) => label.includes(one.number))) await item.uncheck();
  }
  await page.getByRole('button', { name: 'Create slip, USD 1,500.00' }).click();
  await expect(page).toHaveURL(/\/deposit-slips\/\d+$/);
  await page.getByRole('button', { name: 'Record deposit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /deposit/i }).last().click();
  await expect(page.getByRole('button', { name: 'Record deposit' })).toHaveCount(0);
  return (await page.getByRole('heading', { level: 1 }).textContent())!.replace('Deposit slip ', '').trim();
}

/** Imports the lines and accepts what is suggested for each. */
async function matchLines(page: Page, { bank }: Desk, of: { key: string; day: string; opening: number;
  lines: readonly Line[] }): Promise<void> {
  await page.goto('/admin/banking/statements');
  await settled(page);
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const form = page.getByRole('dialog', { name: 'Import a bank statement' });
  await choose(page, form, 'Bank account', bank.name);
  await form.locator('input[type=file]').setInputFiles({ name: 'slips.ofx', mimeType: 'application/octet-stream',
    buffer: ofx(of) });
  await expect(form.getByText(of.lines[0]!.name).first()).toBeVisible();
  await form.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/^\d lines? imported$/)).toBeVisible();
  for (const line of of.lines) {
    await page.goto(`/admin/banking/matching?bank_account_id=${bank.id}`);
    await settled(page);
    const row = page.getByRole('table', { name: 'Bank lines' }).getByRole('row').filter({ hasText: line.name });
    await row.first().click();
    await page.getByRole('button', { name: 'Match', exact: true }).first().click();
    await expect(row).toHaveCount(0);
  }
}

async function takeBack(page: Page, receipt: Body): Promise<void> {
  await page.goto(`/admin/accounts-receivable/payments/${receipt.id}`);
  await settled(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Returned by the bank' }).click();
  const dialog = page.getByRole('dialog', { name: 'Returned by the bank' });
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Insufficient funds');
  await dialog.getByRole('textbox', { name: /^Bank charge/ }).fill('25.00');
  await dialog.getByRole('checkbox', { name: 'Bill the charge to the customer, as an invoice' }).check();
  await dialog.getByRole('textbox').last().fill(receipt.number);
  await dialog.getByRole('button', { name: 'Take the receipt back' }).click();
  await expect(page.getByText('Insufficient funds').first()).toBeVisible();
}

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a check is deposited, comes back and is owed again on ${on}`, async ({ visitor }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/bounced-check.test.ts tells the story in every suite.');
    const [admin, customer] = [await visitor('admin'), await visitor('customer')];
    const { page, get } = admin;
    for (const one of [page, customer.page]) await one.setViewportSize(size);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
    const key = String(Date.now());
    const desk = await setUp(admin, customer, key, day);
    const balance = async (): Promise<Body> => (await get(`${BOOKS}/bank_accounts/${desk.bank.id}`)).data;
    const owed = async (): Promise<number> => (await customer.get(`/api/customers/${desk.customer}/statement`)).data
      .accounts.find((one: Body) => one.currency === 'USD').closing_minor;
    const before = await owed();

    await deposit(page, desk);
    await matchLines(page, desk, { key, day, opening: 0, lines: [{ minor: 150_000, name: `DEPOSIT ${key}` }] });
    expect(await balance()).toMatchObject({ balance_minor: 150_000, unmatched_count: 0 });

    await takeBack(page, desk.receipts[0]);
    await matchLines(page, desk, { key: `${key}r`, day, opening: 150_000, lines: [
      { minor: -CHECKS[0], name: `RETURNED ITEM ${key}` }, { minor: -FEE, name: `RETURN CHARGE ${key}` }] });
    expect(await balance()).toMatchObject({ balance_minor: 47_500, bank_balance_minor: 47_500, unmatched_count: 0 });

    expect(await owed()).toBe(before + CHECKS[0] + FEE);
    await customer.page.goto(`/customer/${desk.customer}/statement`);
    await settled(customer.page);
    await expect(customer.page.getByRole('main')).toContainText('Returned');
  });
}
