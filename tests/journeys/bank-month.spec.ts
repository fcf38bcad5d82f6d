/**
 * A statement of the bank from the file to the report: previewed and imported, suggestions accepted by key, a fee
 * entered by a rule, a receipt found by its number, reconciled to zero (issue 19).
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { money, ofx, type Line } from './ofx.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';

const BOOKS = '/api/admin/staff/accounting';
/** An account of its own with three receipts, two of them easily told, and a rule for its fee. */
async function prepare({ get, send }: Visitor, key: string, day: string) {
  const houses: Body[] = (await get('/api/admin/staff/customers?per_page=100')).data
    .filter((row: Body) => row.default_division === 'US' && row.default_currency === 'USD').slice(0, 2);
  const { data: bank } = await send('POST', `${BOOKS}/banks`, { name: `Month Bank ${key}`, country: 'US' });
  const { data: account } = await send('POST', `${BOOKS}/bank_accounts`, { bank_id: bank.id, division: 'US',
    currency: 'USD', name: `Month ${key}` });
  const receipt = async (house: Body, amount_minor: number): Promise<Body> => (await send('POST', `${BOOKS}/payments`, {
    customer_id: house.id, division: 'US', currency: 'USD', amount_minor, method: 'wire',
    bank_account_id: account.id, received_on: day, duplicate_confirmed: true })).data;
  const wires = [await receipt(houses[0], 431_17), await receipt(houses[1], 972_31)];
  const hidden = await receipt(houses[0], 655_53);
  const { data: fees } = await get(`${BOOKS}/ledger_accounts?search=6100`);
  await send('POST', `${BOOKS}/bank_rules`, { name: `Month fee ${key}`, division: 'US', bank_account_id: account.id,
    direction: 'out', conditions: [{ field: 'text', operator: 'contains', value: `Upkeep ${key}` }], kind: 'entry',
    ledger_account_id: fees.find((row: Body) => row.division === 'US' && row.code === '6100').id });
  const lines: Line[] = [{ minor: 431_17, name: houses[0].name }, { minor: 972_31, name: houses[1].name },
    { minor: -18_00, name: `Upkeep ${key}` }, { minor: 655_53, name: 'Depositor unknown' }];
  return { account: account.id as number, wires, hidden, lines };
}

async function importFile(page: Page, key: string, buffer: Buffer): Promise<void> {
  await page.goto('/admin/banking/statements');
  await settled(page);
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const form = page.getByRole('dialog', { name: 'Import a bank statement' });
  await form.getByLabel('Bank account').click();
  await page.getByRole('option', { name: new RegExp(`Month ${key}`) }).click();
  await form.locator('input[type=file]').setInputFiles({ name: 'month.ofx', mimeType: 'application/octet-stream',
    buffer });
  await expect(form.getByText(`Upkeep ${key}`)).toBeVisible();
  await form.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('4 lines imported')).toBeVisible();
}

/** Two suggestions by Enter, the fee by C and its rule, the last one by F and its receipt's number. */
async function matchAll(page: Page, key: string, of: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  await page.goto(`/admin/banking/matching?bank_account_id=${of.account}`);
  await settled(page);
  const rows = page.getByRole('table', { name: 'Bank lines' }).getByRole('row');
  const open = (text: string) => rows.filter({ hasText: text }).first().click();
  const gone = (text: string) => expect(rows.filter({ hasText: text })).toHaveCount(0);
  for (const [at, wire] of of.wires.entries()) {
    await open(of.lines[at]!.name);
    await expect(page.getByText(wire.number).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await gone(money(of.lines[at]!.minor));
  }
  await open(`Upkeep ${key}`);
  await expect(page.getByText(`the rule Month fee ${key} fills it in`)).toBeVisible();
  await page.keyboard.press('c');
  await expect(page.getByText(`Filled in by the rule Month fee ${key}`)).toBeVisible();
  await page.getByRole('button', { name: 'Create and match' }).click();
  await gone(`Upkeep ${key}`);
  await open('Depositor unknown');
  await expect(page.getByRole('button', { name: 'Find and match' })).toBeVisible();
  await page.keyboard.press('f');
  const find = page.getByRole('dialog', { name: /^Find and match/ });
  await find.getByLabel('Search').fill(of.hidden.number);
  await find.getByRole('checkbox', { name: new RegExp(of.hidden.number) }).check();
  await expect(find.getByText('No difference')).toBeVisible();
  await find.getByRole('button', { name: 'Match', exact: true }).click();
  await gone('Depositor unknown');
}

test('a month at the bank is imported, matched and reconciled to zero', async ({ visitor }) => {
  test.skip(!FULL, 'In the full suite; tests/stories/closing-november.test.ts reconciles in every suite.');
  const admin = await visitor('admin');
  const { page, get } = admin;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
  const key = String(Date.now());
  const made = await prepare(admin, key, day);
  await importFile(page, key, ofx({ day, key, lines: made.lines }));
  await matchAll(page, key, made);

  await page.goto(`/admin/banking/reconciliation?bank_account_id=${made.account}`);
  await settled(page);
  await page.getByRole('button', { name: 'Start reconciliation' }).click();
  await expect(page.getByText(/^Difference .*0\.00$/).first()).toBeVisible();
  await page.keyboard.press('f');
  await page.getByRole('dialog', { name: /^Finish through/ }).getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`Month ${key}`);

  const { data: report } = await get(`${BOOKS}/reconciliations/${/\d+$/.exec(page.url())![0]}`);
  const { data: account } = await get(`${BOOKS}/bank_accounts/${made.account}`);
  expect(report).toMatchObject({ status: 'finished', closing_minor: 2_041_01,
    report: { outstanding: [], unmatched: [], proof: { ledger_minor: 2_041_01, difference_minor: 0 } } });
  expect(account).toMatchObject({ balance_minor: 2_041_01, bank_balance_minor: 2_041_01, unmatched_count: 0 });
  await expect(page.getByText(/^2,041\.01$/).first()).toBeVisible();
});
