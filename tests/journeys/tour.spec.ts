/**
 * Story 3, a tour, in the browser: Rosa applies once for fourteen cities, three of them by hand and eleven pasted from
 * her spreadsheet, signs, pays the advance by card and uploads the files of three box-office systems; Maria quotes and
 * accepts. Each week's figures are those of domain.md 2.4 on both sides, the running advance with them; the invoice,
 * its paper, the accounts and the authors' statements say the rest. Questions are read before a file is sent, and an
 * overlap computes nothing until it is answered. In a house of its own.
 */
// cspell:ignore Semaine Salle Recette Billets Frais semaine
import type { Locator, Page } from '@playwright/test';
import { addDays } from '#kernel/calendar/calendar.ts';
import { daySpan } from '#web/data/date-text.tsx';
import { FULL } from '#tests/support/full.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { americanFile, AUTHORS, BANK_NUMBER, CITIES, CROWDED, frenchFile, monday, nightsFile, SHARED, SHOWS, sunday,
  tickets, WEEKS, type TakingsFile } from '#tests/support/tour.ts';
import { openHouse, type House } from './house.ts';
import { choose } from './select.ts';
import { cellsOf } from './table.ts';
import { expect, settled, test, type Body, type Visitor } from './visitor.ts';
import { PHONE } from './widths.ts';

const STAFF = '/api/admin/staff';
const NAMES = CITIES.map((city) => `${city} Playhouse`);
/** Cities that are entered one by one; the others are pasted. */
const BY_HAND = 3;
const FRENCH = { 'Semaine': 'Date', 'Salle': 'Venue', 'Recette': 'Gross', 'Nb': 'Performances', 'Billets': 'Attendance',
  'Frais CB': 'Card' };

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

const main = (page: Page) => page.getByRole('main');

/** The week of the first city; the next ones are a week on. */
async function enterWeek(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter a weekly run' }).click();
  await page.getByRole('textbox', { name: 'First day' }).fill(addDays(monday(0), 1));
  await page.getByRole('textbox', { name: 'Last day' }).fill(sunday(0));
  const days = async (group: string, chosen: readonly string[]): Promise<void> => {
    for (const day of await page.getByRole('group', { name: group }).getByRole('checkbox').all()) {
      await day.setChecked(chosen.includes(await day.evaluate((one: HTMLInputElement) => one.labels![0]!.textContent)));
    }
  };
  await days('Evenings', ['Tue', 'Wed', 'Thu', 'Fri', 'Sat']);
  await days('Matinees', ['Wed', 'Sat', 'Sun']);
  await page.getByRole('button', { name: 'Add eight performances' }).click();
}

/** Rows of the company's own spreadsheet: performances, then what each seat costs. */
const listOf = (city: number): string[] => [
  ...SHOWS.map(([day, time]) => [NAMES[city], addDays(monday(city), day), time, time === '14:00' ? 'Matinee' : '']),
  ...tickets(city).map((one) => ['', '', '', '', one.label, one.number_of_seats, one.price]),
].map((cells) => cells.join('\t'));

async function enterDates(page: Page): Promise<void> {
  await enterWeek(page);
  for (const name of NAMES.slice(1, BY_HAND)) {
    await page.getByRole('button', { name: 'Add a venue' }).click();
    await expect(page.getByRole('button', { name: `Change ${name}` })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Paste a list' }).click();
  await page.getByLabel('Rows from a spreadsheet').fill(['Venue\tDate\tTime\tType\tTicket type\tSeats\tPrice',
    ...CITIES.flatMap((_, city) => (city < BY_HAND ? [] : listOf(city)))].join('\n'));
  await page.getByRole('button', { name: 'Add 88 performances' }).click();
  await expect(main(page)).toContainText('14 venues, 112 performances');
}

async function enterSeats(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add another price' }).click();
  for (const [at, one] of tickets(0).entries()) {
    await page.getByLabel('Ticket type').nth(at).fill(one.label);
    await page.getByLabel('Seats', { exact: true }).nth(at).fill(String(one.number_of_seats));
    await page.getByLabel('Price', { exact: true }).nth(at).fill(`${one.price}.00`);
  }
  await page.getByRole('button', { name: 'Add a deduction' }).click();
  await choose(page, page, 'Deduction 1', 'Card commission');
  await page.getByLabel('At most, deduction 1').fill('3');
  await page.getByLabel('At most, deduction 1').blur();
  for (let city = 1; city < BY_HAND; city += 1) {
    await page.getByRole('button', { name: `Change ${NAMES[city]}` }).click();
    await page.getByRole('button', { name: `Copy seats and prices of ${NAMES[city - 1]}` }).click();
    await page.getByLabel('Seats', { exact: true }).first().fill(String(tickets(city)[0]!.number_of_seats));
  }
  await page.getByRole('button', { name: 'Copy deductions to the other 13 venues' }).click();
}

/** Answers the id of the application. */
async function apply({ page }: Visitor, customer: number, show: number): Promise<number> {
  await open(page, `/customer/${customer}/shows/apply/${show}`);
  await enterDates(page);
  await page.getByRole('button', { name: 'Continue to tickets' }).click();
  await enterSeats(page);
  await page.getByRole('button', { name: 'Continue to production' }).click();
  await page.getByLabel('Cast size').fill('18');
  await page.getByRole('button', { name: 'Continue to review' }).click();
  await expect(main(page).getByText('Card commission, at most 3%')).toHaveCount(CITIES.length);
  for (const [city, name] of NAMES.entries()) {
    const line = main(page).getByRole('listitem').filter({ hasText: name });
    await expect(line).toContainText(`Orchestra: ${tickets(city)[0]!.number_of_seats} at USD 45.00`);
    await expect(line).toContainText(`${daySpan(addDays(monday(city), 1), sunday(city))}, eight performances`);
  }
  await expect(page.locator('body')).toContainText('7,000.00');
  await page.getByRole('button', { name: 'Hand in the application' }).click();
  await expect(page).toHaveURL(/\/applications\/\d+$/);
  await expect(main(page)).toContainText('112 performances');
  return Number(/\d+$/.exec(page.url())![0]);
}

/** Answers the id of the quote. */
async function quote({ page }: Visitor, application: number): Promise<number> {
  await open(page, `/admin/applications/${application}/venues`);
  await page.getByRole('button', { name: 'Start review' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start review' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Approve and quote' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create quote' }).click();
  await expect(page).toHaveURL(/\/quotes\/\d+\/venues$/);
  await settled(page);
  return Number(/quotes\/(\d+)/.exec(page.url())![1]);
}

async function sendOffer(page: Page, licence: number): Promise<void> {
  await open(page, `/admin/quotes/${licence}/documents`);
  await page.getByText('Generate', { exact: true }).click();
  await page.getByRole('button', { name: 'Make the offer' }).click();
  await page.getByRole('button', { name: 'Send offer of 7,000.00, plus 11% of gross' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send offer' }).click();
  await expect(page.getByRole('button', { name: 'Record signature' })).toBeVisible();
}

async function sign({ page }: Visitor, home: string): Promise<void> {
  await open(page, `${home}/quote`);
  await page.getByLabel('Your full name').fill('Rosa Calder');
  await page.getByLabel('Your title').fill('General manager');
  await page.getByRole('checkbox', { name: /USD 2,000\.00 on signing, plus 11% of gross/ }).check();
  await page.getByRole('button', { name: 'Sign: USD 2,000.00 now' }).click();
  await expect(page.getByText('Signed. Your license follows.')).toBeVisible();
  await settled(page);
}

/** The advance by card, from the payments of the production to the page of the processor and back. */
async function payAdvance({ page }: Visitor, home: string, house: House): Promise<void> {
  await open(page, `${home}/invoices`);
  await main(page).getByRole('link', { name: /Payment request.*2,000\.00/ }).click();
  await settled(page);
  await page.getByRole('radio', { name: /card/i }).check();
  await page.getByRole('button', { name: 'Pay USD 2,000.00' }).click();
  await expect(page.getByText('USD 2,000.00')).toBeVisible();
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/check_payment') && answer.ok());
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  // A call of the page wakes the job that books the payment, and this server waits to be told.
  await asked;
  await house.ask({ ask: 'job', name: 'settle-online-payments' });
  await expect(page.getByText('Thank you, it is paid')).toBeVisible();
}

async function give({ page }: Visitor, home: string, file: TakingsFile): Promise<void> {
  await open(page, `${home}/box-office`);
  await page.getByRole('button', { name: 'Upload a file' }).click();
  await main(page).locator('input[type=file]').setInputFiles(file);
}

/** The column of the file under each of its unknown heads, said once. */
async function matchColumns({ page }: Visitor): Promise<void> {
  await expect(page.getByRole('heading', { name: /^Columns of / })).toBeVisible();
  for (const [head, field] of Object.entries(FRENCH)) await choose(page, main(page), head, field);
  await page.getByRole('button', { name: 'Read the file' }).click();
}

async function certify({ page }: Visitor): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Reports in this file' })).toBeVisible();
  await page.getByLabel('Your full name').fill('Rosa Calder');
  await page.getByRole('button', { name: 'Certify and send' }).click();
  await expect(main(page).getByRole('button', { name: 'Upload a file' })).toBeVisible();
}

/** The first report that waits, or that of a period. */
async function accept({ page }: Visitor, production: string, period = ''): Promise<void> {
  await open(page, `${production}/box-office`);
  const row = page.getByRole('row').filter({ hasText: 'Submitted' }).filter({ hasText: period });
  await row.getByRole('link').or(row).first().click();
  const button = page.getByRole('button', { name: /^Accept [\d,.]+$/ });
  await expect(button).toBeInViewport({ ratio: 1 });
  await button.click();
  await expect(page.getByRole('button', { name: /^Accept / })).toHaveCount(0);
  await settled(page);
}

/** Figures as the screens write minor units. */
const money = (minor: number): string => (minor / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });

const each = (last: string, others: string): string[] => [...SHOWS.slice(1).map(() => others), last];

/** Takings of a week in the file of a system of its own. */
function weekFile(week: number): TakingsFile | Promise<TakingsFile> {
  switch (week) {
    case 0: return americanFile('week-1.csv', 0, { gross: '4,125.50', card: '123.77', sold: 900 });
    case 1: return frenchFile('semaine-2.csv', 1, { gross: '10.880,00', card: '326,40', sold: 2_000 });
    default: return nightsFile('week-3.xlsx', [[2, { sold: 330, gross: each('1875.25', '1875.00'),
      card: each('56.26', '56.25') }]]);
  }
}

interface Desks { rosa: Visitor; maria: Visitor; customer: number; licence: number; home: string; production: string }

/** A week from the file to its figures on both sides. */
async function playWeek({ rosa, maria, home, production }: Desks, week: number): Promise<void> {
  const { gross, card, earned, recouped, due, left } = WEEKS[week]!;
  await open(rosa.page, `${home}/box-office`);
  await expect(main(rosa.page).getByText('To report', { exact: true })).toHaveCount(1);
  await give(rosa, home, await weekFile(week));
  if (week === 1) await matchColumns(rosa);
  await expect(main(rosa.page)).toContainText(`${NAMES[week]}, ${daySpan(monday(week), sunday(week))}`);
  await expect(main(rosa.page)).toContainText(`USD ${money(gross)}, 8 performances`);
  await expect(rosa.page.getByText('Please check')).toHaveCount(0);
  await certify(rosa);
  await accept(maria, production);
  const drawer = await facts(maria.page.getByRole('complementary').or(maria.page.getByRole('dialog')).last());
  expect(drawer).toMatchObject({ 'Net receipts': money(gross - card), 'Royalty earned': money(earned),
    'Kept against the advance': `(${money(recouped)})`, 'Due': money(due) });
  await open(maria.page, `${production}/box-office`);
  expect(await facts(main(maria.page))).toMatchObject({ 'Unrecouped advance': money(left) });

  const { page } = rosa;
  await open(page, `${home}/box-office`);
  await expect(main(page)).toContainText(left === 0 ? 'Advance of USD 2,000.00, fully recouped.'
    : `Advance of USD 2,000.00, of which USD ${money(left)} is left to recoup.`);
  await page.getByRole('button', { name: `See ${daySpan(monday(week), sunday(week))}` }).click();
  expect(await facts(main(page))).toMatchObject({ 'Royalty earned': `USD ${money(earned)}`,
    'Set against the advance': `USD ${money(recouped)}`, 'Royalty due': `USD ${money(due)}` });
}

/** Figures by the names that stand over or beside them. */
async function facts(within: Locator): Promise<Record<string, string>> {
  await expect(within.locator('dl > div').first()).toBeVisible();
  const pairs = await within.locator('dl > div').evaluateAll((found) => found.map((one) =>
    [one.querySelector('dt')?.textContent.trim() ?? '', (one.querySelector('dd')?.textContent ?? '').trim()
      .replace(/^minus\s*/, '')] as const));
  return Object.fromEntries(pairs);
}

/** The only invoice of the first three weeks on both sides, its paper, and the accounts. */
async function readInvoice({ rosa, maria, licence, customer }: Desks): Promise<void> {
  const { data: [invoice] } = await maria.get(`${STAFF}/invoices?license_id=${licence}&kind=invoice&open=true`);
  await open(maria.page, `/admin/accounts-receivable/invoices/${invoice.id}`);
  await open(rosa.page, `/customer/${customer}/invoices/${invoice.id}`);
  for (const { page } of [maria, rosa]) await expect(main(page)).toContainText('1,261.43');
  const paper = await rosa.context.request.get(`/api/customers/${customer}/invoices/${invoice.id}/document`);
  const text = await pdfText(await paper.body());
  for (const words of ['gross 15,000.25, base 14,550.24, 11% is 1,600.53, minimum 500.00, advance recouped 339.10',
    '1,261.43', 'Grand Rights Productions', BANK_NUMBER]) expect(text).toContain(words);
  await open(maria.page, '/admin/accounting/trial-balance?division=PROD&as_of=2026-03-31&all=true');
  for (const [account, closing] of [['1100', '1,261.43'], ['1020', '2,000.00'], ['2100', '0.00'],
    ['4010', '(3,261.43)']] as const) {
    expect(await closingOf(maria.page, account), account).toBe(closing);
  }
}

const closingOf = async (page: Page, account: string): Promise<string> =>
  (await cellsOf(page, 'Trial balance', account)).Closing!.replace(/^minus\s*/, '');

/** Shares that became due by 31 March, on the list and on the statement of each author. */
async function readAuthors({ send, page }: Visitor, authors: readonly number[]): Promise<void> {
  const { data: { statements } } = await send('POST', `${STAFF}/royalty_statement_runs`, { division: 'PROD',
    currency: 'USD', period_from: '2026-01-01', period_to: '2026-03-31', royaltor_ids: authors });
  let sum = 0;
  for (const { name } of AUTHORS) {
    await open(page, `/admin/sales-and-royalties/royalties?division=PROD&search=${encodeURIComponent(name)}`);
    const { 'Became due': due } = await cellsOf(page, 'Royalties by royaltor', name);
    const minor = minorOf(due!);
    sum += minor;
    const one = statements.find((of: Body) => of.royaltor_name === name);
    expect(one.payable_minor + one.expected_wht_minor, name).toBe(minor);
    await open(page, `/admin/sales-and-royalties/statements/${one.id}`);
    await expect(main(page)).toContainText(due!);
  }
  expect(sum).toBe(SHARED);
}

/** Minor units of `1,234.50`. */
const minorOf = (text: string): number => Number(text.replace(/[.,]/g, ''));

/** Two weeks in one file, one over capacity, the other the same again; each asks before it is sent. */
async function sendCrowded({ rosa, maria, home, production }: Desks): Promise<void> {
  const { page } = rosa;
  await give(rosa, home, await nightsFile('weeks-4-and-5.xlsx', [[3, CROWDED], [4, CROWDED]]));
  for (const words of ['4,640 admissions for 4,240 seats. Is that right?',
    'Gross and admissions are the same as for March 23, 2026 to March 29, 2026. Is that right?']) {
    await expect(main(page)).toContainText(words);
  }
  await certify(rosa);
  await accept(maria, production);
  await expect(maria.page.locator('body')).toContainText('1,210.00');
}

/** A second report of the fourth week: held, it counts nowhere; in place of the first, it bills the difference. */
async function sendTwice({ rosa, maria, home, production }: Desks): Promise<void> {
  const { page } = rosa;
  const owed = async (): Promise<string> => {
    await open(maria.page, '/admin/accounting/trial-balance?division=PROD&as_of=2026-04-30&all=true');
    return closingOf(maria.page, '1100');
  };
  const before = await owed();
  await give(rosa, home, frenchFile('semaine-4.csv', 3, { gross: '11.250,00', card: '0,00', sold: 4_200 }));
  await expect(main(page)).toContainText('Columns matched as in your last file.');
  for (const words of ['This report would be on hold', 'March 23, 2026 to March 29, 2026 (11,000.00)',
    'It is not counted until you or we answer.']) await expect(main(page)).toContainText(words);
  await certify(rosa);
  await expect(main(page)).toContainText('On hold');
  expect(await owed()).toBe(before);
  await page.getByRole('button', { name: `Answer ${daySpan(monday(3), sunday(3))}` }).click();
  await page.getByRole('button', { name: 'Replace the other report' }).click();
  await expect(page.getByText('Thank you. We will look at the report')).toBeVisible();
  expect(await owed()).toBe(before);
  // Five weeks, the fourth once: 4,125.50 + 10,880.00 + 15,000.25 + 2 x 11,000.00.
  await open(maria.page, `${production}/box-office`);
  expect(await facts(main(maria.page))).toMatchObject({ 'Gross receipts USD': '52,005.75', 'Reports missing': '0' });
  await accept(maria, production, daySpan(monday(3), sunday(3)));
  // 11% of 250.00 more.
  expect(minorOf(await owed()) - minorOf(before)).toBe(2_750);
}

async function play(house: House, enter: (name: string) => Promise<Visitor>): Promise<void> {
  const { house: customer, show, ...authors } = house.facts as Record<'show' | 'house', number>;
  let [rosa, maria] = [await enter('rosa'), await enter('maria')];
  const licence = await quote(maria, await apply(rosa, customer, show));
  await sendOffer(maria.page, licence);
  const home = `/customer/${customer}/productions/${licence}`;
  const production = `/admin/customers/${customer}/productions/${licence}`;
  await sign(rosa, home);
  await payAdvance(rosa, home, house);
  /** That morning, when sessions of last week have ended. */
  const on = async (day: string): Promise<Desks> => {
    await house.ask({ ask: 'now', at: `${day}T15:00:00Z` });
    await house.ask({ ask: 'job', name: 'license-clocks' });
    [rosa, maria] = [await enter('rosa'), await enter('maria')];
    return { rosa, maria, customer, licence, home, production };
  };
  for (const week of WEEKS.keys()) {
    await test.step(`week ${week + 1}`, async () => playWeek(await on(addDays(sunday(week), 2)), week));
  }
  await readInvoice({ rosa, maria, customer, licence, home, production });
  await readAuthors((await on('2026-04-02')).maria, Object.values(authors));
  const desks = await on(addDays(sunday(4), 2));
  await sendCrowded(desks);
  await sendTwice(desks);
}

for (const [on, viewport] of [['a desk', { width: 1280, height: 900 }], ['a phone', PHONE]] as const) {
  test(`a tour of fourteen cities is applied for, reported and billed on ${on}`, async ({ browser }) => {
    test.skip(!FULL, 'In the full suite; tests/stories/tour.test.ts tells the story in every suite.');
    test.setTimeout(600_000);
    const house = await openHouse('tour');
    try {
      await play(house, (name) => house.enter(browser, name, { viewport }));
    } finally {
      await house.close();
    }
  });
}
