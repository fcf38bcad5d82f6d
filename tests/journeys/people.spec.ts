/**
 * People against each other, in browsers of their own: what one does the other meets at once, though two servers answer
 * them in turn (issue 3). The limits of sign-in count here.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { PEOPLE, confirmIdentity, expect, givePassword, openSecurity, settled, signIn,
  test } from './visitor.ts';

const STAFF = '/api/admin/staff';

/** Which of the servers behind the proxy answered; one alone says nothing. */
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
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await confirmIdentity(page);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);

  await other.getByRole('link', { name: 'Documents', exact: true }).first().click();
  await expect(other).toHaveURL(/\/login$/);
  await givePassword(other, 'signer@astoriaplayers.example');
  await expect(other).toHaveURL(/\/documents$/);
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
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    await expect(question.or(page.getByText('Group saved'))).toBeVisible();
    if (await question.isVisible()) await confirmIdentity(page);
    await expect(page.getByText('Group saved')).toBeVisible();
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

test('a colleague is invited, invited again and uninvited', async ({ visitor }) => {
  const { page } = await visitor('system');
  await page.goto('/admin/staff/invites');
  await settled(page);
  await page.getByRole('button', { name: 'Invite people' }).click();
  const form = page.getByRole('dialog', { name: 'Invite people' });
  const address = `newcomer-${Date.now()}@grandrights.example`;
  await form.getByLabel('Addresses').fill(`${address},`);
  await form.getByRole('button', { name: 'Send invitations' }).click();
  await expect(page.getByText(`${address} is invited`)).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: address });
  await row.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(`A new link went to ${address}`)).toBeVisible();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row.getByText('Revoked')).toBeVisible();
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
    received_on: new Date().toISOString().slice(0, 10) });
  await expect.poll(unread).toBe(before + 1);
  await bell.click();
  const news = page.getByRole('region', { name: 'Notifications' });
  await expect(news.getByText(/^Your payment of 123\.45 /)).toBeVisible();
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
