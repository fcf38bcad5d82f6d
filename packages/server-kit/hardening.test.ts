/** What the server tells and believes besides its answers: the log, forged headers, files beside it (docs/asvs.csv). */
import { connect, type AddressInfo } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose, loginsOf, type Composition } from '#apps/server/src/compose.ts';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp } from '#tests/support/app.ts';
import { createLog } from './log.ts';

const test = testApp();
const lines: string[] = [];
let logged: Composition, port = 0;
beforeAll(async () => {
  const webFolder = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(webFolder, 'index.html'), '<head><title>Grand Rights</title></head>');
  logged = await compose({ settings: { ...test.ports.settings, trust_proxy: ['10.0.0.0/8'] }, clock: test.clock,
    webFolder, log: createLog('info', (line) => lines.push(line)),
    connections: loginsOf((role) => test.database.urls[role]) });
  await logged.app.listen({ host: '127.0.0.1', port: 0 });
  port = (logged.app.server.address() as AddressInfo).port;
});
afterAll(() => logged.close());

/** One raw exchange, as no browser would send it. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => { answer += chunk.toString(); });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the log', () => {
  it('has a line of JSON for each request: when, what, who, why it was refused; never what was sent', async () => {
    const page = await test.signedIn('staff_user');
    const cookie = [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    lines.length = 0;
    const secret = 'a secret nobody writes down';
    await logged.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: page.email, password: secret },
      headers: { cookie, 'x-xsrf-token': page.cookies.get('XSRF-TOKEN')! } });
    await logged.app.inject({ headers: { cookie },
      url: `/api/admin/staff/venues?search=${encodeURIComponent(secret)}` });
    const facts = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(facts.find((one) => one.route === '/api/admin/staff/venues')).toMatchObject({ level: 'info',
      message: 'request', method: 'GET', status: 403, refused: 'forbidden', user: page.user_id });
    expect(facts.every((one) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(one.at)))).toBe(true);
    const all = lines.join('');
    for (const hidden of [secret, encodeURIComponent(secret), TEST_PASSWORD, ...page.cookies.values()]) {
      expect(all).not.toContain(hidden);
    }
  });

  it('keeps one event on one line, whatever stands in it', () => {
    const written: string[] = [];
    createLog('info', (line) => written.push(line))('warn', 'a\nb', { url: 'x\r\n{"level":"error"}' });
    expect(written).toHaveLength(1);
    expect(written[0]!.trimEnd()).not.toMatch(/[\r\n]/);
  });
});

describe('what a client says of itself', () => {
  it('is not believed: only a proxy named in TRUST_PROXY forwards an address', async () => {
    const page = await test.signedIn('staff_admin');
    const cookie = [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const from = async (remoteAddress: string): Promise<string> => {
      await logged.app.inject({ method: 'POST', url: '/api/auth/confirm-password', remoteAddress,
        payload: { password: TEST_PASSWORD }, headers: { cookie, 'x-forwarded-for': '203.0.113.9',
          'x-xsrf-token': page.cookies.get('XSRF-TOKEN')! } });
      const row = await test.database.db.maybeOne<{ ip: string }>(sql`
        select host(ip) as ip from audit_events where actor_id = ${page.user_id} order by id desc limit 1`);
      return row?.ip ?? 'no audit row';
    };
    expect(await from('198.51.100.7')).toBe('198.51.100.7');
  });

  it('two lengths, or a length beside chunks, is no request', async () => {
    const head = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    for (const smuggled of ['Content-Length: 2\r\nContent-Length: 30\r\n\r\n{}',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/users/me HTTP/1.1\r\n\r\n']) {
      expect(await raw(head + smuggled)).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('keys that would change every object are refused', async () => {
    const page = await test.signedIn('staff_admin');
    for (const body of ['{"__proto__":{"role":"system_admin"}}', '{"constructor":{"prototype":{"role":"x"}}}']) {
      const answer = await logged.app.inject({ method: 'POST', url: '/api/admin/staff/venues', payload: body,
        headers: { 'content-type': 'application/json', 'x-xsrf-token': page.cookies.get('XSRF-TOKEN')!,
          cookie: [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ') } });
      expect([400, 422]).toContain(answer.statusCode);
    }
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe('beside the application', () => {
  it('nothing of the checkout is served, no folder is listed, nothing leads out of the web folder', async () => {
    for (const url of ['/.git/config', '/.env', '/package.json', '/assets/', '/../package.json', '/%2e%2e/package.json',
      '/..%2f/package.json', '/apps/server/src/main.ts']) {
      const { statusCode, body } = await logged.app.inject({ url });
      expect(body, url).not.toMatch(/"dependencies"|\[core\]|Index of|import /);
      expect([200, 400, 403, 404], url).toContain(statusCode);
    }
  });

  it('the metrics are for loopback, and not for what a proxy hands on', async () => {
    const status = async (remoteAddress: string, headers = {}): Promise<number> =>
      (await logged.app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
    expect(await status('127.0.0.1')).toBe(200);
    expect(await status('198.51.100.7')).toBe(404);
    expect(await status('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
  });
});

describe('in production and by unusual methods', () => {
  it('browsers are told to come by TLS for a year, and cookies go by nothing else', async () => {
    const production = await compose({ settings: { ...test.ports.settings, production: true }, clock: test.clock,
      webFolder: null, log: () => {}, connections: loginsOf((role) => test.database.urls[role]) });
    try {
      const { headers } = await production.app.inject('/health/live');
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      const guest = (await production.app.inject('/sanctum/csrf-cookie')).headers['set-cookie'];
      const cookies = [guest ?? []].flat().map(String);
      expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(
        expect.arrayContaining(['__Host-session', 'XSRF-TOKEN']));
      expect(cookies.filter((cookie) => !/; Secure/i.test(cookie))).toEqual([]);
    } finally {
      await production.close();
    }
  });

  it('TRACE and methods that no route declares are answered with nothing of the request', async () => {
    for (const method of ['TRACE', 'LOCK', 'PATCH']) {
      const answer = await raw(
        `${method} /api/users/me HTTP/1.1\r\nHost: x\r\nX-Secret: told\r\nConnection: close\r\n\r\n`);
      expect(answer, method).toMatch(/^HTTP\/1\.1 (400|404|405|419) /);
      expect(answer, method).not.toContain('told');
    }
  });
});
