/**
 * Signing in safely, in the browser: a passkey of the browser's own virtual device, an authenticator app, the second
 * step, and back to the place that was asked for. Passkeys need a host name, so these pages are opened at localhost.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { codeOf, stepAt } from '#modules/identity/two-factor/totp.server.ts';
import { confirmIdentity, expect, openSecurity, settled, signIn, test } from './visitor.ts';

const PERSON = 'producer@calder.example';

async function addDevice(context: BrowserContext, page: Page): Promise<void> {
  const device = await context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'internal',
    hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } });
}

async function keepCodes(page: Page): Promise<void> {
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(8);
  await page.getByLabel('I have kept the codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
}

test('a passkey is added and signs in alone; a code of the app is the second step', async ({ baseURL, browser }) => {
  const context = await browser.newContext({ baseURL: baseURL!.replace('127.0.0.1', 'localhost') });
  const page = await context.newPage();
  await addDevice(context, page);
  await signIn(page, PERSON);
  await expect(page).toHaveURL(/\/customer\/\d+$/);
  await openSecurity(page);

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Stage laptop');
  await page.getByRole('button', { name: 'Add this device' }).click();
  await confirmIdentity(page);
  await keepCodes(page);
  await expect(page.getByText('Stage laptop', { exact: true })).toBeVisible();

  await context.clearCookies();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/customer\/\d+$/);
  await openSecurity(page);

  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByRole('dialog', { name: 'Is it you?' }).getByRole('button', { name: 'Use your passkey' }).click();
  const secret = (await page.getByTestId('totp-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel(/^Code/).fill(codeOf(secret, stepAt(new Date())));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('In use', { exact: true })).toBeVisible();

  const wanted = `${new URL(page.url()).pathname.split('/').slice(0, 3).join('/')}/documents`;
  await context.clearCookies();
  await signIn(page, PERSON, wanted);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Use the authenticator app instead' }).click();
  await page.getByLabel(/^Code/).fill(codeOf(secret, stepAt(new Date()) + 1));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${wanted}$`));
  await settled(page);
  await context.close();
});
