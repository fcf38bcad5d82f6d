/** The page of the web app: its policy, and what a maps key changes. */
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEFAULT_AVATAR } from '#kit/avatar.ts';
import { webRoutes } from './web.ts';

async function page(mapsKey: string | null): Promise<{ policy: string; body: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(folder, 'index.html'), '<head><meta content="__CSP_NONCE__"><title>Grand Rights</title></head>');
  const app = fastify();
  await webRoutes(app, folder, mapsKey);
  const answer = await app.inject({ url: '/admin/venues' });
  await app.close();
  return { policy: String(answer.headers['content-security-policy']), body: answer.body };
}

it('loads nothing from elsewhere without a maps key', async () => {
  const { policy, body } = await page(null);
  expect(policy).not.toMatch(/https?:/);
  expect(body).not.toContain('maps-key');
});

it('allows the maps service, and names the key, where one is set', async () => {
  const { policy, body } = await page('AIza-">');
  expect(policy).toContain("script-src 'self' 'nonce-");
  expect(policy).toContain('https://maps.googleapis.com');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(body).toContain('<meta name="maps-key" content="AIza-%22%3E" />');
});

it('is sent in the language that the cookie of the reader names, else in American English', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(folder, 'index.html'), '<html lang="en-US"><title>Grand Rights</title>');
  const app = fastify();
  await app.register(cookie);
  await webRoutes(app, folder, null);
  const languages = await Promise.all(['en-GB', 'en-US', 'de-DE"><script>', undefined].map(async (language) => {
    const answer = await app.inject({ url: '/admin', ...(language ? { cookies: { language } } : {}) });
    return /lang="([^"]*)"/.exec(answer.body)?.[1];
  }));
  await app.close();
  expect(languages).toEqual(['en-GB', 'en-US', 'en-US', 'en-US']);
});

it('[C81] the host of the API serves the default avatar, to whoever has signed in or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(folder, 'index.html'), '<title>Grand Rights</title>');
  // The build copies this folder as it is.
  const files = fileURLToPath(new URL('../../apps/web/public', import.meta.url));
  cpSync(files, folder, { recursive: true });
  const app = fastify();
  await webRoutes(app, folder, null);
  const answer = await app.inject({ url: DEFAULT_AVATAR });
  const missing = await app.inject({ url: DEFAULT_AVATAR.replace('default', 'other') });
  await app.close();
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(answer.body).toBe(readFileSync(join(files, DEFAULT_AVATAR), 'utf8'));
  expect(missing.statusCode).not.toBe(200);
});
