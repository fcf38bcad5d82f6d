/**
 * Story 1, a school's first musical, in the browser: without an account Dana finds the show, its dates and its price;
 * she registers the school and its tax exemption, applies on her phone, loses the connection and goes on at her desk
 * (or on the phone). Maria gives 15% off, which Theo approves; the principal signs; the purchase order makes the
 * license valid; the deposit comes by check; the books are shipped and followed; a performance is added. Estimate,
 * offer, letter, contract, invoice and ledger say the figures of tests/support/musical.ts. Staff sit at a desk.
 */
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { FULL } from '#tests/support/full.ts';
import { COPIES, HALL, WEEKEND } from '#tests/support/musical.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { begin, claimExemption, find, finish, mailed, main, open, paper, pdf, register, says, SECRET, STAFF, welcome,
} from './first-musical.ts';
import { addressOf, openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { confirmIdentity, expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const DESK = { width: 1280, height: 900 };

/** Review, quote, discount by Maria; Theo approves in the inbox. */
async function answer(maria: Visitor, theo: Visitor): Promise<void> {
  const { page } = maria;
  const dialog = page.getByRole('dialog');
  await open(page, '/admin');
  await page.getByRole('link', { name: /A-US-2026-000001/ }).click();
  await settled(page);
  await page.getByRole('button', { name: 'Start review' }).click();
  await dialog.getByRole('button', { name: 'Start review' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve and quote' }).click();
  await dialog.getByRole('button', { name: 'Create quote' }).click();
  await expect(page).toHaveURL(/\/admin\/quotes\/1\//);
  await expect(page.getByRole('button', { name: 'Send offer of 1,879.00' })).toBeVisible();
  await open(page, '/admin/quotes/1/price');
  // The show has no price for film and stream: what is taken off is declined, and the offer may go out.
  await page.getByRole('button', { name: 'Materials, add-ons, fees' }).click();
  for (const right of ['Archival recording', 'Streaming']) {
    await dialog.getByRole('button', { name: `Remove ${right}` }).click();
  }
  await dialog.getByLabel('Reason').fill('No film and no stream of this show');
  await dialog.getByRole('button', { name: 'Save charges' }).click();
  await expect(dialog).toHaveCount(0);
  // The hall has as many seats: attendance is checked, so that a box-office report is asked for.
  await open(page, '/admin/quotes/1/terms');
  await page.getByLabel('Average seats at most').fill(String(HALL));
  await page.getByRole('button', { name: 'Save terms' }).click();
  await expect(page.getByRole('button', { name: 'Undo changes' })).toHaveCount(0);
  await open(page, '/admin/quotes/1/price');
  await page.getByRole('button', { name: 'Discount', exact: true }).click();
  await dialog.getByLabel('Discount', { exact: true }).fill('15');
  await dialog.getByLabel(/^Reason for the customer/).fill('First production');
  await dialog.getByLabel('Internal reason').fill(`${SECRET} from another house`);
  for (const words of ['396.00 × 4', '1,584.00', '(237.60)', '1,641.40']) await expect(dialog).toContainText(words);
  await dialog.getByRole('button', { name: 'Save discount' }).click();
  await expect(dialog).toHaveCount(0);
  await says(page, 'awaiting approval');
  await open(theo.page, '/admin');
  await theo.page.getByRole('link', { name: /approvals? waiting/ }).click();
  const row = theo.page.getByRole('row').filter({ hasText: 'Wayne High School' });
  await expect(row).toContainText(SECRET);
  await row.getByRole('button', { name: 'Approve' }).click();
  await expect(row).toHaveCount(0);
}

async function sendOffer(maria: Visitor, house: House): Promise<void> {
  const { page } = maria;
  await open(page, '/admin/quotes/1/documents');
  const preview = await paper(maria, `${STAFF}/licenses/1/preview-pdf`);
  expect(preview).toContain('1,641.40');
  expect(preview).not.toContain(SECRET);
  await page.getByText('Generate', { exact: true }).click();
  await page.getByRole('button', { name: 'Make the offer' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Quote letter' })).toBeVisible();
  await page.getByRole('button', { name: 'Send offer of 1,641.40' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Covering note').fill('We are glad that your first musical is ours.');
  await dialog.getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByRole('button', { name: 'Record signature' })).toBeVisible();
  expect(await mailed(house, 'dana', 'Your quote for The Paper Moon')).toBe('/customer/1/productions/1/quote');
  const { data } = await maria.get(`${STAFF}/licenses/1/license_documents`);
  for (const { type, id } of data.filter((one: Body) => /quote_letter|production_contract/.test(one.type))) {
    const text = await paper(maria, `${STAFF}/licenses/1/license_documents/${id}/file`);
    for (const words of ['Performances 4 396.00 1,584.00', 'Discount 15% (237.60)', '1,346.40', '295.00', '1,641.40',
      '400.00']) expect.soft(text, type).toContain(words);
    expect.soft(text, type).not.toContain(SECRET);
    if (type === 'production_contract') expect.soft(text).toContain(`may not exceed ${HALL} seats`);
  }
}

/** Dana reads the offer and invites the principal, who has the right to sign. */
async function invite({ page }: Visitor, home: string, house: House): Promise<string> {
  await open(page, `${home}/productions/1/quote`);
  await says(page, 'A note from Maria Hill', 'your first musical is ours', '396.00 × 4 performances', '1,584.00',
    'Discount 15%', '(237.60)', '1,641.40', '400.00', 'performances on stage, in the English language');
  expect(await page.content()).not.toContain(SECRET);
  await open(page, `${home}/users`);
  await page.getByLabel('Email').fill(addressOf('paul'));
  await page.getByRole('radio', { name: /^Signer/ }).check();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await confirmIdentity(page);
  await expect(main(page)).toContainText('good until');
  return mailed(house, 'paul', 'Wayne High School invites you');
}

async function join({ page }: Visitor, address: string): Promise<void> {
  await open(page, address);
  await page.getByLabel('First name').fill('Paul');
  await page.getByLabel('Last name').fill('Reyes');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Join Wayne High School' }).click();
  await expect(page).toHaveURL(/\/customer\/1$/);
  await settled(page);
}

async function sign(paul: Visitor, maria: Visitor, house: House): Promise<void> {
  const { page } = paul;
  await page.getByRole('link', { name: 'Read and sign' }).click();
  await settled(page);
  await page.getByLabel('Your full name').fill('Paul Reyes');
  await page.getByLabel('Your title').fill('Principal');
  await page.getByRole('checkbox', { name: /USD 1,641\.40 in all, and a refundable deposit of USD 400\.00/ }).check();
  await page.getByRole('button', { name: 'Sign for USD 1,641.40' }).click();
  await expect(page.getByText('Signed by Paul Reyes')).toBeVisible();
  expect(await mailed(house, 'dana', 'Signed: The Paper Moon')).toBe('/customer/1/productions/1/documents');
  const { data } = await maria.get(`${STAFF}/licenses/1/license_documents`);
  const signed = data.find((one: Body) => one.type === 'signed_contract');
  const bytes = async ({ context }: Visitor, path: string): Promise<Buffer> =>
    (await context.request.get(path)).body();
  const ours = await bytes(maria, `${STAFF}/licenses/1/license_documents/${signed.id}/file`);
  expect((await bytes(paul, `/api/customers/1/licenses/1/documents/${signed.id}`)).equals(ours)).toBe(true);
  const text = await pdfText(ours);
  for (const words of ['Paul Reyes', 'Principal', 'SHA-256', '1,641.40']) expect.soft(text).toContain(words);
}

async function order({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/productions/1/invoices`);
  await says(page, 'To pay now', 'USD 400.00');
  await main(page).getByRole('link', { name: 'Pay the deposit of USD 400.00' }).click();
  await says(page, 'It is yours, and is returned after the production', 'Paying by check: make it out to');
  await expect.soft(main(page)).not.toContainText('once you sign');
  await open(page, home);
  await page.getByRole('link', { name: /^Upload/ }).filter({ visible: true }).first().click();
  await settled(page);
  await page.getByLabel('Note').fill('PO-4711');
  await page.locator('input[type=file]').first().setInputFiles(pdf('PO-4711.pdf'));
  await expect(main(page)).toContainText('from Dana Whitfield');
}

async function execute(maria: Visitor, house: House): Promise<void> {
  const { page } = maria;
  await open(page, '/admin/quotes/1/checklist');
  await says(page, 'a document was uploaded (purchase order)');
  await page.getByRole('button', { name: 'Execute' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Purchase order number/).fill('PO-4711');
  await dialog.getByRole('button', { name: 'Execute license' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Materials ordered. SO-1001: 20 pieces, ships December 31, '
    + '2026. Due back by March 20, 2027.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Amend', exact: true })).toBeVisible();
  expect(await mailed(house, 'dana', 'You may announce The Paper Moon')).toBe('/customer/1/productions/1/overview');
  const { data: [invoice] } = await maria.get(`${STAFF}/invoices?license_id=1&kind=invoice`);
  const text = await paper(maria, `${STAFF}/invoices/${invoice.id}/document`);
  for (const words of ['Purchase order PO-4711', 'Tax exemption certificate OH-4471',
    'Total 1,641.40 0.00 USD 1,641.40',
    'performances 4 × 396.00 = 1,584.00, discount 15% (237.60)']) expect.soft(text).toContain(words);
}

/** The check of 400.00 is recorded and taken to the bank. */
async function depositCheck({ page }: Visitor): Promise<void> {
  await open(page, '/admin/accounts-receivable/payments?division=US');
  await page.getByRole('button', { name: 'Record receipt' }).first().click();
  const dialog = page.getByRole('dialog');
  await choose(page, dialog, 'Customer', 'Wayne');
  await dialog.getByRole('checkbox', { name: /^Deposit .*USD 400\.00/ }).check();
  await choose(page, dialog, 'Payment method', 'Check');
  await dialog.getByLabel('Reference').fill('1088');
  await dialog.getByRole('textbox', { name: /^Received on/ }).fill('11/26/2026');
  await dialog.getByRole('button', { name: 'Record USD 400.00' }).click();
  await expect(page).toHaveURL(/\/payments\/\d+$/);
  await says(page, 'Held as deposit', '1010 Undeposited funds');
  await open(page, '/admin/banking/deposit-slips/create');
  await choose(page, page, 'Bank account', 'Checking');
  await page.getByRole('button', { name: 'Create slip, USD 400.00' }).click();
  await expect(page).toHaveURL(/\/deposit-slips\/\d+$/);
  await page.getByRole('button', { name: 'Record deposit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /deposit/i }).last().click();
  await expect(page.getByRole('button', { name: 'Record deposit' })).toHaveCount(0);
}

async function balances({ get }: Visitor, on: string, ...codes: string[]): Promise<number[]> {
  const { data } = await get(`${STAFF}/accounting/trial_balance?division=US&as_of=${on}`);
  return codes.map((code) => data.rows.find((row: Body) => row.code === code)?.closing_minor ?? 0);
}

/** Executing has ordered them. */
async function readOrder({ page }: Visitor): Promise<void> {
  await open(page, '/admin/customers/1/productions/1/sales-order');
  const row = page.getByRole('row').filter({ hasText: 'SO-1001' });
  // 70 days before the opening; a week after the last performance, as the contract says.
  for (const words of ['Dec 31, 2026', 'Mar 20, 2027']) await expect(row).toContainText(words);
}

const ORDER = '/admin/sales-and-royalties/sales-orders/1';

async function shipBooks({ page }: Visitor): Promise<void> {
  const dialog = page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await open(page, ORDER);
  await button('Release').click();
  await button('Pick').click();
  await dialog.getByRole('button', { name: 'All without a label' }).click();
  await dialog.getByRole('button', { name: 'Pick', exact: true }).click();
  await button('Pack').click();
  await button('Ship').click();
  await choose(page, dialog, 'Carrier', 'UPS');
  await dialog.getByLabel(/^Tracking/).fill('1Z999AA10123456784');
  await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await says(page, 'Shipped', 'UPS, 1Z999AA10123456784', 'Mar 20, 2027');
}

async function follow({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/productions/1/materials`);
  await says(page, 'On its way', '1Z999AA10123456784', `${COPIES} pieces by Mar 20, 2027`, `${COPIES} × Vocal book`);
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.getByRole('button', { name: /Download/ }).click()]);
  expect(download.suggestedFilename()).toMatch(/^Full score, L-US-2026-\d+\.pdf$/);
}

/** A Friday matinee: 396.00 less 15% is 336.60; nothing stands in its way, so that it is done at once. */
async function addPerformance({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/productions/1/performances`);
  await page.getByRole('button', { name: 'Ask for a change' }).click();
  await page.getByRole('button', { name: 'Add a performance' }).click();
  await page.getByRole('textbox', { name: /^Day/ }).last().fill('03/12/2027');
  await page.getByLabel(/^Curtain/).last().fill('14:00');
  await page.getByRole('button', { name: 'See price' }).click();
  await says(page, '1,346.40 to 1,683.00', '336.60');
  await page.getByLabel(/^Why/).fill('The town asked for one more');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await expect(page.getByRole('button', { name: 'Ask for a change' })).toBeVisible();
}

async function signAddendum({ page }: Visitor, address: string): Promise<void> {
  await open(page, address);
  await says(page, '396.00 × 5 performances', '1,980.00', '(297.00)', '1,978.00');
  await page.getByLabel('Your full name').fill('Paul Reyes');
  await page.getByRole('checkbox', { name: /I have read the addendum/ }).check();
  await page.getByRole('button', { name: 'Sign the addendum' }).click();
  await expect(page.getByText('Signed by Paul Reyes')).toBeVisible();
}

/** Five performances in one report; nothing more is due, since no more seats were sold than the hall has. */
async function reportTakings({ page }: Visitor, home: string): Promise<void> {
  await open(page, home);
  await says(page, 'Report the box office of The Paper Moon');
  await open(page, `${home}/productions/1/box-office`);
  await page.getByRole('button', { name: /^Report/ }).first().click();
  const nights = page.getByRole('group');
  await expect(nights).toHaveCount(WEEKEND.length + 1);
  for (const night of await nights.all()) {
    await night.getByLabel('Seats sold').fill('300');
    await night.getByLabel('Gross receipts').fill('3,160.00');
  }
  await says(page, '15,800.00');
  await page.getByLabel('Your full name').fill('Dana Whitfield');
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await expect(page.getByText('With us').first()).toBeVisible();
}

async function acceptTakings({ page, get }: Visitor): Promise<void> {
  await open(page, '/admin/customers/1/productions/1/box-office');
  const row = page.getByRole('row').filter({ hasText: 'Submitted' });
  await expect(row).toContainText('15,800.00');
  await row.getByRole('link').or(row).first().click();
  await page.getByRole('button', { name: /^Accept/ }).click();
  await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
  const { data } = await get(`${STAFF}/invoices?license_id=1&kind=invoice`);
  expect(data.map((one: Body) => one.total_minor).sort()).toEqual([164_140, 33_660]);
}

/** Nineteen of the books are back; the one that is missing is billed at what a new one costs. */
async function returnBooks({ page }: Visitor): Promise<void> {
  const dialog = page.getByRole('dialog');
  await open(page, ORDER);
  await page.getByRole('button', { name: 'Scan in returns', exact: true }).click();
  await dialog.getByLabel('Pieces of Vocal book').fill(String(COPIES - 1));
  await dialog.getByRole('button', { name: 'Scan in returns' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'Charge what is missing' }).click();
  await expect(dialog).toContainText('1 piece is billed at its replacement price');
  await dialog.getByRole('button', { name: 'Charge what is missing' }).click();
  await expect(dialog).toHaveCount(0);
}

/** 40.00 of the deposit pay for the book, 360.00 go back once Theo has approved it. */
async function settleDeposit({ page }: Visitor, theo: Visitor, dana: Visitor): Promise<void> {
  const dialog = page.getByRole('dialog');
  await open(page, '/admin/customers/1/productions/1/transactions');
  await page.getByRole('button', { name: 'Settle', exact: true }).click();
  await dialog.getByLabel(/^Give back/).first().fill('360.00');
  await dialog.getByLabel('Apply to an invoice').fill('40.00');
  await dialog.getByLabel('Invoice', { exact: true }).click();
  await page.getByRole('option').filter({ hasText: 'USD 40.00 open' }).click();
  await dialog.getByRole('button', { name: 'Settle USD 400.00' }).click();
  await expect(dialog).toHaveCount(0);
  await open(dana.page, STATEMENT);
  await says(dana.page, 'Deposit to be refunded');

  await open(theo.page, '/admin/approvals');
  await theo.page.getByRole('row').filter({ hasText: 'Refund: Wayne High School' })
    .getByRole('button', { name: 'Approve' }).click();
  await theo.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(theo.page.getByText('Nothing to approve')).toBeVisible();
}

const STATEMENT = '/customer/1/statement?from=2026-11-01&to=2027-03-31';

/** Sent from the bank that day; the statement of account says what a bursar asks, in eight lines. */
async function payBack({ page }: Visitor, dana: Visitor): Promise<void> {
  await open(page, '/admin/accounts-receivable/payments/2');
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Post USD 360.00' }).click();
  await expect(page.getByRole('button', { name: 'Mark as paid' })).toHaveCount(0);
  await open(dana.page, STATEMENT);
  await says(dana.page, '1,641.40', '336.60', 'Deposit applied to INV-US-2027-000001', '(40.00)',
    'Deposit refunded D-US-2027-000001', '(360.00)', 'Deposits held', 'USD 0.00', 'USD 1,978.00');
  const lines = main(dana.page).getByRole('row').filter({ hasText: /20(26|27).*[\d)]$/ });
  expect(await lines.count(), 'lines with a day and an amount').toBeLessThanOrEqual(9);
}

/** In the full suite: after the run, what was lent comes back and what was held goes back. */
async function end(house: House, home: string, enter: (name: string) => Promise<Visitor>): Promise<void> {
  await house.ask({ ask: 'now', at: '2027-03-19T15:00:00Z' });
  await house.ask({ ask: 'job', name: 'license-clocks' });
  const [maria, theo, dana] = [await enter('maria'), await enter('theo'), await enter('dana')];
  await reportTakings(dana, home);
  await acceptTakings(maria);
  await returnBooks(maria);
  await settleDeposit(maria, theo, dana);
  await payBack(maria, dana);
  expect(await balances(maria, '2027-03-31', '1000', '1010', '1100', '2100', '2150', '4400'))
    .toEqual([4_000, 0, 197_800, 0, 0, -4_000]);
}

async function play(house: House, enter: (name: string | null, viewport?: typeof PHONE) => Promise<Visitor>) {
  const phone = await enter(null, PHONE);
  const [maria, theo] = [await enter('maria', DESK), await enter('theo', DESK)];
  await find(phone);
  const home = await register(phone, house);
  await claimExemption(phone);
  await welcome(maria, house);
  await begin(phone, home, house.facts.show!);
  const dana = await enter('dana');
  await finish(dana, home, house);
  await answer(maria, theo);
  await sendOffer(maria, house);
  const paul = await enter(null);
  await join(paul, await invite(dana, home, house));
  await sign(paul, maria, house);
  await order(dana, home);
  await execute(maria, house);
  await depositCheck(maria);
  expect(await balances(maria, '2026-11-30', '1100', '2150', '1010')).toEqual([164_140, -40_000, 0]);
  await readOrder(maria);

  await house.ask({ ask: 'now', at: '2026-12-31T15:00:00Z' });
  await house.ask({ ask: 'job', name: 'license-clocks' });
  await shipBooks(await enter('maria', DESK));
  const later = await enter('dana');
  await follow(later, home);
  await addPerformance(later, home);
  await signAddendum(await enter('paul'), await mailed(house, 'paul', 'Amended: The Paper Moon'));
  if (FULL) await end(house, home, (name) => enter(name, name === 'dana' ? undefined : DESK));
}

for (const [on, viewport] of [['a desk', DESK], ['a phone', PHONE]] as const) {
  test(`a school licenses its first musical on ${on}`, async ({ browser }) => {
    test.skip(on === 'a desk' && !FULL, 'At a desk in the full suite.');
    // Some 250 steps: a minute and a half on a quiet machine, four beside everything else.
    test.slow();
    const house = await openHouse('musical');
    try {
      await play(house, (name, size = viewport) => house.enter(browser, name, { viewport: size }));
    } finally {
      await house.close();
    }
  });
}
