/**
 * Story 2, fifteen per cent, in the browser: staff send the offer, Miriam signs it on the portal; the deposit is
 * received, the takings are reported, accepted, billed and owed. Offer, contract, receipt, invoice, portal, aging, VAT
 * return and the author's statement say the figures of tests/support/fifteen.ts.
 */
import type { Page } from '@playwright/test';
import { FULL } from '#tests/support/full.ts';
import { NIGHTS } from '#tests/support/fifteen.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

const main = (page: Page) => page.getByRole('main');

/** Text of the PDF that a link or button of the page leads to. */
async function paper({ context }: Visitor, path: string): Promise<string> {
  return pdfText(await (await context.request.get(path)).body());
}

async function sendOffer(page: Page, licence: number): Promise<void> {
  await open(page, `/admin/quotes/${licence}/documents`);
  await page.getByText('Generate', { exact: true }).click();
  await page.getByRole('button', { name: 'Make the offer' }).click();
  await page.getByRole('button', { name: 'Send offer of 576.00, plus 15% of gross' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByRole('button', { name: 'Record signature' })).toBeVisible();
}

async function sign({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/quote`);
  for (const words of ['15% of gross', 'GBP 80.00 per performance', 'Example', 'GBP 500.00 on account']) {
    await expect(main(page)).toContainText(words);
  }
  await page.getByLabel('Your full name').fill('Miriam Cole');
  await page.getByLabel('Your title').fill('Head of drama');
  await page.getByRole('checkbox', { name: /GBP 500\.00 on signing, plus 15% of gross/ }).check();
  await page.getByRole('button', { name: 'Sign: GBP 500.00 now' }).click();
  await expect(page.getByText('Signed by Miriam Cole')).toBeVisible();
}

/** Answers the text of the VAT receipt. */
async function receiveDeposit(maria: Visitor): Promise<string> {
  const { page } = maria;
  await open(page, '/admin/accounts-receivable/payments?division=UK');
  await page.getByRole('button', { name: 'Record receipt' }).first().click();
  const dialog = page.getByRole('dialog');
  await choose(page, dialog, 'Customer', 'St Bede');
  await dialog.getByRole('checkbox', { name: /^Deposit .*GBP 500\.00/ }).check();
  await dialog.getByRole('textbox', { name: /^Received on/ }).fill('09/25/2026');
  await dialog.getByRole('button', { name: 'Record GBP 500.00' }).click();
  await expect(page).toHaveURL(/\/payments\/\d+$/);
  await expect(main(page)).toContainText('Held as deposit');
  return paper(maria, `${STAFF}/accounting/payments/${/\d+$/.exec(page.url())![0]}/document`);
}

/** Amounts of boxes of a quarter, as the page shows them. */
async function boxes(page: Page, from: string, to: string): Promise<(number: string) => Promise<string>> {
  await open(page, `/admin/finance/taxes-vat/uk-vat?division=UK&from=${from}&to=${to}`);
  return (number) => main(page).getByRole('row').filter({ has: page.getByRole('cell', { name: number, exact: true }) })
    .first().innerText();
}

async function report({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/box-office`);
  await page.getByRole('button', { name: /^Report/ }).first().click();
  const nights = page.getByRole('group');
  await expect(nights).toHaveCount(NIGHTS.length);
  for (const night of await nights.all()) {
    await night.getByLabel('Seats sold').fill('256');
    await night.getByLabel('Takings').fill('2,668.00');
  }
  await expect(main(page)).toContainText('16,008.00');
  await page.getByLabel('Your full name').fill('Miriam Cole');
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await expect(page.getByText('With us').first()).toBeVisible();
}

async function accept({ page }: Visitor, production: string): Promise<void> {
  await open(page, `${production}/box-office`);
  const submitted = page.getByRole('row').filter({ hasText: 'Submitted' });
  await submitted.getByRole('link').or(submitted).first().click();
  await page.getByRole('button', { name: /^Accept [\d,.]+$/ }).click();
  await expect(page.getByRole('button', { name: /^Accept / })).toHaveCount(0);
}

/** The statement of the author that is made of the takings, as staff read it. */
async function statementOf({ send, page }: Visitor, author: number): Promise<void> {
  const { data: run } = await send('POST', `${STAFF}/royalty_statement_runs`, { division: 'UK', currency: 'GBP',
    period_from: '2026-10-01', period_to: '2026-12-31', royaltor_ids: [author] });
  await open(page, `/admin/sales-and-royalties/statements/${run.statements[0].id}`);
  await expect(main(page)).toContainText('1,680.84');
  await main(page).getByRole('button', { name: /The Cloister Bell|Royalty/ }).first().click();
  await expect(page.locator('body')).toContainText('2,401.20');
}

async function play(house: House, enter: (name: string) => Promise<Visitor>): Promise<void> {
  const { licence, house: customer, author } = house.facts as Record<'licence' | 'house' | 'author', number>;
  const home = `/customer/${customer}/productions/${licence}`;
  const production = `/admin/customers/${customer}/productions/${licence}`;
  let [maria, miriam] = [await enter('maria'), await enter('miriam')];
  await sendOffer(maria.page, licence);
  await sign(miriam, home);
  const { data: documents } = await maria.get(`${STAFF}/licenses/${licence}/license_documents`);
  const contract = documents.find((one: Body) => one.type === 'production_contract');
  const text = await paper(maria, `${STAFF}/licenses/${licence}/license_documents/${contract.id}/file`);
  for (const words of ['15% of gross', 'GBP 80.00 per performance', 'Example']) expect(text).toContain(words);

  await house.ask({ ask: 'now', at: '2026-09-25T10:00:00Z' });
  maria = await enter('maria');
  const receipt = await receiveDeposit(maria);
  for (const words of ['VAT receipt', '416.67', '83.33', '500.00']) expect(receipt).toContain(words);

  await house.ask({ ask: 'now', at: '2026-10-19T10:00:00Z' });
  await house.ask({ ask: 'job', name: 'license-clocks' });
  [maria, miriam] = [await enter('maria'), await enter('miriam')];
  await report(miriam, home);
  await accept(maria, production);

  const { data: [invoice] } = await maria.get(`${STAFF}/invoices?license_id=${licence}&kind=invoice`);
  const bill = await paper(maria, `${STAFF}/invoices/${invoice.id}/document`);
  for (const words of ['gross 16,008.00', '15% is 2,401.20, minimum 480.00', 'Total 2,401.20 480.24 GBP 2,881.44',
    'Less paid on account -416.67 -83.33 -500.00', 'Due 1,984.53 396.91 GBP 2,381.44']) expect(bill).toContain(words);
  await open(miriam.page, `/customer/${customer}/transactions`);
  await expect(main(miriam.page)).toContainText('2,381.44');
  await open(maria.page, '/admin/accounts-receivable/aging?division=UK');
  await expect(main(maria.page)).toContainText('St Bede’s School Drama');
  await expect(main(maria.page)).toContainText('2,381.44');

  const summer = await boxes(maria.page, '2026-07-01', '2026-09-30');
  expect([await summer('1'), await summer('6')]).toEqual([expect.stringContaining('83.33'),
    expect.stringContaining('416')]);
  const autumn = await boxes(maria.page, '2026-10-01', '2026-12-31');
  expect([await autumn('1'), await autumn('6')]).toEqual([expect.stringContaining('396.91'),
    expect.stringContaining('1,984')]);
  await house.ask({ ask: 'now', at: '2027-01-05T10:00:00Z' });
  await statementOf(await enter('maria'), author);
}

for (const [on, viewport] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a school’s fifteen per cent are promised, reported, billed and shared on ${on}`, async ({ browser }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/fifteen-per-cent.test.ts tells the story in every suite.');
    const house = await openHouse('fifteen');
    try {
      await play(house, (name) => house.enter(browser, name, { viewport }));
    } finally {
      await house.close();
    }
  });
}
