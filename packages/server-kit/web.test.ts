/** The page of the web app: its policy, and what a maps key changes. */
import fastify from 'fastify';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
