/**
 * Requirements on every answer, for any caller and any request: headers, the shape of errors, and the cross-site check.
 * Walks every route of the contract, so a new one is covered too (reliability.md 1.2 and 3.1, V3).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const slow = { timeout: 240_000 };
/** A stream that stays open is tested with its own module. */
const endpoints = routes.map((route) => route.endpoint).filter(({ path }) => path !== '/api/events');
const ENDS_SESSION = /^\/api\/(auth\/logout|users\/me\/sessions|auth\/acting-as)/;
const addressOf = ({ path }: Endpoint): string => path.split('?')[0]!.replace(/\{\w+\}/g, '999999999');
const labelOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

let admin: SignedIn;
beforeAll(async () => { admin = await test.signedIn('system_admin'); });

const SAME_EVERYWHERE = ['cache-control', 'content-security-policy', 'x-api-version', 'x-content-type-options',
  'referrer-policy', 'x-frame-options', 'cross-origin-opener-policy', 'cross-origin-resource-policy',
  'x-dns-prefetch-control', 'strict-transport-security', 'access-control-allow-origin', 'x-powered-by', 'server'];

function headersOf(answer: Answer): string {
  return SAME_EVERYWHERE.map((name) => `${name}: ${String(answer.headers[name] ?? '(none)')}`).join('\n');
}

/** The keys of an error and what its content says of itself. */
function shapeOf({ status, body, headers }: Answer): string {
  const keys = Object.keys(body as object).filter((key) => ['message', 'code', 'error_id'].includes(key)).sort();
  return `${status} ${String(headers['content-type'])} ${keys.join(' ')}`;
}

async function askAll(): Promise<{ endpoint: Endpoint; answer: Answer }[]> {
  const found: { endpoint: Endpoint; answer: Answer }[] = [];
  const guest = test.visitor();
  await guest.get('/sanctum/csrf-cookie');
  for (const endpoint of endpoints) {
    const given = endpoint.method === 'GET' ? {} : { body: { no_such_field: 1 } };
    found.push({ endpoint, answer: await guest.call(endpoint.method, addressOf(endpoint), given) });
    if (ENDS_SESSION.test(endpoint.path)) continue;
    found.push({ endpoint, answer: await admin.call(endpoint.method, addressOf(endpoint), given) });
  }
  return found;
}

describe('every answer of every route', () => {
  let all: { endpoint: Endpoint; answer: Answer }[] = [];
  beforeAll(async () => { all = await askAll(); }, 240_000);

  it('has the same headers, an id of its own and never a stack', slow, () => {
    const shapes = new Map<string, string>();
    for (const { endpoint, answer } of all) shapes.set(headersOf(answer), labelOf(endpoint));
    expect([...shapes.keys()]).toMatchInlineSnapshot(`
      [
        "cache-control: no-store
      content-security-policy: default-src 'none'; frame-ancestors 'none'
      x-api-version: 1
      x-content-type-options: nosniff
      referrer-policy: strict-origin-when-cross-origin
      x-frame-options: SAMEORIGIN
      cross-origin-opener-policy: same-origin
      cross-origin-resource-policy: same-origin
      x-dns-prefetch-control: off
      strict-transport-security: (none)
      access-control-allow-origin: (none)
      x-powered-by: (none)
      server: (none)",
        "cache-control: private, no-store
      content-security-policy: sandbox; default-src 'none'; style-src 'unsafe-inline'
      x-api-version: 1
      x-content-type-options: nosniff
      referrer-policy: strict-origin-when-cross-origin
      x-frame-options: SAMEORIGIN
      cross-origin-opener-policy: same-origin
      cross-origin-resource-policy: same-origin
      x-dns-prefetch-control: off
      strict-transport-security: (none)
      access-control-allow-origin: (none)
      x-powered-by: (none)
      server: (none)",
      ]
    `);
    const wrong = all.filter(({ answer }) => !/^[\w-]{8,64}$/.test(String(answer.headers['x-request-id'] ?? ''))
      || answer.status >= 500 || /\bat .*\.ts:\d/.test(answer.raw.toString()));
    expect(wrong.map(({ endpoint, answer }) => `${labelOf(endpoint)}: ${answer.status}`)).toEqual([]);
  });

  it('that refuses is JSON with message, code and error_id', slow, () => {
    const errors = all.filter(({ answer }) => answer.status >= 400);
    expect(errors.length).toBeGreaterThan(endpoints.length);
    expect([...new Set(errors.map(({ answer }) => shapeOf(answer)))].sort()).toMatchInlineSnapshot(`
      [
        "401 application/json; charset=utf-8 code error_id message",
        "404 application/json; charset=utf-8 code error_id message",
        "415 application/json; charset=utf-8 code error_id message",
        "422 application/json; charset=utf-8 code error_id message",
      ]
    `);
  });

  it('that names fields names them in dot notation with texts', slow, () => {
    const wrong = all.filter(({ answer }) => answer.status === 422 && answer.body.errors !== undefined
      && !Object.values(answer.body.errors as object).every((texts) => Array.isArray(texts)
        && texts.every((text) => typeof text === 'string')));
    expect(wrong.map(({ endpoint }) => labelOf(endpoint))).toEqual([]);
  });
});

describe('a request that another site caused', () => {
  const unsafe = endpoints.filter(({ method }) => method !== 'GET');
  it.each([
    ['by what the browser says of its site', { 'sec-fetch-site': 'cross-site' }],
    ['by its origin', { origin: 'https://evil.example' }],
    ['by an opaque origin', { origin: 'null' }],
    ['by an origin that begins like ours', { origin: 'http://localhost.evil.example' }],
  ])('is refused on all unsafe routes, the right token notwithstanding: %s', slow, async (_, headers) => {
    const accepted: string[] = [];
    for (const endpoint of unsafe) {
      const answer = await admin.call(endpoint.method, addressOf(endpoint), { body: {}, headers });
      if (answer.status !== 419) accepted.push(`${labelOf(endpoint)}: ${answer.status}`);
    }
    expect(accepted).toEqual([]);
  });

  it('cannot be a form of another site: only JSON and files are read', slow, async () => {
    const accepted: string[] = [];
    for (const endpoint of unsafe.filter(({ upload, path }) => !upload && !ENDS_SESSION.test(path))) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await admin.call(endpoint.method, addressOf(endpoint),
          { body: {}, headers: { 'content-type': type } });
        if (answer.status !== 415) accepted.push(`${labelOf(endpoint)} as ${type}: ${answer.status}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});
