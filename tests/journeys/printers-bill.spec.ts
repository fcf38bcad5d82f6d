// cspell:ignore endobj
/**
 * Story 7, a printer's bill, in the browser: its PDF is dropped on Bills and its number is last month's; entered,
 * submitted, approved by an administrator, paid in a run of checks, printed askew once and put on the next number, told
 * to the bank and cleared by the statement; another check is voided. Aging, checks and form 1099 say the same amounts.
 */
import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { FULL } from '#tests/support/full.ts';
import { ofx } from './ofx.ts';
import { choose } from './select.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';
const BOOKS = `${STAFF}/accounting`;
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'
  + '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
  + '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const [LAST_MONTH, PRINTER, TUNER] = [125_000, 4_120_000, 38_000];
const ADDRESS = { country_code: 'US', thoroughfare: '1 Mill Road', premise: '', locality: 'Keene',
  administrative_area: 'NH', postal_code: '03431' };

interface Desk { account: { id: number; name: string; number: string }; printer: Body; tuner: Body; tunerBill: Body }

async function makeVendor({ send }: Visitor, name: string, tin: string): Promise<Body> {
  const { data } = await send('POST', `${STAFF}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    payment_terms_days: 0, tax_form_type: 'w9', tax_1099_category: 'nec', address: ADDRESS,
    remit_to_address: ADDRESS });
  return (await send('PUT', `${STAFF}/vendors/${data.id}/tax_id`, { version: data.version, tin })).data;
}

async function approvedBill({ get, send }: Visitor, second: Visitor, of: { vendor: number; number: string;
  net_minor: number; day: string }): Promise<Body> {
  const { data: choices } = await get(`${BOOKS}/bills/choices?division=US&on=${of.day}`);
  const account = choices.accounts.find((one: Body) => one.code === '6200').id;
  const { data: draft } = await send('POST', `${BOOKS}/bills`, { kind: 'bill', vendor_id: of.vendor, division: 'US',
    currency: 'USD', billed_on: of.day, vendor_number: of.number,
    lines: [{ ledger_account_id: account, description: 'Posters', net_minor: of.net_minor }] });
  const { data: asked } = await send('PUT', `${BOOKS}/bills/${draft.id}/submit`, { version: draft.version });
  return (await second.send('PUT', `${BOOKS}/bills/${draft.id}/approve`, { version: asked.version })).data;
}

/** An account whose checks begin at 1001, last month's bill of the printer, and one of a tuner. */
async function setUp(admin: Visitor, second: Visitor, key: string, day: string): Promise<Desk> {
  const { send } = admin;
  for (const one of [admin, second]) {
    await one.send('POST', '/api/auth/confirm-password', { password: DEMO_PASSWORD });
  }
  const { data: bank } = await send('POST', `${BOOKS}/banks`, { name: `Check Bank ${key}`, country: 'US' });
  const { data: account } = await send('POST', `${BOOKS}/bank_accounts`, { bank_id: bank.id, division: 'US',
    currency: 'USD', name: `Checks ${key}`, next_check_number: 1001 });
  await send('PUT', `${BOOKS}/bank_accounts/${account.id}/number`, { version: account.version, kind: 'us',
    account: key.slice(-8), routing: '121042882' });
  const printer = await makeVendor(admin, `Alder Print ${key}`, `80-7${key.slice(-6)}`);
  const tuner = await makeVendor(admin, `Keene Piano ${key}`, `80-6${key.slice(-6)}`);
  await approvedBill(admin, second, { vendor: printer.id, number: `AP-${key}`, net_minor: LAST_MONTH, day });
  const tunerBill = await approvedBill(admin, second, { vendor: tuner.id, number: '7', net_minor: TUNER, day });
  return { account: { id: account.id, name: account.name, number: key.slice(-8) }, printer, tuner, tunerBill };
}

/** Answers the number the house gave the bill. */
async function enterBill(page: Page, desk: Desk, key: string): Promise<string> {
  await page.goto('/admin/accounting/bills');
  await settled(page);
  await page.locator('input[type=file]').first().setInputFiles({ name: 'bill.pdf', mimeType: 'application/pdf',
    buffer: PDF });
  await expect(page.getByRole('heading', { level: 1, name: 'New bill' })).toBeVisible();
  await expect(page.getByText('Replace the file').first()).toBeVisible();
  await choose(page, page, 'Vendor', desk.printer.name);
  await page.getByLabel('Vendor’s number').fill(`ap ${key}`);
  await choose(page, page, 'Account', '6200');
  await page.getByLabel(/^Description/).first().fill('Posters and programs');
  await page.getByLabel(/^Net/).first().fill('41,200.00');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText('Entered already?')).toBeVisible();
  await page.getByLabel('Vendor’s number').fill(`AP-${key}-B`);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page).toHaveURL(/\/bills\/\d+$/);
  await page.getByRole('button', { name: 'Submit for approval' }).click();
  await expect(page.getByRole('button', { name: /^Approve / })).toBeDisabled();
  return /\d+$/.exec(page.url())![0];
}

/** By the second person, at the same address. */
async function approve(page: Page, address: string, amount: string): Promise<void> {
  await page.goto(address);
  await settled(page);
  await page.getByRole('button', { name: `Approve USD ${amount}` }).click();
  await expect(page.getByRole('button', { name: /^Approve / })).toHaveCount(0);
}

async function makeRun(page: Page, desk: Desk, bills: readonly string[]): Promise<string> {
  await page.goto('/admin/accounts-payable/payment-runs/create');
  await settled(page);
  await choose(page, page, 'Bank account', desk.account.name);
  await choose(page, page, 'Method', 'Check');
  await settled(page);
  await expect(page.getByText('Left afterwards')).toBeVisible();
  // Bills and refunds, and royalties: what is due is ticked at first.
  for (const all of await page.getByRole('checkbox', { name: /^All \d+$/ }).all()) {
    await all.check();
    await all.uncheck();
  }
  for (const bill of bills) await page.getByRole('checkbox', { name: new RegExp(`^${bill}, due`) }).check();
  await page.getByRole('button', { name: 'Create run, USD 42,830.00' }).click();
  await expect(page).toHaveURL(/\/payment-runs\/\d+$/);
  return new URL(page.url()).pathname;
}

async function printChecks(page: Page, desk: Desk): Promise<void> {
  await page.goto('/admin/checking');
  await settled(page);
  await page.getByRole('button', { name: 'Print checks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Print checks' });
  await choose(page, dialog, 'Bank account', desk.account.name);
  await expect(dialog.getByText('The next number of this account is 1001.')).toBeVisible();
  await dialog.getByLabel('Number on the first form').fill('1001');
  await dialog.getByRole('button', { name: 'Print 2' }).click();
  await expect(dialog.getByText(/^1001, 1002\./)).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
}

/** Ends a printed check by an action of its menu, with a reason. */
async function endCheck(page: Page, of: { id: number; action: string; verb: string; reason: string }): Promise<void> {
  await page.goto(`/admin/checking/${of.id}/information`);
  await settled(page);
  await page.getByRole('button', { name: /^Actions of/ }).click();
  await page.getByRole('menuitem', { name: of.action }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill(of.reason);
  await dialog.getByRole('button', { name: of.verb }).click();
  await expect(dialog).toHaveCount(0);
}

/** The file's rows as `I 1002 380.00`. */
async function tellBank(page: Page, desk: Desk): Promise<string[]> {
  await page.goto('/admin/checking');
  await settled(page);
  await page.getByRole('button', { name: 'Actions of checks' }).click();
  await page.getByRole('menuitem', { name: 'Positive pay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Positive pay' });
  await choose(page, dialog, 'Bank account', desk.account.name);
  await dialog.getByRole('button', { name: 'Write file' }).click();
  const file = dialog.getByRole('link').first();
  await expect(dialog.getByText('2 issued, 1 voided')).toBeVisible();
  const answer = await page.request.get((await file.getAttribute('href'))!);
  return (await answer.text()).split('\r\n').filter((row) => row !== '')
    .map((row) => row.split(',').filter((_, at) => [0, 2, 4].includes(at)).join(' '));
}

async function clearCheck(page: Page, { account }: Desk, key: string, day: string): Promise<void> {
  await page.goto('/admin/banking/statements');
  await settled(page);
  await page.getByRole('button', { name: 'Import statement' }).first().click();
  const form = page.getByRole('dialog', { name: 'Import a bank statement' });
  await choose(page, form, 'Bank account', account.name);
  await form.locator('input[type=file]').setInputFiles({ name: 'checks.ofx', mimeType: 'application/octet-stream',
    buffer: ofx({ day, key, account: account.number, lines: [{ minor: -4_245_000, name: 'CHECK 1003' }] }) });
  await form.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('1 line imported')).toBeVisible();
  await page.goto(`/admin/banking/matching?bank_account_id=${account.id}`);
  await settled(page);
  const row = page.getByRole('table', { name: 'Bank lines' }).getByRole('row').filter({ hasText: 'CHECK 1003' });
  if (await row.count() > 0) {
    await row.first().click();
    await page.getByRole('button', { name: 'Match', exact: true }).first().click();
    await expect(row).toHaveCount(0);
  }
}

for (const [on, size] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a printer’s bill is entered, approved, paid by check and cleared on ${on}`, async ({ visitor }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/printers-bill.test.ts tells the story in every suite.');
    const [admin, second] = [await visitor('admin'), await visitor('second')];
    const { page, get } = admin;
    for (const one of [page, second.page]) await one.setViewportSize(size);
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
    const key = String(Date.now());
    const desk = await setUp(admin, second, key, day);
    const aged = async (vendor: Body): Promise<number> => (await get(`${BOOKS}/accounts_payable/aging?division=US`))
      .data.rows.find((row: Body) => row.party_id === vendor.id)?.total_minor ?? 0;

    const bill = await enterBill(page, desk, key);
    expect(await aged(desk.printer)).toBe(LAST_MONTH);
    await approve(second.page, `/admin/accounting/bills/${bill}`, '41,200.00');
    expect(await aged(desk.printer)).toBe(LAST_MONTH + PRINTER);

    const { data: open } = await get(`${BOOKS}/bills?vendor_id=${desk.printer.id}`);
    const run = await makeRun(page, desk, [...open.map((one: Body) => one.number), desk.tunerBill.number]);
    await approve(second.page, run, '42,830.00');
    expect(await aged(desk.printer)).toBe(LAST_MONTH + PRINTER);

    await printChecks(page, desk);
    expect([await aged(desk.printer), await aged(desk.tuner)]).toEqual([0, 0]);
    const checks = async (): Promise<Body[]> => (await get(`${BOOKS}/checks?bank_account_id=${desk.account.id
      }&sort_by=check_number&sort_direction=asc`)).data;
    const of = async (vendor: Body) => (await checks()).find((one) => one.payee === vendor.name
      && one.state === 'printed')!;
    const spoiled = await of(desk.printer);
    await endCheck(page, { id: spoiled.id, action: 'Spoiled: next number', verb: 'Take next number',
      reason: 'Printed askew' });
    await endCheck(page, { id: (await of(desk.tuner)).id, action: 'Void check', verb: 'Void check',
      reason: 'Lost in the mail' });
    expect((await checks()).map((one) => one.check_number)).toEqual(['1001', '1002', '1003']);
    expect(await aged(desk.tuner)).toBe(TUNER);
    const [askew, lost] = spoiled.check_number === '1001' ? ['1001', '1002'] : ['1002', '1001'];
    expect(await tellBank(page, desk)).toEqual([`I ${lost} 380.00`, `C ${lost} 380.00`, 'I 1003 42450.00']);

    await clearCheck(page, desk, key, day);
    expect((await checks()).map((one) => [one.check_number, one.state]).toSorted()).toEqual([
      [askew, 'spoiled'], [lost, 'voided'], ['1003', 'cleared']].toSorted());
    await page.goto(`/admin/finance/taxes-vat/year-end-forms?division=US&year=${day.slice(0, 4)}`);
    await settled(page);
    const form = page.getByRole('row').filter({ hasText: desk.printer.name });
    await expect(form.first()).toContainText('42,450.00');
  });
}
