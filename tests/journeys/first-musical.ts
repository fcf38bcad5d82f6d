// cspell:ignore endobj
/** Story 1 until the application is handed in (first-musical.spec.ts plays on), and what all of its steps read by. */
import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { SHOW_CODE } from '#tests/support/musical.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { addressOf, type House } from './house.ts';
import { choose } from './select.ts';
import { expect, givePassword, settled, type Visitor } from './visitor.ts';

export const STAFF = '/api/admin/staff';
export const SECRET = 'Rival offer';
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'
  + '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
  + '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
export const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: PDF });

export const main = (page: Page) => page.getByRole('main');

export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

export async function says(page: Page, ...words: (string | RegExp)[]): Promise<void> {
  for (const one of words) await expect.soft(main(page)).toContainText(one);
}

export async function paper({ context }: Visitor, path: string): Promise<string> {
  return pdfText(await (await context.request.get(path)).body());
}

/** The path of the newest mail's link; it names a person to ask. */
export async function mailed(house: House, name: string, subject: string | RegExp): Promise<string> {
  const [mail] = await house.mail(name);
  expect(mail?.subject).toMatch(subject);
  expect(mail!.text).toContain('Questions? Maria Hill, maria@house.example');
  expect(mail!.text).not.toContain(SECRET);
  return new URL(/https?:\S+/.exec(mail!.text)![0]).pathname;
}

async function givePlace(page: Page): Promise<void> {
  await page.getByLabel(/^Address 1/).fill('12 School Street');
  await page.getByLabel(/^City/).fill('Dayton');
  await choose(page, page, 'State', 'Ohio');
  await page.getByLabel(/^ZIP code/).fill('45402');
}

/** Cast, notes, dates and price, without an account. */
export async function find({ page }: Visitor): Promise<void> {
  await page.goto('/shows');
  await page.getByLabel('Country of the performances').selectOption('US');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('link', { name: /The Paper Moon/ }).click();
  await expect(page).toHaveURL(`/shows/${SHOW_CODE}?country=US`);
  for (const words of ['18 to 32 performers', '1 hour 45 minutes', 'A child is lost for one scene.']) {
    await expect(page.locator('body')).toContainText(words);
  }
  await page.getByLabel('First performance').fill('2027-03-11');
  await page.getByLabel('Last performance').fill('2027-03-13');
  await page.getByLabel('ZIP code of the venue').fill('45402');
  await page.getByRole('button', { name: 'Check dates' }).click();
  await expect(page.locator('#dates').getByRole('status')).toContainText('Free');
  await page.getByLabel('Seats', { exact: true }).fill('250');
  await page.getByLabel('Average ticket (USD)').fill('12');
  await page.getByText('Two prices').click();
  await page.getByLabel('Seats at the second price').fill('120');
  await page.getByLabel('Second price (USD)').fill('8');
  await page.getByLabel('Performances', { exact: true }).fill('4');
  await page.getByRole('button', { name: 'Estimate the price' }).click();
  // 10% of 250 × 12.00 and 120 × 8.00 four times, and the books: the offer before its discount.
  await expect(page.getByRole('row', { name: /Before tax/ })).toContainText('1,879.00');
  await page.getByRole('link', { name: 'Apply', exact: true }).click();
}

/** Answers the address of the school's home. */
export async function register({ page }: Visitor, house: House): Promise<string> {
  await page.getByRole('link', { name: 'Ask for an account' }).click();
  await page.getByLabel('First name').fill('Dana');
  await page.getByLabel('Last name').fill('Whitfield');
  await page.getByLabel('Organization').fill('Wayne High School');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'School' }).first().click();
  await page.getByLabel('Phone').fill('+1 937 555 0142');
  await page.getByLabel('Email').fill(addressOf('dana'));
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Ask for an account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your mail');
  await open(page, await mailed(house, 'dana', 'Verify your email address'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your address is verified');
  await page.goto('/login');
  await givePassword(page, addressOf('dana'));
  await expect(page).not.toHaveURL(/login/);
  await settled(page);
  const home = '/customer/1';
  await open(page, home);
  return home;
}

export async function claimExemption({ page }: Visitor): Promise<void> {
  await says(page, 'Welcome, Dana');
  await givePlace(page);
  await page.getByRole('button', { name: 'Send details' }).click();
  await expect(page.getByText('Thank you. We will check it')).toBeVisible();
  await page.getByRole('button', { name: 'Upload a certificate' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, dialog, 'Kind', 'School');
  // The state is that of the address once it is confirmed.
  await choose(page, dialog, 'State', 'Ohio');
  await dialog.getByLabel(/^Number/).fill('OH-4471');
  await dialog.getByRole('textbox', { name: /^Valid from/ }).fill('01/01/2026');
  await dialog.getByRole('textbox', { name: /^Last day/ }).fill('12/31/2027');
  await dialog.locator('input[type=file]').setInputFiles(pdf('certificate.pdf'));
  await expect(dialog).toContainText('certificate.pdf');
  await dialog.getByRole('button', { name: 'Upload certificate' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Ohio, OH-4471')).toBeVisible();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('No productions yet')).toBeVisible();
}

/** By Maria: details, certificate, the school itself and its purchase orders. */
export async function welcome({ page }: Visitor, house: House): Promise<void> {
  await open(page, '/admin/approvals');
  for (const [row, verb] of [['Change of details', 'Confirm'], ['Tax exemption', 'Verify']] as const) {
    await page.getByRole('row').filter({ hasText: row }).getByRole('button', { name: verb }).click();
    await page.getByRole('dialog').getByRole('button', { name: verb }).click();
    await expect(page.getByRole('row').filter({ hasText: row })).toHaveCount(0);
  }
  const [mail] = await house.mail('dana');
  expect(mail!.text).toContain('Invoices in Ohio are without sales tax');
  await open(page, '/admin/customers/1/information');
  await page.getByRole('checkbox', { name: 'Purchase orders are accepted' }).check();
  await page.getByLabel(/^Payment terms/).fill('60');
  await page.getByRole('button', { name: 'Save customer' }).click();
  await expect(page.getByText('Customer saved')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm customer' }).click();
  await expect(page.getByRole('button', { name: 'Confirm customer' })).toHaveCount(0);
  expect(await mailed(house, 'dana', 'Wayne High School is confirmed')).toBe('/customer/1');
}

/** On the phone, until the connection is lost and found again. */
export async function begin({ page, context }: Visitor, home: string, show: number): Promise<void> {
  await open(page, `${home}/shows/apply/${show}`);
  await page.getByLabel(/^Venue name/).fill('Wayne Auditorium');
  await givePlace(page);
  await page.getByRole('button', { name: 'Enter a weekly run' }).click();
  await page.getByRole('textbox', { name: 'First day' }).fill('03/11/2027');
  await page.getByRole('textbox', { name: 'Last day' }).fill('03/13/2027');
  await page.getByRole('group', { name: 'Matinees' }).getByRole('checkbox', { name: 'Sat' }).check();
  await page.getByRole('button', { name: 'Add four performances' }).click();
  await page.getByRole('button', { name: 'Continue to tickets' }).click();
  await expect(page.getByText('Saved, you can finish later')).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Add another price' }).click();
  for (const [at, band] of [['Orchestra', '250', '12.00'], ['Balcony', '120', '8.00']].entries()) {
    await page.getByLabel('Ticket type').nth(at).fill(band[0]!);
    await page.getByLabel('Seats', { exact: true }).nth(at).fill(band[1]!);
    await page.getByLabel('Price', { exact: true }).nth(at).fill(band[2]!);
    await page.getByLabel('Price', { exact: true }).nth(at).blur();
  }
  await expect(page.getByText('Waiting for the connection')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Saved, you can finish later')).toBeVisible();
}

export async function finish({ page }: Visitor, home: string, house: House): Promise<void> {
  await open(page, home);
  await page.getByRole('link', { name: 'Finish and submit' }).click();
  await settled(page);
  await says(page, 'Sat, Mar 13, 2027, 2:00 PM, matinee', 'Balcony: 120 at USD 8.00');
  // Nothing is missing: it goes on at the review. The production has more to say.
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL(/step=4/);
  await page.goto(page.url().replace('step=4', 'step=3'));
  await page.getByLabel('Cast size').fill('24');
  await page.getByRole('checkbox', { name: 'Archival recording' }).check();
  await page.getByRole('checkbox', { name: 'Streaming' }).check();
  await page.getByRole('button', { name: 'Continue to review' }).click();
  await settled(page);
  await says(page, 'archival recording, streaming', '1,879.00');
  await page.getByRole('button', { name: 'Hand in the application' }).click();
  await expect(page).toHaveURL(/\/applications\/\d+$/);
  await settled(page);
  // The estimate, which is the offer before any discount.
  await says(page, '396.00 × 4 performances', '1,584.00', '295.00', '1,879.00', '400.00', 'by Dec 1, 2026');
  expect(await mailed(house, 'dana', 'We have received your application')).toBe(new URL(page.url()).pathname);
}
