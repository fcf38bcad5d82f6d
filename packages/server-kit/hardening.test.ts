/** Server hardening apart from its answers: the log, forged headers, neighboring files (docs/asvs.csv). */
import { connect, type AddressInfo } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose, loginsOf, type Composition } from '#apps/server/src/compose.ts';
import { open } from '#kit/auth.ts';
import { endpoint } from '#kit/endpoint.ts';
import { sql } from '#server/sql.ts';
import { TEST_PASSWORD, testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';
import { createLog } from './log.ts';
import { deliverOutbox } from './deliver-outbox.ts';
import { queueMail, type OutgoingMail } from './mail.ts';
import { serve } from './routes.ts';

const FALLS_OVER = serve({ fall: endpoint({ method: 'GET', path: '/api/auth/falls-over', auth: open,
  summary: 'Falls over', response: null }) }, { fall: () => { throw new Error('a lamp fell'); } });
const test = testApp();
const lines: string[] = [];
let logged: Composition, port = 0;
beforeAll(async () => {
  const webFolder = mkdtempSync(join(tmpdir(), 'gr-web-'));
  writeFileSync(join(webFolder, 'index.html'), '<head><title>Grand Rights</title></head>');
  logged = await compose({ settings: { ...test.ports.settings, trust_proxy: ['10.0.0.0/8'] }, clock: test.clock,
    webFolder, log: createLog('info', (line) => lines.push(line)), plantedRoutes: FALLS_OVER,
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

  it('has a line with the stack for whatever nobody expected, by the id that the answer tells', async () => {
    const page = await test.signedIn('customer');
    lines.length = 0;
    const { statusCode, body } = await logged.app.inject({ url: '/api/auth/falls-over',
      headers: { cookie: [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ') } });
    const { error_id, ...answer } = JSON.parse(body) as { error_id: string };
    expect([statusCode, answer]).toEqual([500, { message: 'Server Error', code: 'server_error' }]);
    expect(lines.map((line) => JSON.parse(line) as { id: string }).filter(({ id }) => id === error_id)[0])
      .toMatchObject({ level: 'error', message: 'request failed',
        error: expect.stringMatching(/^Error: a lamp fell\n/) });
  });

  it('takes signs of a format for what they are', () => {
    const written: string[] = [];
    createLog('info', (line) => written.push(line))('warn', '%s %d %o %j', { url: '/%s%n?a=%x' });
    expect(JSON.parse(written[0]!)).toMatchObject({ message: '%s %d %o %j', url: '/%s%n?a=%x' });
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

describe('what is asked', () => {
  const found = async (query: string) => (await office.get(`/api/admin/staff/customers?${query}`));
  let office: Awaited<ReturnType<typeof test.signedIn>>;
  beforeAll(async () => {
    office = await test.signedIn('staff_admin');
    await makeCustomer(test, 'Stage A');
  });

  it('is decoded once: what is still encoded then is text', async () => {
    expect((await found('search=Stage%20A')).body.meta.total).toBe(1);
    expect((await found('search=Stage%2520A')).body.meta.total).toBe(0);
    expect((await found('search=%2541')).body.meta.total).toBe(0);
  });

  it('means one thing: a parameter given twice is refused', async () => {
    const { status, body } = await found('search=Stage&search=Other');
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['search']]);
  });
});

describe('mail', () => {
  it('waits while its server is away and goes out later; whoever caused it was answered', async () => {
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const { email } = await test.signedIn('customer');
    expect((await guest.post('/api/auth/forgot-password', { email })).status).toBe(200);
    const { db } = test.database;
    let away = true;
    const sent: string[] = [];
    const mailer = { deliver: async ({ to }: { to: string[] }) => {
      if (away) throw new Error('connect ECONNREFUSED');
      sent.push(...to);
    } };
    const ports = { ...test.ports, db, mail: mailer };
    expect(await deliverOutbox(ports)).toBe(0);
    const waiting = async () => db.one<Record<string, unknown>>(sql`
      select sent_at, failed_attempts, last_error, next_attempt_at > now() as later from mail_outbox
      where ${email} = any (recipients)`);
    expect(await waiting()).toEqual(
      { sent_at: null, failed_attempts: 1, last_error: 'connect ECONNREFUSED', later: true });
    away = false;
    expect(await deliverOutbox(ports)).toBe(0);
    await db.exec(sql`update mail_outbox set next_attempt_at = now() where sent_at is null`);
    await deliverOutbox(ports);
    expect(sent).toContain(email);
  });

  it('takes its attachments along, and names them instead where they are too large', async () => {
    const { db } = test.database;
    const sent: OutgoingMail[] = [];
    const mail = { deliver: async (one: OutgoingMail) => { sent.push(one); } };
    for (const [name, content] of [['small.pdf', Buffer.from('small')],
      ['large.pdf', Buffer.alloc(9_500_000)]] as const) {
      const { storage_key } = await test.ports.files.put(content);
      await queueMail(db, { template: 'document.sent', to: ['to@test.example'], subject: name,
        letter: { greeting: null, paragraphs: ['Attached.'] },
        attachments: [{ filename: name, content_type: 'application/pdf', storage_key }] });
    }
    await deliverOutbox({ ...test.ports, db, mail });
    const [small, large] = ['small.pdf', 'large.pdf'].map((name) => sent.find(({ subject }) => subject === name)!);
    expect(small!.attachments).toEqual([{ filename: 'small.pdf', content_type: 'application/pdf',
      content: Buffer.from('small') }]);
    expect(large).toMatchObject({ attachments: [],
      text: 'Attached.\n\nGrand Rights\n\nToo large to attach, please open it in your portal: large.pdf' });
    expect(large!.html).toContain('open it in your portal: large.pdf</p></body>');
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

  const metricsOf = async (app: Composition['app'], remoteAddress: string, headers = {}): Promise<number> =>
    (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;

  it('the metrics are for loopback, and not for what a proxy hands on', async () => {
    expect(await metricsOf(test.app, '127.0.0.1')).toBe(200);
    expect(await metricsOf(test.app, '198.51.100.7')).toBe(404);
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host']) {
      expect(await metricsOf(test.app, '127.0.0.1', { [header]: '127.0.0.1' }), header).toBe(404);
    }
    expect(await metricsOf(test.app, '127.0.0.1', { host: 'rights.example' })).toBe(404);
  });

  it('where the settings name a proxy, the metrics take the token, also from loopback', async () => {
    expect(await metricsOf(logged.app, '127.0.0.1')).toBe(404);
    const guarded = await compose({ clock: test.clock, webFolder: null, log: () => {},
      settings: { ...test.ports.settings, trust_proxy: ['127.0.0.1'], metrics_token: 'a token' },
      connections: loginsOf((role) => test.database.urls[role]) });
    try {
      const authorization = 'Bearer a token';
      expect(await metricsOf(guarded.app, '127.0.0.1')).toBe(404);
      expect(await metricsOf(guarded.app, '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(404);
      expect(await metricsOf(guarded.app, '127.0.0.1', { authorization: 'Bearer another' })).toBe(404);
      expect(await metricsOf(guarded.app, '198.51.100.7', { authorization })).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  it('the metrics name routes and kinds of answers, never the addresses that strangers make up', async () => {
    for (const url of ['/api/made-up-1', '/api/made-up-2', '/.git/config', '/api/admin/staff/venues/77']) {
      await test.app.inject({ url });
    }
    await test.app.inject({ method: 'OPTIONS', url: '/api/made-up-3' });
    const { body } = await test.app.inject({ url: '/metrics' });
    const labels = [...body.matchAll(/^http_request_duration_seconds_count\{(.*)\}/gm)].map(([, text]) => text);
    expect(labels).toContain('method="GET",route="/api/admin/staff/venues/:id",status_class="4xx"');
    expect(labels.filter((text) => /made-up|git|77|status="/.test(text!))).toEqual([]);
    expect(labels.filter((text) => text!.includes('route="none"'))).toEqual(
      ['method="any",route="none",status_class="4xx"']);
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
