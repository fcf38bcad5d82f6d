/**
 * Story 5, the check that bounced, in the browser: three checks are put on a slip and deposited, the statement matches
 * the slip as one line, one check comes back with a charge that is billed on, and the statement matches both. The
 * customer pays 1,025.00 by card in the portal, and her statement of account ends at 0.00. Two days later one payout of
 * four payments, less the fee of the processor, matches a line of the bank. In a house of its own.
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { openHouse, type House } from './house.ts';
import { ofx, type Line } from './ofx.ts';
import { choose } from './select.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';
const BOOKS = `${STAFF}/accounting`;
/** Minor units: the check that comes back, and the two beside it on the slip. */
const CHECKS = [100_000, 30_000, 20_000] as const;
const FEE = 2_500;

/** Three other payments by card, and the part of all four that the processor keeps: 2.9% and 0.30 of each. */
const CARDS = { elm: 20_000, oak: 30_000, pine: 12_000 } as const;
const [FEES, PAID_OUT] = ['48.91', '1,596.09'];

interface Desk { customer: number; bank: { id: number; name: string }; receipts: Body[] }

async function bill({ send }: Visitor, customer_id: number, net_minor: number): Promise<Body> {
  const { data: draft } = await send('POST', `${STAFF}/invoices`, { customer_id, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: 'License fee', item_class: 'fee', net_minor }] });
  return (await send('POST', `${STAFF}/invoices/${draft.id}/issue`, { version: draft.version })).data;
}

/** Three invoices, and a check for each. */
async function setUp(maria: Visitor, { ravenswood, castle, harbor, checking }: House['facts'], day: string):
Promise<Desk> {
  const receipts: Body[] = [];
  for (const [at, customer_id] of [ravenswood!, castle!, harbor!].entries()) {
    const invoice = await bill(maria, customer_id, CHECKS[at]!);
    receipts.push((await maria.send('POST', `${BOOKS}/payments`, { customer_id, division: 'US', currency: 'USD',
      amount_minor: CHECKS[at], method: 'check', received_on: day, reference: `Check ${at}`,
      apply_to: [{ invoice_id: invoice.id, amount_minor: CHECKS[at] }] })).data);
  }
  return { customer: ravenswood!, bank: { id: checking!, name: 'Checking' }, receipts };
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

/** Both documents with one card, from the invoice in the portal to the page of the processor and back. */
async function payByCard(page: Page, customer: number, house: House): Promise<void> {
  await page.goto(`/customer/${customer}/statement`);
  await settled(page);
  await page.getByRole('table', { name: 'Movements in USD' }).getByRole('link').first().click();
  await settled(page);
  await page.getByRole('radio', { name: /card/i }).check();
  await page.getByRole('group', { name: 'Pay these at the same time' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Pay USD 1,025.00' }).click();
  await expect(page.getByText('USD 1,025.00')).toBeVisible();
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/check_payment') && answer.ok());
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  // A call of the page wakes the job that books the payment, and this server waits to be told.
  await asked;
  await house.ask({ ask: 'job', name: 'settle-online-payments' });
  await expect(page.getByText('Thank you, it is paid')).toBeVisible();
}

/** By the same steps without the screens. */
async function payOthers(maria: Visitor, ruth: Visitor, house: House): Promise<void> {
  for (const [name, amount_minor] of Object.entries(CARDS)) {
    const invoice = await bill(maria, house.facts[name]!, amount_minor);
    const path = `/api/customers/${house.facts[name]}/invoices/${invoice.id}`;
    const { data } = await ruth.send('POST', `${path}/pay`, { method: 'card', amount_minor });
    await ruth.context.request.post(data.redirect_to, { form: { how: 'pay' } });
    await ruth.send('POST', `${path}/check_payment`);
  }
  await house.ask({ ask: 'job', name: 'settle-online-payments' });
}

/** Each movement with its amount and the balance, as the customer reads them, without day and number. */
async function readAccount(page: Page, customer: number): Promise<string[]> {
  await page.goto(`/customer/${customer}/statement`);
  await settled(page);
  const rows = page.getByRole('table', { name: 'Movements in USD' }).locator('tbody tr');
  return (await rows.allInnerTexts()).slice(1, -1).map((text) => text.replaceAll(/\s+/g, ' ')
    .replace(/^.*?\d{4} /, '').replace(/ [A-Z]+-US-[\d-]+/, '').replace('minus ', ''));
}

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test.describe(`on ${on}`, () => {
    test.skip(!FULL, 'In the full suite; tests/stories/bounced-check.test.ts tells the story in every suite.');
    let house: House;
    test.beforeAll(async () => { house = await openHouse('check'); });
    test.afterAll(() => house.close());

    test('a check is deposited, comes back and is paid by card', async ({ browser }) => {
      const options = { viewport: size };
      /** Sessions of the day before are over. */
      const begin = async (day: string): Promise<Visitor> => {
        await house.ask({ ask: 'now', at: `${day}T15:00:00Z` });
        return house.enter(browser, 'maria', options);
      };
      let maria = await begin('2026-10-05');
      const desk = await setUp(maria, house.facts, '2026-10-05');
      const balance = async (): Promise<Body> => (await maria.get(`${BOOKS}/bank_accounts/${desk.bank.id}`)).data;

      await deposit(maria.page, desk);
      await matchLines(maria.page, desk, { key: 'a', day: '2026-10-05', opening: 0,
        lines: [{ minor: 150_000, name: 'DEPOSIT' }] });
      expect(await balance()).toMatchObject({ balance_minor: 150_000, unmatched_count: 0 });

      maria = await begin('2026-10-08');
      await takeBack(maria.page, desk.receipts[0]);
      await matchLines(maria.page, desk, { key: 'b', day: '2026-10-08', opening: 150_000, lines: [
        { minor: -CHECKS[0], name: 'RETURNED ITEM' }, { minor: -FEE, name: 'CHARGE' }] });
      expect(await balance()).toMatchObject({ balance_minor: 47_500, bank_balance_minor: 47_500, unmatched_count: 0 });

      maria = await begin('2026-10-12');
      const ruth = await house.enter(browser, 'ruth', options);
      await payByCard(ruth.page, desk.customer, house);
      await payOthers(maria, ruth, house);
      expect(await readAccount(ruth.page, desk.customer)).toEqual(['Invoice 1,000.00 1,000.00',
        'Payment (1,000.00) 0.00', 'Returned payment 1,000.00 1,000.00', 'Invoice 25.00 1,025.00',
        'Payment (1,025.00) 0.00']);
      await expect(ruth.page.getByRole('main')).toContainText('USD 0.00');

      maria = await begin('2026-10-14');
      await house.ask({ ask: 'pay_out', division: 'US', currency: 'usd' });
      await house.ask({ ask: 'job', name: 'read-payouts' });
      await maria.page.goto('/admin/accounts-receivable/payouts?division=US');
      await settled(maria.page);
      const payout = maria.page.getByRole('row').filter({ hasText: PAID_OUT });
      await expect(payout).toContainText(FEES);
      await expect(payout).toContainText('Posted');
      await matchLines(maria.page, desk, { key: 'c', day: '2026-10-14', opening: 47_500,
        lines: [{ minor: 159_609, name: 'STRIPE TRANSFER' }] });
      expect(await balance()).toMatchObject({ balance_minor: 207_109, bank_balance_minor: 207_109,
        unmatched_count: 0 });
      // The charge of the check was billed on: the fee of the cards is what is left.
      await maria.page.goto('/admin/accounting/general-ledger?division=US&account=6100&from=2026-10-01'
        + '&as_of=2026-10-31');
      await settled(maria.page);
      await expect(maria.page.getByRole('main')).toContainText(/Closing\s*48\.91/);
    });
  });
}
