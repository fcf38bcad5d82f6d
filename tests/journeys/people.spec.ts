/**
 * People against each other, in browsers of their own: what one does the other meets at once, though two servers answer
 * them in turn (issue 3). The limits of sign-in count here.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { DEMO_PASSWORD } from '#db/demo/people.ts';
import { PEOPLE, confirmIdentity, expect, givePassword, loading, openSecurity, settled, signIn, test,
  type Visitor } from './visitor.ts';

const dayInNewYork = (): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());

const STAFF = '/api/admin/staff';

/** Records which of the servers behind the proxy answered; one alone proves nothing. */
function hearReplicas(page: Page): Set<string> {
  const heard = new Set<string>();
  page.on('response', (answer) => {
    const replica = answer.headers()['x-replica'];
    if (replica !== undefined) heard.add(replica);
  });
  return heard;
}

async function refused(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('401 - Unauthorized');
  await expect(page.getByText('You do not have permission to view this page')).toBeVisible();
}

test('who types wrong passwords has to wait, whichever server counts', async ({ browser }, { project }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const heard = hearReplicas(page);
  await page.goto('/login');
  await page.getByLabel('Email').fill('nobody@astoriaplayers.example');
  const wait = page.getByText(/^Too many login attempts\. Please try again in \d+ seconds\.$/).first();
  // Five in a minute; the minute may turn between them.
  for (let attempt = 0; attempt < 12 && !await wait.isVisible(); attempt += 1) {
    await page.getByRole('textbox', { name: 'Password' }).fill(`wrong password ${attempt}`);
    await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/api/auth/login')),
      page.getByRole('button', { name: 'Sign in' }).click()]);
    await expect(page.getByText(/^(Too many login attempts|These credentials do not match)/).first()).toBeVisible();
  }
  await expect(wait).toBeVisible();
  if (project.name === 'two replicas') expect(heard).toEqual(new Set(['0', '1']));
  await context.close();
});

async function signedIn(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, email);
  await expect(page).not.toHaveURL(/\/login/);
  await settled(page);
  return page;
}

test('a device signed out elsewhere is out with its next step, and goes on there afterwards', async ({ browser }) => {
  const [here, lost] = [await browser.newContext(), await browser.newContext()];
  const page = await signedIn(here, 'signer@astoriaplayers.example');
  const other = await signedIn(lost, 'signer@astoriaplayers.example');
  await openSecurity(page);
  await page.getByRole('button', { name: /^Sign out (?!everywhere).+ on / }).first().click();
  await confirmIdentity(page);
  await expect(page.getByText('Signed out there')).toBeVisible();
  await other.getByRole('link', { name: 'Documents', exact: true }).first().click();
  await expect(other).toHaveURL(/\/login$/);
  await givePassword(other, 'signer@astoriaplayers.example');
  await expect(other).toHaveURL(/\/documents$/);
  await settled(other);

  await page.reload();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
  await other.getByRole('link', { name: 'Shows', exact: true }).first().click();
  await expect(other).toHaveURL(/\/login$/);
  await page.reload();
  await settled(page);
  await expect(page).not.toHaveURL(/\/login/);
  await here.close();
  await lost.close();
});

test('rights taken from a group are gone with the next step of whoever is in it', async ({ browser, visitor }) => {
  const system = await visitor('system');
  const { data: groups } = await system.get(`${STAFF}/groups?search=Reception`);
  const context = await browser.newContext();
  const clerk = await signedIn(context, PEOPLE.reception);
  await clerk.getByRole('link', { name: 'Customers', exact: true }).first().click();
  await expect(clerk.getByRole('heading', { level: 1 })).toHaveText('Customers');
  await clerk.goto('/admin/venues');
  await settled(clerk);

  const { page } = system;
  const change = async (tick: boolean): Promise<void> => {
    await page.goto(`/admin/staff/groups/${groups[0].id}/permissions`);
    await page.getByLabel('Search permissions').fill('customer.list');
    const box = page.getByRole('checkbox', { name: 'May see the list of customers' });
    await (tick ? box.check() : box.uncheck());
    await page.getByRole('button', { name: 'Save group' }).click();
    await doneOnceConfirmed(page, 'Group saved');
  };
  await change(false);
  try {
    await clerk.goto('/admin/customers');
    await refused(clerk);
  } finally {
    await change(true);
  }
  await clerk.goto('/admin/customers');
  await expect(clerk.getByRole('heading', { level: 1 })).toHaveText('Customers');
  await context.close();
});

test('a clerk is refused what her group does not grant, and kept at the address', async ({ visitor }) => {
  const { page } = await visitor('reception');
  await page.goto('/admin/accounting/trial-balance');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('401 - Unauthorized');
  await expect(page).toHaveURL(/\/admin\/accounting\/trial-balance/);
  await page.goto('/admin/customers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers');
});

/** Confirms the identity if asked, as granting rights requires once in a quarter of an hour. */
async function doneOnceConfirmed(page: Page, done: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(question.or(page.getByText(done))).toBeVisible();
  if (await question.isVisible()) await confirmIdentity(page);
  await expect(page.getByText(done)).toBeVisible();
}

/** The newest link of a mail to this address; the demo keeps its mail where administrators read it. */
async function linkTo(system: Visitor, email: string, page: string): Promise<string> {
  const { data } = await system.get(`/api/admin/system/mail?search=${encodeURIComponent(email)}`);
  const text = data.map((mail: { body_text: string }) => mail.body_text).join('\n');
  return new RegExp(`/${page}/\\S+`).exec(text)![0];
}

test('a colleague is invited, invited again and uninvited; only the last link leads in', async ({ visitor }) => {
  const system = await visitor('system');
  const { page } = system;
  const guest = (await visitor(null)).page;
  await page.goto('/admin/staff/invites');
  await settled(page);
  await page.getByRole('button', { name: 'Invite people' }).click();
  const form = page.getByRole('dialog', { name: 'Invite people' });
  const address = `newcomer-${Date.now()}@grandrights.example`;
  await form.getByLabel('Addresses').fill(`${address},`);
  await form.getByRole('button', { name: 'Send invitations' }).click();
  await doneOnceConfirmed(page, `${address} is invited`);
  const row = page.getByRole('row').filter({ hasText: address });
  const first = await linkTo(system, address, 'register-staff/create');
  await row.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`A new link went to ${address}`)).toBeVisible();
  await guest.goto(first);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This invitation did not work');
  const second = await linkTo(system, address, 'register-staff/create');
  await guest.goto(second);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Join the staff');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row.getByText('Revoked')).toBeVisible();
  await guest.goto(second);
  await expect(guest.getByText('This invitation is no longer valid.')).toBeVisible();
});

test('the system area opens for system administrators alone, and none lowers themselves', async ({ visitor }) => {
  const { page, get } = await visitor('system');
  await page.goto('/system');
  for (const name of ['System', 'Divisions', 'Jobs', 'Audit', 'Settings']) {
    if (name !== 'System') await page.getByRole('main').getByRole('link', { name }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(loading(page)).toHaveCount(0);
    if (name !== 'System') await page.goBack();
  }
  for (const [person, path] of [['admin', '/system'], ['reception', '/system/settings']] as const) {
    const { page: staff } = await visitor(person);
    await staff.goto(path);
    await refused(staff);
  }
  const { data: me } = await get('/api/users/me');
  await page.goto(`/admin/staff/${me.id}/settings`);
  await page.getByRole('button', { name: 'Change role' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Nobody changes their own role' })).toBeVisible();
});

test('what staff does for a house is heard in its portal while it is open', async ({ visitor }) => {
  const { page } = await visitor('customer');
  await page.goto('/login');
  await expect(page).toHaveURL(/\/customer\/\d+$/);
  await settled(page);
  const bell = page.getByRole('button', { name: /^Notifications/ });
  const unread = async (): Promise<number> =>
    Number(/, (\d+)/.exec(await bell.getAttribute('aria-label') ?? '')?.[1] ?? 0);
  const before = await unread();
  const house = Number(/customer\/(\d+)/.exec(page.url())?.[1]);
  const staff = await visitor('admin');
  const { data } = await staff.get(`${STAFF}/customers/${house}`);
  await staff.send('POST', `${STAFF}/accounting/payments`, { customer_id: house, division: data.default_division,
    currency: data.default_currency, amount_minor: 12_345, method: 'card',
    received_on: dayInNewYork(), duplicate_confirmed: true });
  await expect.poll(unread).toBe(before + 1);
  await bell.click();
  const news = page.getByRole('region', { name: 'Notifications' });
  await expect(news.getByText(/^Your payment of USD 123\.45 has arrived/)).toBeVisible();
  await news.getByRole('button', { name: 'Mark all read' }).click();
  await expect(bell).toHaveAccessibleName('Notifications');
});

test('whoever acts for a house sees its portal, is told so on every screen, and leaves again', async ({ browser }) => {
  const context = await browser.newContext();
  const page = await signedIn(context, PEOPLE.system);
  await page.goto('/select-portal');
  await page.getByLabel('Find a customer').fill('Astoria');
  await page.getByRole('button', { name: 'Act for Astoria Community Players' }).click();
  const banner = page.getByText(/^You are acting for Astoria Community Players until /);
  await expect(banner).toBeVisible();
  await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
  await settled(page);
  await expect(banner).toBeVisible();
  await page.goto('/admin/customers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are acting for Astoria Community Players');
  await page.getByRole('button', { name: 'Stop acting' }).first().click();
  await expect(banner).toHaveCount(0);
  await page.goto('/admin/customers');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers');
  await context.close();
});

async function heading(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(text);
}

test('who asks for an account sees a notice until the link of the mail is followed, and signs out by the menu',
  async ({ browser, visitor }) => {
    const system = await visitor('system');
    const context = await browser.newContext();
    const page = await context.newPage();
    const email = `newcomer-${Date.now()}@fairmount.example`;
    await page.goto('/register');
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Reed');
    await page.getByLabel('Organization').fill(`Fairmount School ${Date.now()}`);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'School' }).first().click();
    await page.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'United States' }).first().click();
    await page.getByLabel('Phone').fill('+1 555 010 0142');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('textbox', { name: 'Password again' }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Ask for an account' }).click();
    await heading(page, 'Check your mail');

    await signIn(page, email);
    await heading(page, 'Verify your address');
    await page.goto('/customer/1');
    await heading(page, 'Verify your address');
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await expect(page.getByText('Check your mail.')).toBeVisible();

    const link = await linkTo(system, email, 'verify-email');
    const { page: mailbox } = await visitor(null);
    await mailbox.goto(link);
    await heading(mailbox, 'Your address is verified');
    expect(mailbox.url()).not.toContain(link);
    await page.getByRole('button', { name: 'I have opened the link' }).click();
    await expect(page).toHaveURL(/\/customer\/\d+$/);
    await settled(page);
    await mailbox.goto(link);
    await heading(mailbox, 'This link did not work');
    await expect(mailbox.getByRole('button', { name: 'Send a new link' })).toBeVisible();

    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await forgetPassword(page, email, await visitor('system'));
    await context.close();
  });

/** From the sign-in page to a new password, and what a link says that was used. */
async function forgetPassword(page: Page, email: string, system: Visitor): Promise<void> {
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // The sign-in page has a field of this name, too.
  await heading(page, 'Forgot your password?');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await heading(page, 'Check your mail');
  const link = await linkTo(system, email, 'password-reset');
  await page.goto(link);
  await heading(page, 'Choose a new password');
  await expect(page).toHaveURL(/\/password-reset\/-$/);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  const password = 'another sentence for the same house';
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'New password again' }).fill(password);
  await page.getByRole('button', { name: 'Save the password' }).click();
  await heading(page, 'Done');

  await page.goto(link);
  await heading(page, 'This link no longer works');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await heading(page, 'Check your mail');
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await givePassword(page, email, password);
  await expect(page).toHaveURL(/\/customer\/\d+$/);
}
